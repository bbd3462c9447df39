import type { Call } from '../../calls.ts'
import { curlOf } from '../../curl.ts'
import { Code } from '../../parts/code.tsx'

/** Shows on demand which calls several buttons make, by what they do. */
export function Curls({ calls }: { readonly calls: Readonly<Record<string, Call>> }) {
  return (
    <details class="as-curl">
      <summary>as curl</summary>
      {Object.entries(calls).map(([what, call]) => (
        <div key={what} class="steer-curl">
          <p>{what}</p>
          <Code text={curlOf(call)} what={`as curl: ${what}`} />
        </div>
      ))}
    </details>
  )
}
