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

/** Names the server that shows the page where the guide names the default one. */
function nameThisServer(): void {
  for (const code of document.querySelectorAll('code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      node.nodeValue = node.nodeValue?.replaceAll('http://127.0.0.1:4500', location.origin) ?? null
    }
  }
}

nameThisServer()
addCopyButtons()
collapse('.contents details', '(width < 75rem)')
startSite()
