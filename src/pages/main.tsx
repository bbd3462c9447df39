import { render } from 'preact'

import { App } from './app.tsx'
import { revision } from './calls.ts'
import { announce } from './components/use-calls.ts'
import { followJournal } from './live.ts'
import { watchOverview } from './shell/overview.ts'

followJournal()
watchOverview()
// Fingers cannot hover: a touch shows a tooltip, a long one also that of a link or a button.
const showTooltip = ({ type, target, pointerType }: PointerEvent): void => {
  if (pointerType !== 'touch' || !(target instanceof Element)) return
  const isUsed = type === 'click' && target.closest('a, button')
  if (!isUsed) announce(target.closest<HTMLElement>('[title]')?.title ?? '')
}
addEventListener('click', showTooltip)
addEventListener('contextmenu', showTooltip)
// Others may have changed the data meanwhile.
addEventListener('focus', () => {
  revision.value += 1
})
render(<App />, document.body)
