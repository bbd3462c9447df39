import type { FormHTMLAttributes } from 'preact'
import { useState } from 'preact/hooks'

import { adminToken, unlock } from '../calls.ts'
import { Problem } from './ui.tsx'

export function UnlockForm({ label, children, ...rest }: { label: string } & FormHTMLAttributes) {
  const [token, setToken] = useState('')
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    unlock(token)
  }
  return (
    <form {...rest} onSubmit={submit}>
      {children}
      <Problem error={adminToken.value === '' ? undefined : new Error('Invalid admin token.')} />
      <label class="field">
        {label}{' '}
        <input
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>{' '}
      <button type="submit" class="primary">
        Unlock
      </button>
    </form>
  )
}
