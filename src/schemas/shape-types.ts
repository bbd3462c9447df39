import { getWireSchema } from '../contract/codecs.ts'
import { getOwnShape, shapeNames } from '../contract/shapes.ts'
import { version } from '../core/version.ts'
import { capitalize } from '../core/words.ts'
import type { Contract } from '../resources/contract.ts'
import { toJsonSchema, toType } from './interfaces.ts'

export function renderShapeTypes(contract: Contract): string {
  const types = shapeNames.map((name) => {
    const { isLearned, schema } = contract.codec(getOwnShape(name).schema)
    const type = toType(toJsonSchema(getWireSchema(schema)))
    const source = isLearned ? `The form of shapes.${name}.` : "The sandbox's own form."
    return `/** ${source} */\nexport interface ${capitalize(name)} ${indent(type)}`
  })
  return (
    [`// Types of records, printed by \`workspace-sandbox types\` ${version}.`, ...types, '']
      .join('\n\n')
      .trimEnd() + '\n'
  )
}

function indent(type: string): string {
  let depth = 0
  const lines = type.split('\n').map((line) => {
    if (line.startsWith('}')) depth -= 1
    const indented = '  '.repeat(depth) + line
    if (line.endsWith('{')) depth += 1
    return indented
  })
  return lines.join('\n')
}
