import { render } from 'preact'

import { App } from './app.tsx'
import { revision } from './calls.ts'
import { followJournal } from './live.ts'

followJournal()
// Reloads what others may have changed meanwhile.
addEventListener('focus', () => {
  revision.value += 1
})
render(<App />, document.body)
