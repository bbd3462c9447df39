import { collapse, startSite } from './site.ts'

function addCopyButtons(): void {
  for (const block of document.querySelectorAll('figure.code')) {
    const code = block.querySelector('code')
    if (!code) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', () => void copy(code.textContent, button))
    block.prepend(button)
  }
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Not allowed'
  }
  button.addEventListener('blur', () => (button.textContent = 'Copy'), { once: true })
}

addCopyButtons()
collapse('.contents details', '(width < 75rem)')
startSite()
