import { useState } from 'preact/hooks'

import type { Preview } from '../../../control/preview.ts'
import { ask } from '../../calls.ts'
import { announce } from '../../parts/announcer.tsx'
import { Json } from '../../parts/json.tsx'
import { Problem } from '../../parts/problem.tsx'
import { StatusTag } from '../../parts/status-tag.tsx'

interface Tried {
  readonly preview?: Preview
  readonly error?: unknown
}

/** Shows what the service would answer, under what asks it. */
export function TryIt({ path, token }: { readonly path: string; readonly token: string }) {
  const [{ preview, error }, setTried] = useState<Tried>({})
  const tryIt = async (): Promise<void> => {
    try {
      const answered = await ask<Preview>('/_sandbox/preview', { path, token })
      setTried({ preview: answered })
      announce(`Answered ${answered.status}.`)
    } catch (failure) {
      setTried({ error: failure })
    }
  }
  return (
    <div class="start-try">
      <div class="row">
        <button type="button" class="primary" onClick={() => void tryIt()}>
          Try it
        </button>
        <p class="hint">Shows the answer here: no request is recorded, no fault is used up.</p>
      </div>
      <Problem error={error} />
      {preview && (
        <section aria-label="Answer">
          <p>
            <StatusTag status={preview.status} /> <code>{preview.request}</code>
          </p>
          {preview.warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
          <Json value={preview.body} />
        </section>
      )}
    </div>
  )
}
