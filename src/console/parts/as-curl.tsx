import type { Call } from '../calls.ts'
import { curlOf } from '../curl.ts'
import { Code } from './code.tsx'

/** Shows on demand which call a button makes. */
export function AsCurl({ call }: { readonly call: Call }) {
  return (
    <details class="as-curl">
      <summary>as curl</summary>
      <Code text={curlOf(call)} what="the call as curl" />
    </details>
  )
}
