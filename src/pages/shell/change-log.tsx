import { madeChanges } from '../calls.ts'
import { Code } from '../components/code.tsx'
import { plural } from '../components/format.tsx'
import { toCurl } from '../curl.ts'

export function ChangeLog() {
  const changes = madeChanges.value
  const [latest] = changes
  if (!latest) return null
  const made = changes.filter(({ status }) => status >= 200 && status < 400).length
  return (
    <footer>
      <details class="change-log">
        <summary>
          As curl: {plural(made, 'change')} made here · {latest.method} {latest.path}{' '}
          {latest.status || 'no response'}
        </summary>
        <ol reversed>
          {changes.map(({ number, status, ...call }) => (
            <li key={number}>
              {(status >= 400 || status === 0) && <span class="tag bad">{status || 'no response'}</span>}
              <Code text={toCurl(call)} subject={`${call.method} ${call.path} as curl`} />
            </li>
          ))}
        </ol>
      </details>
    </footer>
  )
}
