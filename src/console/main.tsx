import { render } from 'preact'

import { App } from './app.tsx'
import { revision } from './calls.ts'
import { announce } from './components/use-calls.ts'
import { followJournal } from './live.ts'
import { watchOverview } from './shell/overview.ts'

followJournal()
watchOverview()
// Fingers cannot hover: a touch shows a tooltip, a long one also that of a link or a button.
for (const touch of ['click', 'contextmenu'] as const) {
  addEventListener(touch, ({ target, pointerType }: PointerEvent) => {
    if (pointerType !== 'touch' || !(target instanceof Element)) return
    if (touch === 'click' && target.closest('a, button')) return
    announce(target.closest<HTMLElement>('[title]')?.title ?? '')
  })
}
// Others may have changed the data meanwhile.
addEventListener('focus', () => {
  revision.value += 1
})
render(<App />, document.body)
