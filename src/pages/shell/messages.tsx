import type { ComponentChildren } from 'preact'

import { prepare, routes } from '../client.ts'
import { Code } from '../components/code.tsx'
import { UnlockForm } from '../components/form.tsx'
import { Act, Button } from '../components/ui.tsx'
import { reconnect } from '../live.ts'
import { linkTo, switchSession } from '../place.ts'

interface MessageProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly actions: ComponentChildren
}

function Message({ title, children, actions }: MessageProps) {
  return (
    <section class="card message">
      <div role="alert">
        <h1>{title}</h1>
        {children}
      </div>
      <div class="row">{actions}</div>
    </section>
  )
}

export function Stopped() {
  const action = (
    <Button class="primary" run={reconnect}>
      Reconnect now
    </Button>
  )
  return (
    <Message title="The sandbox does not respond" actions={action}>
      <p>
        Nothing responds at <code>{location.origin}</code>. Has it been stopped? Start it again, and this page
        reconnects by itself and reads everything anew:
      </p>
      <Code text={`npx workspace-sandbox --port ${location.port || '80'}`} subject="the command" />
    </Message>
  )
}

export function Gone({ id }: { id: string }) {
  const open = { ...prepare('post', routes.sessions, { json: { id } }), session: null }
  const actions = (
    <>
      <Button class="primary" run={() => switchSession(undefined)}>
        Switch to the default session
      </Button>
      <Act call={open} done={`Reopened ${id}.`} after={reconnect}>
        Reopen {id}
      </Act>
    </>
  )
  return (
    <Message title={`Session ${id} not found`} actions={actions}>
      <p>It was deleted or has expired, or the sandbox was restarted or reseeded.</p>
    </Message>
  )
}

export function Unknown() {
  const action = <a href={linkTo('start')}>Go to the start</a>
  return (
    <Message title="Nothing is at this address" actions={action}>
      <p>
        The console has no <code>{location.hash}</code>. Choose a view above, or search for an action.
      </p>
    </Message>
  )
}

export const Unlock = () => (
  <UnlockForm label="Token" class="card message">
    <h1>Admin token</h1>
    <p>
      This sandbox requires its admin token. Enter the token to use the console. It is kept until you close
      this tab.
    </p>
  </UnlockForm>
)
