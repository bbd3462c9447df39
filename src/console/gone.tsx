import { useState } from 'preact/hooks'

import { reopenSession } from './live.ts'
import { Problem } from './parts/problem.tsx'
import { turnTo } from './place.ts'

/** Says that the page's session is gone, and leads on. */
export function Gone({ id }: { readonly id: string }) {
  const [error, setError] = useState<unknown>()
  const reopen = async (): Promise<void> => {
    setError(undefined)
    try {
      await reopenSession(id)
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <section class="unlock card">
      <div role="alert">
        <h1>There is no session {id}</h1>
        <p>It was deleted, it expired, or the sandbox was restarted or reseeded since.</p>
      </div>
      <div class="row">
        <button type="button" class="primary" onClick={() => void reopen()}>
          Open {id} again
        </button>
        <button type="button" onClick={() => turnTo(undefined)}>
          Show the default session
        </button>
      </div>
      <Problem error={error} />
    </section>
  )
}
