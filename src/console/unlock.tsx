import { useState } from 'preact/hooks'

import { adminToken, unlock } from './calls.ts'

/** Asks for the admin token. */
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
        This sandbox was started with <code>--admin-token</code>. Enter the token to use the console. It is
        kept until you close this tab.
      </p>
      {adminToken.value !== '' && (
        <p class="problem" role="alert">
          Invalid admin token.
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
