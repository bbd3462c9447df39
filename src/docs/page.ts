import createSwaggerUI, { type SwaggerUI } from 'swagger-ui-dist/swagger-ui-es-bundle.js'

import { type Assumption, marks } from './marks.ts'

interface Organization {
  readonly id: string
  readonly name: string
  readonly members: readonly { readonly name: string; readonly role: string; readonly token: string }[]
}

interface Described {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly parameters: readonly Parameter[]
}

interface Parameter {
  readonly in: string
  readonly schema: object
}

/** What the control plane tells: nothing, until it is given its admin token. */
interface Told {
  readonly organizations: readonly Organization[]
  readonly assumptions: readonly Assumption[]
}

/** A refusal, with what the sandbox says. */
class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number

  constructor(status: number, detail: string) {
    super(detail)
    this.status = status
  }
}

const session = new URLSearchParams(location.search).get('session')
const ofSession: Readonly<Record<string, string>> = session === null ? {} : { 'Sandbox-Session': session }

const form = element('caller', HTMLFormElement)
const members = element('member', HTMLSelectElement)
const adminToken = element('admin-token', HTMLInputElement)
const message = element('message', HTMLElement)

function element<T extends HTMLElement>(id: string, type: { new (): T }): T {
  const found = document.getElementById(id)
  if (found instanceof type) return found
  throw new Error(`The page has no ${id}.`)
}

/** What a path of this server answers in the page's session. Errors: Refusal. */
async function load<T>(path: string): Promise<T> {
  const admin = adminToken.value && { Authorization: `Bearer ${adminToken.value}` }
  const response = await fetch(path, { headers: { ...ofSession, ...admin } })
  const body = await response.json()
  if (!response.ok) throw new Refusal(response.status, body.detail)
  return body
}

async function told(): Promise<Told> {
  try {
    const [{ organizations }, assumptions] = await Promise.all([
      load<Pick<Told, 'organizations'>>('/_sandbox/credentials'),
      load<Told['assumptions']>('/_sandbox/assumptions'),
    ])
    return { organizations, assumptions }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error
    for (const label of adminToken.labels ?? []) label.hidden = false
    message.textContent = error.message
    return { organizations: [], assumptions: [] }
  }
}

/** The reference as it is shown, and the document that it shows. */
let shown: { readonly reference: SwaggerUI; readonly document: Described } | undefined

/** Makes the reference anew, from what the sandbox says now. Errors: Refusal. */
async function show(): Promise<void> {
  message.textContent = ''
  const [described, { organizations, assumptions }] = await Promise.all([
    load<Described>('/openapi.json'),
    told(),
  ])
  const spec = fitted(described)
  members.replaceChildren(...organizations.map(group))
  members.disabled = organizations.length === 0
  const domNode = document.createElement('div')
  element('reference', HTMLElement).replaceChildren(domNode)
  const reference = createSwaggerUI({
    domNode,
    spec,
    plugins: [marks(new Map(assumptions.map((assumption) => [assumption.id, assumption])))],
    showExtensions: true,
    displayOperationId: true,
    deepLinking: true,
    tryItOutEnabled: true,
    defaultModelRendering: 'model',
    defaultModelExpandDepth: 4,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    requestInterceptor: (request) => {
      Object.assign(request.headers, ofSession)
      return request
    },
    onComplete: fillIn,
  })
  shown = { reference, document: spec }
}

/**
 * The document as the page uses it. Requests go to where the page comes from, whatever name the server has for that.
 * Only paths are filled in with examples: a list narrowed by every filter at once is not what somebody wants to try first.
 */
function fitted({ servers, paths, ...rest }: Described): Described {
  const entries = Object.entries(paths).map(([path, methods]) => {
    const fittedMethods = Object.entries(methods).map(([method, { parameters, ...other }]) => {
      return [method, { ...other, parameters: parameters.map(withoutExamples) }] as const
    })
    return [path, Object.fromEntries(fittedMethods)] as const
  })
  const own = servers.map(({ url }) => ({ url: new URL(new URL(url).pathname, location.origin).href }))
  return { ...rest, servers: own, paths: Object.fromEntries(entries) }
}

function withoutExamples(parameter: Parameter): Parameter {
  const schema = parameter.in === 'path' ? parameter.schema : without(parameter.schema, 'example')
  return { ...without(parameter, 'examples'), in: parameter.in, schema }
}

function without(object: object, name: string): object {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
}

function group({ id, name, members: people }: Organization): HTMLOptGroupElement {
  const result = document.createElement('optgroup')
  result.label = `${name} (${id})`
  for (const person of people) {
    const option = new Option(`${person.name}, ${person.role}`, person.token)
    option.dataset['organization'] = id
    result.append(option)
  }
  return result
}

/** Fills in the token of the member who is chosen, and the organization in every path. */
function fillIn(): void {
  const [chosen] = members.selectedOptions
  if (!chosen || !shown) return
  const { reference, document: described } = shown
  reference.preauthorizeApiKey('bearer', chosen.value)
  const { specSelectors, specActions } = reference.getSystem()
  const json = specSelectors.specJson()
  for (const [path, methods] of Object.entries(described.paths)) {
    for (const method of Object.keys(methods)) {
      const parameter = json.getIn(['paths', path, method, 'parameters', 0])
      if (json.getIn(['paths', path, method, 'parameters', 0, 'name']) !== 'organizationId') continue
      specActions.changeParamByIdentity([path, method], parameter, chosen.dataset['organization'] ?? '')
    }
  }
}

function open(): void {
  show().catch((error: unknown) => (message.textContent = String(error)))
}

element('session', HTMLElement).textContent = session === null ? 'The default session' : `Session ${session}`
members.addEventListener('change', fillIn)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  open()
})
open()
