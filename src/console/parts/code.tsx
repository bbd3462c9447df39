import { Copy } from './copy.tsx'

/** A text to copy. */
export function Code({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="code">
      <pre>{text}</pre>
      <Copy text={text} what={what} />
    </div>
  )
}
