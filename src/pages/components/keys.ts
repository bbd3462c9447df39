import { useEffect } from 'preact/hooks'

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
}

/** Moves the focus within a list. Returns the element that gets it; undefined for a key that does not move. */
export function moveFocus(event: KeyboardEvent, elements: readonly HTMLElement[]): HTMLElement | undefined {
  const step = steps[event.key]
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined
  event.preventDefault()
  const at = elements.findIndex((one) => (one.closest('tr') ?? one).contains(document.activeElement))
  const from = at === -1 && step < 0 ? elements.length : at
  const next = elements[Math.max(0, Math.min(elements.length - 1, from + step))]
  next?.focus()
  return next
}

/** Runs a function on Escape, unless the key closes something else or is pressed in an input. */
export function useEscape(run: (() => void) | undefined): void {
  useEffect(() => {
    const press = ({ target, key, defaultPrevented }: KeyboardEvent): void => {
      const isTaken = defaultPrevented || document.querySelector('dialog[open]') !== null
      if (key === 'Escape' && !isTaken && !isTyping(target)) run?.()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input:not([type=checkbox], [type=radio]), select, textarea')
