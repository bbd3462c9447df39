import { announce } from '../calls.ts'
import { Button, Icon } from './ui.tsx'

interface CopyProps {
  readonly text: string | (() => string | Promise<string>)
  readonly subject: string
  readonly label?: string
}

export function Copy({ text, subject, label }: CopyProps) {
  return (
    <Button
      class={label ? undefined : 'quiet'}
      run={() => copyText(text, subject)}
      title={`Copy ${subject}`}
      aria-label={label ?? `Copy ${subject}`}
    >
      {label ?? <Icon name="copy" />}
    </Button>
  )
}

export function Copyable({ text, subject }: { text: string; subject: string }) {
  return (
    <>
      <code>{text}</code> <Copy text={text} subject={subject} />
    </>
  )
}

export async function copyText(text: CopyProps['text'], subject: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
    announce(`Copied ${subject}.`)
  } catch (error) {
    const reason = error instanceof DOMException ? 'the browser blocked it' : String(error)
    announce(`Cannot copy ${subject}: ${reason}.`)
  }
}

export function Code({ text, subject }: { text: string; subject: string }) {
  return (
    <div class="code">
      <pre>{text}</pre>
      <Copy text={text} subject={subject} />
    </div>
  )
}
