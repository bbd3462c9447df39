import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path/posix'

import { createSandbox } from '../../src/index.ts'
import { controlExamples, createFresh, listSteps, runExample, type Step } from './control-examples.ts'
import {
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Provenance,
  type Schema,
  createResolver,
} from './openapi.ts'

type Resolve = ReturnType<typeof createResolver>

/** A link in the sidebar. */
export interface ReferenceLink {
  readonly text: string
  readonly link: string
}

/** Runs the example of an operation. */
type Run = (method: string, path: string, operation: Operation) => Promise<Shown>

/** An example as the reference shows it. */
interface Shown {
  readonly steps: readonly Step[]
  readonly response: string
}

const SERVER = 'http://127.0.0.1:4500'
const TOKEN = 'sbx_harbor_1'

/**
 * Writes the API reference as Markdown: a page for each resource of the service, one for each part of the control plane,
 * and an index of all operations. Returns the links to them.
 */
export async function writeReference(
  folder: string,
): Promise<{ readonly service: readonly ReferenceLink[]; readonly control: readonly ReferenceLink[] }> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const sandbox = await createSandbox()
  const load = async (path: string): Promise<OpenApiDocument> => (await sandbox.fetch(path)).json()
  const runService: Run = async (method, path, { parameters = [], requestBody }) => {
    const [media] = Object.values(requestBody?.content ?? {})
    const [example] = Object.values(media?.examples ?? {})
    const steps = [{ method, target: `/v1${fillPath(path, parameters)}`, body: example?.value }]
    const response = await runExample(steps, sandbox.session().fetch)
    return { steps, response: await response.text() }
  }
  const open = await createFresh({ size: 'medium' })
  const runControl: Run = async (method, _path, { operationId }) => {
    const example = controlExamples[operationId]
    if (!example) throw new Error(`There is no example of ${operationId} in control-examples.ts.`)
    const steps = listSteps(method, example)
    // A stream has no end.
    if (operationId === 'streamRequests') return { steps, response: '' }
    const response = await runExample(steps, (await open(steps)).fetch)
    if (!response.ok) throw new Error(`The example of ${operationId} gets ${response.status}.`)
    return { steps, response: await response.text() }
  }
  const [service, control] = [await load('/openapi.json'), await load('/_sandbox/openapi.json')]
  const links = {
    service: await writePages(folder, service, '', runService),
    control: await writePages(folder, control, 'control-', runControl),
  }
  const index = [
    '# API reference',
    'Every operation of the service, and every call of the control plane, which the real service does not have.',
    `The OpenAPI documents are at [/openapi.json](${SERVER}/openapi.json) and [/_sandbox/openapi.json](${SERVER}/_sandbox/openapi.json).`,
    '## The service',
    formatIndex(service, ''),
    '## The control plane',
    formatIndex(control, 'control-'),
  ]
  writeFileSync(join(folder, 'index.md'), `${index.join('\n\n')}\n`)
  const assumptions: Assumption[] = await (await sandbox.fetch('/_sandbox/assumptions')).json()
  writeFileSync(join(folder, 'assumptions.md'), formatAssumptions(assumptions))
  await sandbox.close()
  return links
}

/** An assumption, as the control plane describes it. */
interface Assumption {
  readonly id: string
  readonly subject: string
  readonly decision: string
  readonly because: string
  readonly name?: string | null
}

function formatAssumptions(assumptions: readonly Assumption[]): string {
  const rows = assumptions.map(({ id, subject, decision, because, name }) => [
    id,
    subject,
    decision,
    because,
    typeof name === 'string' ? `\`${name}\`` : '–',
  ])
  const text =
    'Every gap of the service’s documentation, and how it is filled. [Those with a setting](../assumptions.md#all-settings) can be overridden.'
  return `# Assumptions\n\n${text}\n\n${formatTable(['Id', 'Subject', 'Decision', 'Because', 'Setting'], rows)}\n`
}

async function writePages(
  folder: string,
  document: OpenApiDocument,
  prefix: string,
  run: Run,
): Promise<ReferenceLink[]> {
  const links: ReferenceLink[] = []
  for (const { name } of document.tags) {
    const title = prefix === '' ? name : `Control: ${name.toLowerCase()}`
    const parts = ['---\noutline: 2\n---', `# ${title}`]
    const shapes = new Map<string, string>()
    for (const { method, path, operation } of listOperations(document, name)) {
      // oxlint-disable-next-line no-await-in-loop -- Later operations refer to the shapes of earlier ones.
      parts.push(await formatOperation(createResolver(document), method, path, operation, shapes, run))
    }
    const file = `${prefix}${name.toLowerCase()}`
    writeFileSync(join(folder, `${file}.md`), `${parts.join('\n\n')}\n`)
    links.push({ text: name, link: `/reference/${file}` })
  }
  return links
}

