export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [formatRow(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(formatRow)].join('\n')
}

const formatRow = (cells: readonly string[]): string =>
  `| ${cells
    .map((cell) =>
      cell
        .replaceAll('|', String.raw`\|`)
        .replaceAll('\n', ' ')
        .replaceAll('<', '&lt;'),
    )
    .join(' | ')} |`

export const formatCode = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``
