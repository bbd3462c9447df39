import type { MarkdownRenderer } from 'vitepress'

type Tokens = Parameters<Parameters<MarkdownRenderer['core']['ruler']['push']>[1]>[0]['tokens']

/**
 * Shows the comment before a code block: the name of its file above, and why CI does not run it below. Other comments
 * disappear, and links to files of the repository become plain texts.
 */
export function explainBlocks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('explain-blocks', (state) => {
    const createNote = (className: string, text: string): Tokens[number] => {
      const note = new state.Token('html_block', '', 0)
      note.content = `<p class="${className}">${markdown.utils.escapeHtml(text)}</p>\n`
      return note
    }
    const shown: Tokens = []
    let comment = ''
    const isInRoot = !String(state.env.relativePath).includes('/')
    for (const token of state.tokens) {
      const [, found] =
        token.type === 'html_block' ? (/^<!--\s*(.*?)\s*-->\s*$/s.exec(token.content) ?? []) : []
      if (found !== undefined) {
        comment = found
        continue
      }
      const [, file] = /^(?:file: )?((?:examples\/)?[\w./-]+\.\w+)$/.exec(comment) ?? []
      const [, reason] = /^not run: (.*)$/s.exec(comment) ?? []
      if (token.type === 'fence' && file !== undefined) shown.push(createNote('file-name', file))
      shown.push(token)
      if (token.type === 'fence' && reason !== undefined)
        shown.push(createNote('not-run', `Not run in CI: ${reason}.`))
      comment = ''
      for (const part of token.children ?? []) {
        if (!isInRoot || part.type !== 'link_open' || !part.attrGet('href')?.startsWith('../')) continue
        part.tag = 'span'
        part.attrs = [['title', `In the repository: ${part.attrGet('href')?.slice(3)}`]]
        const close = token.children
          ?.slice(token.children.indexOf(part))
          .find(({ type }) => type === 'link_close')
        if (close) close.tag = 'span'
      }
    }
    state.tokens = shown
  })
}
