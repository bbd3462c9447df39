import { render } from 'preact'

import { App } from './app.tsx'
import { revision } from './calls.ts'
import { announce } from './components/use-calls.ts'
import { followJournal } from './live.ts'
import { watchOverview } from './shell/overview.ts'

followJournal()
watchOverview()
// Fingers cannot hover, so a touch shows the tooltip of anything that does nothing else.
addEventListener('click', ({ target, pointerType }: PointerEvent) => {
  if (pointerType !== 'touch' || !(target instanceof Element) || target.closest('a, button')) return
  announce(target.closest<HTMLElement>('[title]')?.title ?? '')
})
// Others may have changed the data meanwhile.
addEventListener('focus', () => {
  revision.value += 1
})
render(<App />, document.body)