const listOperations = ({ paths }: OpenApiDocument, tag: string) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags[0] === tag)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

const formatIndex = (document: OpenApiDocument, prefix: string): string =>
  formatTable(
    ['Operation', 'Request', 'Response'],
    document.tags.flatMap(({ name }) =>
      listOperations(document, name).map(({ method, path, operation: { operationId, summary } }) => [
        `[${operationId}](./${prefix}${name.toLowerCase()}.md#${operationId.toLowerCase()})`,
        `\`${method} ${path}\``,
        summary,
      ]),
    ),
  )

async function formatOperation(
  resolve: Resolve,
  method: string,
  path: string,
  operation: Operation,
  shapes: Map<string, string>,
  run: Run,
): Promise<string> {
  const { operationId, summary, description = '', requestBody, responses } = operation
  const parameters = (operation.parameters ?? []).filter(({ $ref }) => $ref === undefined)
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const [media] = Object.values(success?.content ?? {})
  const body = Object.values(requestBody?.content ?? {})[0]
  // Many calls of the control plane send and return the same records.
  const formatOnce = (fields: string): string => {
    const first = shapes.get(fields)
    if (first === undefined) shapes.set(fields, operationId)
    return first === undefined ? fields : `The same fields as in [${first}](#${first.toLowerCase()}).`
  }
  const parts = [
    `## ${operationId}`,
    `\`${method} ${path}\``,
    `${summary}.${description === `${summary}.` ? '' : ` ${description}`}${formatProvenance(operation)}`,
    ...formatParameters(resolve, parameters),
    ...(body?.schema ? ['### Request body', formatOnce(formatFields(resolve, body.schema))] : []),
    ...(media?.schema ? ['### Response', formatOnce(formatFields(resolve, media.schema))] : []),
    '### Example',
  ]
  const { steps, response } = await run(method, path, operation)
  parts.push(formatCode('sh', steps.map((step) => formatCurl(step)).join('\n')))
  if (response !== '') parts.push(formatCode('json', shorten(response)))
  // The control plane describes its errors once for all operations.
  const rows = Object.entries(responses).flatMap(([status, { description: meaning }]) =>
    status.startsWith('2') || meaning === undefined ? [] : [[`\`${status}\``, meaning]],
  )
  if (rows.length > 0) parts.push('### Errors', formatTable(['Status', 'Reason'], rows))
  return parts.join('\n\n')
}

/** Fills the path's parameters with their examples, and asks for two rows if the operation has pages. */
function fillPath(path: string, parameters: readonly Parameter[]): string {
  const filled = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) =>
      toText(parameters.find((parameter) => parameter.name === name)?.schema.example) || `{${name}}`,
  )
  return parameters.some(({ name }) => name === 'limit') ? `${filled}?limit=2` : filled
}

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

/** Formats a request as a command; one that is held runs in the background. */
function formatCurl({ method, target, body, file, isHeld }: Step): string {
  const json = `-H 'Content-Type: application/json'`
  const sent =
    file === undefined ? `'${JSON.stringify(body)?.replaceAll("'", String.raw`'\''`)}'` : `@${file}`
  const isRead = method === 'GET'
  return [
    isRead ? 'curl' : `curl -X ${method}`,
    `'${SERVER}${target}'`,
    ...(target.startsWith('/v1/') ? [`-H 'Authorization: Bearer ${TOKEN}'`] : []),
    ...(!isRead && (body !== undefined || file !== undefined) ? [json, `-d ${sent}`] : []),
    ...(isRead && file !== undefined ? [`-o ${file}`] : []),
    ...(isHeld === true ? ['&'] : []),
  ].join(' ')
}

/** The fields that differ each time: the real times of a response, and the number of changes since the server has started. */
const volatile = new Set([
  'revision',
  'startedMs',
  'startedAt',
  'durationMs',
  'startedDateTime',
  'wait',
  'heldMs',
])

const MAX_LENGTH = 6_000

/**
 * Formats JSON for a page: lists keep two items, long texts their first 200 characters, and what differs each time is left out. If
 * that is still too long, only the outer levels are shown.
 */
