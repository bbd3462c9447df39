import { useState } from 'preact/hooks'

import { adminToken, unlock } from './calls.ts'

/** Asks for the token that the control plane wants. */
export function Unlock() {
  const [token, setToken] = useState('')
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    unlock(token)
  }
  return (
    <form class="unlock card" onSubmit={submit}>
      <h1>Admin token</h1>
      <p>
        This sandbox was started with <code>--admin-token</code>: its control plane answers to who has the
        token. It is kept until this tab is closed.
      </p>
      {adminToken.value !== '' && (
        <p class="problem" role="alert">
          The sandbox does not know this token.
        </p>
      )}
      <label class="field">
        Token{' '}
        <input
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary">
        Unlock
      </button>
    </form>
  )
}
