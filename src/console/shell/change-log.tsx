import { madeChanges } from '../calls.ts'
import { Code } from '../components/code.tsx'
import { toCurl } from '../curl.ts'

/** Lists the changes that the page has made, each as curl. */
export function ChangeLog() {
  const changes = madeChanges.value
  const [latest] = changes
  if (!latest) return null
  return (
    <footer>
      <details class="change-log">
        <summary>
          As curl: {changes.length} {changes.length === 1 ? 'change' : 'changes'} made here
          <span class="latest">
            {latest.method} {latest.path} {latest.status || 'no response'}
          </span>
        </summary>
        <ol reversed>
          {changes.map((call) => (
            <li key={call.number} class={call.status >= 400 || call.status === 0 ? 'is-failed' : undefined}>
              <Code text={toCurl(call)} subject={`${call.method} ${call.path} as curl`} />
            </li>
          ))}
        </ol>
      </details>
    </footer>
  )
}
