import { render } from 'preact'

import { App } from './app.tsx'
import { revision } from './calls.ts'
import { followJournal } from './live.ts'

followJournal()
// What others have changed meanwhile is read when somebody looks again.
addEventListener('focus', () => {
  revision.value += 1
})
render(<App />, document.body)
