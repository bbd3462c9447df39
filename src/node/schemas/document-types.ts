import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as z from 'zod'

import { importSequentially } from '../../core/import-sequentially.ts'
import { parseJson } from '../../core/json.ts'
import { asSentence, capitalize } from '../../core/words.ts'
import { openSandbox } from '../../sandbox/sandbox.ts'
import { endpoints } from '../../service/index.ts'
import { readDescription, toJsonSchema } from './json-schemas.ts'

// Writes the texts of options and operations as comments into the declarations of the package. Editors show a comment only if
// its property is declared: TypeScript 7 drops those of mapped types, as all inferred types are.

const FOLDER = 'dist/types/src'

/** An interface with the name of the schema that it is inferred from. */
const INFERRED = /^export interface (\w+) extends ((?:Input|Readable)<[\w ]+>) \{\n/gm

const Fields = z.object({
  properties: z.record(z.string(), z.object({ description: z.string() })),
  required: z.array(z.string()).default([]),
})

/** The part of the service's OpenAPI document that comments repeat. */
const Parameter = z.object({
  name: z.string(),
  required: z.boolean().default(false),
  description: z.string(),
  schema: z.object({ default: z.unknown().optional() }).default({}),
  examples: z.record(
    z.string(),
    z.object({ value: z.unknown() }),
    'must have an example: choose one in src/control/routes/service-document.ts, of a record in fixtures/default.json',
  ),
})
const Body = z.object({ content: z.object({ 'application/json': Parameter.pick({ examples: true }) }) })
const Operation = z.object({ parameters: z.array(Parameter).default([]), requestBody: Body.optional() })
const ServiceDocument = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })

async function documentOptions(): Promise<void> {
  for (const file of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
    const path = join(FOLDER, file)
    if (!file.endsWith('.d.ts')) continue
    const text = readFileSync(path, 'utf8')
    if (text.search(INFERRED) === -1) continue
    const schemas: object = await importSequentially(
      () => import(/* @vite-ignore */ `../../${file.replace(/\.d\.ts$/, '.ts')}`),
    )
    const documented = text.replace(INFERRED, (_, name: string, base: string) => {
      const schema: unknown = Reflect.get(schemas, name)
      if (!(schema instanceof z.ZodType)) throw new TypeError(`${file} exports no schema ${name}.`)
      const { properties, required } = Fields.parse(toJsonSchema(schema))
      const members = Object.entries(properties).map(([field, { description }]) =>
        renderMember(field, required.includes(field), `${base}['${field}']`, toComment(description)),
      )
      return `export interface ${name} {\n${members.join('')}`
    })
    writeFileSync(path, documented)
  }
}

/** Gives each operation an interface for its parameters, and each function of the client its summary and an example. */
async function documentOperations(): Promise<void> {
  const { fetch } = await openSandbox()
  const { paths } = ServiceDocument.parse(await (await fetch('/openapi.json')).json())
  const members = { OperationInputs: '', OperationCalls: '', OperationIterators: '' }
  const interfaces: string[] = []
  for (const { id, path, method, summary, returns } of endpoints) {
    const { parameters = [], requestBody } = paths[path]?.[method.toLowerCase()] ?? {}
    const body = requestBody?.content['application/json']
    const fields = body
      ? [...parameters, { ...body, name: 'body', required: true, description: 'The JSON body', schema: {} }]
      : parameters
    const inferred = `OperationInput<'${id}'>`
    const input = `${capitalize(id)}Input`
    const about = `The parameters of \`${id}\`.`
    const properties = fields.map((field) =>
      renderMember(field.name, field.required, `${inferred}['${field.name}']`, describeParameter(field)),
    )
    interfaces.push(`\n/** ${about} */\nexport interface ${input} {\n${properties.join('')}}\n`)
    members.OperationInputs += renderMember(id, true, input, about)
    const required = fields
      .filter((field) => field.required)
      .map((field) => `${field.name}: ${readValue(field)}`)
    const call = `${id}(${required.length === 0 ? '' : `{ ${required.join(', ')} }`})`
    const text = `${asSentence(summary)} \`${method} ${path}\`.`
    const isPage = returns === 'page'
    const result = `OperationResult<'${id}'>`
    const assigned = `const ${isPage ? '{ items, totalCount }' : 'result'} = await client.${call}`
    members.OperationCalls += renderMember(
      id,
      true,
      `OperationCall<${input}, ${result}>`,
      `${text} @example ${assigned}`,
    )
    if (!isPage) continue
    const type = `OperationIterator<${input}, ${result}['items'][number]>`
    const loop = `for await (const { id } of client.each.${call}) console.log(id)`
    members.OperationIterators += renderMember(id, true, type, `${text} @example ${loop}`)
  }
  const file = join(FOLDER, 'client.d.ts')
  const filled = readFileSync(file, 'utf8').replace(
    /^export interface (Operation\w+) extends \w+ \{\n/gm,
    (_, name: keyof typeof members) => `export interface ${name} {\n${members[name]}`,
  )
  writeFileSync(file, filled + interfaces.join(''))
}

function describeParameter(parameter: z.output<typeof Parameter>): string {
  const { default: byDefault } = parameter.schema
  const ending = byDefault === undefined ? '' : ` Default: ${toExpression(JSON.stringify(byDefault))}.`
  return `${asSentence(parameter.description)}${ending} @example ${readValue(parameter)}`
}

const readValue = ({ examples }: Pick<z.output<typeof Parameter>, 'examples'>): string =>
  toExpression(JSON.stringify(Object.values(examples)[0]?.value))

function toComment(description: string): string {
  const { text, example } = readDescription(description)
  return example === undefined ? text : `${text} @example ${toExpression(example)}`
}

/** Writes JSON, other TypeScript, or a string without quotes as TypeScript. */
function toExpression(code: string): string {
  if (/^[{[]/.test(code)) return code.replaceAll('"', "'")
  const value = parseJson(code) ?? code
  return typeof value === 'string' ? `'${value}'` : code
}

const renderMember = (name: string, isRequired: boolean, type: string, comment: string): string =>
  `    /** ${comment.replaceAll('*/', String.raw`*\/`)} */\n    readonly ${name}${isRequired ? '' : '?'}: ${type};\n`

await documentOptions()
await documentOperations()
