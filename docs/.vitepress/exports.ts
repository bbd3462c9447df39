import { readFileSync } from 'node:fs'
import { join } from 'node:path/posix'

import manifest from '../../package.json' with { type: 'json' }
import { formatTable } from './reference.ts'

/** Lists what each entry point of the package exports. */
export function formatExports(): string {
  const rows = Object.keys(manifest.exports).flatMap((path) => {
    const name = path === '.' ? 'index' : path.slice(2)
    if (name.includes('.')) return []
    const source = readFileSync(join('src', `${name}.ts`), 'utf8')
    const named = Array.from(source.matchAll(/^export (type )?\{([^}]*)\}/gms), ([, all = '', names = '']) =>
      names.split(',').map((one) => `${all}${one.trim()}`),
    ).flat()
    const declared = Array.from(
      source.matchAll(/^export (?:async )?(?:(interface|type)|function|const|class) (\w+)/gm),
      ([, type = '', one = '']) => (type === '' ? one : `type ${one}`),
    )
    const exported = [...new Set([...named, ...declared])].filter((one) => one !== '' && one !== 'type ')
    const [types, values] = [
      exported.filter((one) => one.startsWith('type ')),
      exported.filter((one) => !one.startsWith('type ')),
    ]
    return [[`\`${join('workspace-sandbox', path)}\``, formatNames(values), formatNames(types)]]
  })
  const text =
    'Everything that the entry points of the package export. [Entry points](../embedding.md) shows how to use them.'
  return `# Exported names\n\n${text}\n\n${formatTable(['Import from', 'Values', 'Types'], rows)}\n`
}

const formatNames = (names: readonly string[]): string =>
  names.map((name) => `\`${name.replace('type ', '').replace(/^.* as /, '')}\``).join(', ')
