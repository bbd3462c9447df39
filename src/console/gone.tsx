import { useState } from 'preact/hooks'

import { Problem } from './components/problem.tsx'
import { reopenSession } from './live.ts'
import { switchSession } from './place.ts'

/** Reports that the page's session no longer exists, and offers ways on. */
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
        <h1>Session {id} not found</h1>
        <p>It was deleted or has expired, or the sandbox was restarted or reseeded.</p>
      </div>
      <div class="row">
        <button type="button" class="primary" onClick={() => void reopen()}>
          Reopen {id}
        </button>
        <button type="button" onClick={() => switchSession(undefined)}>
          Switch to the default session
        </button>
      </div>
      <Problem error={error} />
    </section>
  )
}
