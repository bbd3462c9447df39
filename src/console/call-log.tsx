import { madeCalls } from './calls.ts'
import { curlOf } from './curl.ts'
import { Code } from './parts/code.tsx'

/** The calls that the page has made: everything that a click does can be done without the page. */
export function CallLog() {
  const [latest] = madeCalls.value
  return (
    <details class="call-log">
      <summary>
        Calls of this page
        {latest && (
          <span class="latest">
            {latest.method} {latest.path} {latest.status || 'no answer'}
          </span>
        )}
      </summary>
      <ol reversed>
        {madeCalls.value.map((call) => (
          <li key={call.number}>
            <details>
              <summary>
                <span class="method">{call.method}</span> {call.path}{' '}
                <span>{call.status || 'no answer'}</span>
              </summary>
              <Code text={curlOf(call, call.session)} what="the call as curl" />
            </details>
          </li>
        ))}
      </ol>
    </details>
  )
}