export function shorten(text: string): string {
  const value: unknown = JSON.parse(text, (name, part: unknown) => {
    if (volatile.has(name) || (name === 'time' && typeof part === 'number')) return '…'
    if (Array.isArray(part)) return part.slice(0, 2)
    return typeof part === 'string' && part.length > 200 ? `${part.slice(0, 200)}…` : part
  })
  const shown = JSON.stringify(value, undefined, 2)
  return shown.length > MAX_LENGTH ? JSON.stringify(keepLevels(value, 2), undefined, 2) : shown
}

function keepLevels(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return '…'
  if (Array.isArray(value)) return value.map((item) => keepLevels(item, levels - 1))
  const entries = Object.entries(value).map(([name, item]) => [name, keepLevels(item, levels - 1)])
  return Object.fromEntries(entries)
}

function formatParameters(resolve: Resolve, parameters: readonly Parameter[]): string[] {
  if (parameters.length === 0) return []
  const rows = parameters.map((parameter) => [
    `\`${parameter.name}\``,
    parameter.in,
    `${formatType(resolve, parameter.schema)}${parameter.required === true ? '' : ', optional'}`,
    `${parameter.description ?? ''}${formatProvenance(parameter)}`,
  ])
  return ['### Parameters', formatTable(['Name', 'In', 'Type', 'Meaning'], rows)]
}

/** Formats the fields of a schema as a table, those of nested objects included, to the fourth level. */
function formatFields(resolve: Resolve, schema: Schema): string {
  const rows: string[][] = []
  const visit = (
    one: Schema,
    path: string,
    depth: number,
    seen: readonly string[],
    isMarked = false,
  ): void => {
    const shown = resolve(one)
    if (one.$ref !== undefined && seen.includes(one.$ref)) return
    const inside = one.$ref === undefined ? seen : [...seen, one.$ref]
    if (shown.items) return visit(shown.items, `${path}[]`, depth, inside, isMarked)
    for (const option of shown.anyOf ?? shown.oneOf ?? []) visit(option, path, depth, inside, isMarked)
    for (const [name, field] of Object.entries(shown.properties ?? {})) {
      const place = path === '' ? name : `${path}.${name}`
      const isOptional = !(shown.required ?? []).includes(name)
      const text = resolve(field).description ?? ''
      const type = `${formatType(resolve, field)}${isOptional ? ', optional' : ''}`
      // A field of an assumed object is assumed as well, and need not say so.
      rows.push([`\`${place}\``, type, `${text}${isMarked ? '' : formatProvenance(field)}`.trim()])
      if (depth < 3) visit(field, place, depth + 1, inside, isMarked || field['x-provenance'] === 'assumed')
    }
  }
  visit(schema, '', 0, [])
  return rows.length === 0 ? formatType(resolve, schema) : formatTable(['Field', 'Type', 'Meaning'], rows)
}

function formatType(resolve: Resolve, schema: Schema): string {
  const shown = resolve(schema)
  const values = shown.enum ?? (shown.const === undefined ? undefined : [shown.const])
  const options = shown.anyOf ?? shown.oneOf
  const { type = 'any' } = shown
  const name = shown.items
    ? `array of ${formatType(resolve, shown.items)}`
    : (values?.map((value) => `\`${value === '' ? '""' : String(value)}\``).join(', ') ??
      options?.map((option) => formatType(resolve, option)).join(' or ') ??
      (typeof type === 'string' ? type : type.join(' or ')))
  const bounds = [
    shown.format && shown.format !== type ? shown.format : '',
    formatRange(shown),
    shown.minLength === 1 ? 'not empty' : '',
    shown.maxLength === undefined ? '' : `at most ${shown.maxLength} characters`,
    shown.default === undefined || shown.items ? '' : `default \`${JSON.stringify(shown.default)}\``,
  ]
  return [name, ...bounds.filter((text) => text !== '')].join(', ')
}

function formatRange({ type, minimum, exclusiveMinimum, maximum }: Schema): string {
  const lower = type === 'integer' && exclusiveMinimum !== undefined ? exclusiveMinimum + 1 : minimum
  const least = lower === Number.MIN_SAFE_INTEGER ? undefined : lower
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (least === undefined) return most === undefined ? '' : `at most ${most}`
  return most === undefined ? `${least} or more` : `${least} to ${most}`
}

/** Marks what the service's documentation does not say. */
function formatProvenance(part: Provenance): string {
  const assumption = part['x-assumption']
  const link = assumption === undefined ? '' : ` [${assumption}](./assumptions.md)`
  return part['x-provenance'] === 'assumed' ? ` *Assumed*${link}` : link
}

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

const formatCode = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``
