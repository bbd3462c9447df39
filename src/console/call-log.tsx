import { madeCalls } from './calls.ts'
import { Code } from './components/code.tsx'
import { toCurl } from './curl.ts'

/** Lists the calls that the page has made, so that each can be repeated as curl. */
export function CallLog() {
  const [latest] = madeCalls.value
  return (
    <details class="call-log">
      <summary>
        Calls made by this page
        {latest && (
          <span class="latest">
            {latest.method} {latest.path} {latest.status || 'no response'}
          </span>
        )}
      </summary>
      <ol reversed>
        {madeCalls.value.map((call) => (
          <li key={call.number}>
            <details>
              <summary>
                <span class="method">{call.method}</span> {call.path}{' '}
                <span>{call.status || 'no response'}</span>
              </summary>
              <Code text={toCurl(call, call.session)} subject="the call as curl" />
            </details>
          </li>
        ))}
      </ol>
    </details>
  )
}
