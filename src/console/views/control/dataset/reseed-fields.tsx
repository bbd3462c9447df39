import { useState } from 'preact/hooks'

import { Input, Select } from '../../../components/form.tsx'
import { Problem } from '../../../components/problem.tsx'
import { type ReseedDraft, readFixture } from './reseed-draft.ts'

/** The names of the fields in validation errors. */
export const reseedFields = ['seed', 'size', 'now']

const sizes: Readonly<Record<string, string>> = {
  '': 'unchanged',
  small: 'small: 25 customers',
  medium: 'medium: 300',
  large: 'large: 10,000',
  other: 'custom',
}

const fixtures: Readonly<Record<string, string>> = {
  '': 'unchanged',
  default: 'default',
  'edge-cases': 'edge-cases',
  empty: 'empty: no customers',
  file: 'from a file',
}

interface ReseedFieldsProps {
  readonly draft: ReseedDraft
  readonly set: (draft: ReseedDraft) => void
  readonly error: unknown
}

/** Renders the settings of a new dataset. */
export function ReseedFields({ draft, set, error }: ReseedFieldsProps) {
  const field = (name: Exclude<keyof ReseedDraft, 'content'>) => ({
    name,
    value: draft[name],
    set: (value: string) => set({ ...draft, [name]: value }),
    error,
  })
  return (
    <>
      <div class="control-fields">
        <Input {...field('seed')} label="Seed" placeholder="unchanged" />
        <Select {...field('size')} label="Size" options={sizes} />
        {draft.size === 'other' && (
          <Input {...field('customers')} name="size" label="Customers" placeholder="3 to 100000" />
        )}
        <Select {...field('fixture')} label="Fixture" options={fixtures} />
        <Input
          {...field('now')}
          label="Now (UTC)"
          placeholder="unchanged"
          hint="Use system for a running clock."
        />
      </div>
      {draft.fixture === 'file' && <FixtureFile draft={draft} set={set} />}
    </>
  )
}

function FixtureFile({ draft, set }: Pick<ReseedFieldsProps, 'draft' | 'set'>) {
  const [wrong, setWrong] = useState<unknown>()
  const choose = async (file: File | undefined): Promise<void> => {
    setWrong(undefined)
    set({ ...draft, content: undefined })
    if (!file) return
    try {
      set({ ...draft, content: await readFixture(file) })
    } catch (failure) {
      setWrong(failure)
    }
  }
  return (
    <>
      <label class="field">
        File{' '}
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
        />
      </label>
      <Problem error={wrong} />
    </>
  )
}
