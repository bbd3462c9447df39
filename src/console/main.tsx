import { render } from 'preact'

import { App } from './app.tsx'
import { revision } from './calls.ts'
import { followJournal } from './live.ts'
import { watchOverview } from './shell/overview.ts'

followJournal()
watchOverview()
// Others may have changed the data meanwhile.
addEventListener('focus', () => {
  revision.value += 1
})
render(<App />, document.body)
