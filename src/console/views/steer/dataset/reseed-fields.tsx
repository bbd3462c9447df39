import { useState } from 'preact/hooks'

import { Input } from '../../../parts/input.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { Select } from '../../../parts/select.tsx'
import { fixtureIn, type ReseedDraft } from './reseed-draft.ts'

/** What refusals call the fields that show them. */
export const reseedFields = ['seed', 'size', 'now']

const sizes: Readonly<Record<string, string>> = {
  '': 'as it is',
  small: 'small: 25 customers',
  medium: 'medium: 300',
  large: 'large: 10,000',
  other: 'another number',
}

const fixtures: Readonly<Record<string, string>> = {
  '': 'as it is',
  default: 'default',
  'edge-cases': 'edge-cases',
  empty: 'empty: no customers',
  file: 'a file of yours',
}

interface ReseedFieldsProps {
  readonly draft: ReseedDraft
  readonly set: (draft: ReseedDraft) => void
  readonly error: unknown
}

/** What another dataset is made from. */
export function ReseedFields({ draft, set, error }: ReseedFieldsProps) {
  const field = (name: Exclude<keyof ReseedDraft, 'content'>) => ({
    name,
    value: draft[name],
    set: (value: string) => set({ ...draft, [name]: value }),
    error,
  })
  return (
    <>
      <div class="steer-fields">
        <Input {...field('seed')} label="Seed" placeholder="as it is" />
        <Select {...field('size')} label="Size" options={sizes} />
        {draft.size === 'other' && (
          <Input {...field('customers')} name="size" label="Customers" placeholder="3 to 100000" />
        )}
        <Select {...field('fixture')} label="Fixture" options={fixtures} />
        <Input {...field('now')} label="Now (UTC)" placeholder="as it is" hint="Or system: the clock runs." />
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
      set({ ...draft, content: await fixtureIn(file) })
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
