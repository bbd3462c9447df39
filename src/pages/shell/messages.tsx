import { useState } from 'preact/hooks'

import { adminToken, unlock } from '../calls.ts'
import { Code } from '../components/copy.tsx'
import { Button, Form, Problem } from '../components/ui.tsx'
import { overview } from '../live.ts'
import { switchSession } from '../place.ts'

export function Stopped() {
  const { seed, size, fixture, future } = overview.value ?? {}
  const known = seed === undefined ? {} : { seed, size, fixture, ...(future === 'living' && { future }) }
  const options = { port: location.port || '80', ...known }
  const flags = Object.entries(options).map(([name, value]) => ` --${name} ${value}`)
  return (
    <section class="card message" role="alert">
      <h1>The sandbox does not respond</h1>
      <p>
        Nothing responds at <code>{location.origin}</code>. Has it been stopped? Start it again, and this page
        reconnects by itself and reads everything anew. Add the other options that you gave, such as{' '}
        <code>--data</code> or <code>--config</code>:
      </p>
      <Code text={`npx workspace-sandbox${flags.join('')}`} subject="the command" />
    </section>
  )
}

export function Gone({ id }: { id: string }) {
  return (
    <section class="card message" role="alert">
      <h1>Session {id} not found</h1>
      <p>It was deleted or has expired, or the sandbox was restarted or reseeded.</p>
      <Button class="primary" run={() => switchSession(undefined)}>
        Switch to the default session
      </Button>
    </section>
  )
}

export function Unlock() {
  const [token, setToken] = useState('')
  return (
    <section class="card message">
      <h1>Admin token</h1>
      <p>
        This sandbox requires its admin token. Enter the token to use the console. It is kept until you close
        this tab.
      </p>
      <Problem error={adminToken.value === '' ? undefined : new Error('Invalid admin token.')} />
      <Form submit={() => token !== '' && unlock(token)}>
        <label>
          Token{' '}
          <input
            ref={(field) => field?.focus()}
            type="password"
            autocomplete="off"
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Unlock
        </button>
      </Form>
    </section>
  )
}
