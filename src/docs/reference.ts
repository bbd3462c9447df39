import createSwaggerUI, { type SwaggerUI } from 'swagger-ui-dist/swagger-ui-es-bundle.js'

import { type Assumption, createMarks } from './marks.ts'
import { session, startSite } from './site.ts'

interface Organization {
  readonly id: string
  readonly name: string
  readonly members: readonly { readonly name: string; readonly role: string; readonly token: string }[]
}

interface OpenApiDocument {
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

/** The parts of the control plane that the page shows; empty without the admin token. */
interface Context {
  readonly organizations: readonly Organization[]
  readonly assumptions: readonly Assumption[]
}

class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: number

  constructor(status: number, detail: string) {
    super(detail)
    this.status = status
  }
}

const sessionHeader: Readonly<Record<string, string>> = session === null ? {} : { 'Sandbox-Session': session }

const isControl = new URLSearchParams(location.search).get('document') === 'control'

/** The key in the session storage under which the console keeps the admin token, too. */
const ADMIN = 'workspace-sandbox admin token'

const form = element('caller', HTMLFormElement)
const members = element('member', HTMLSelectElement)
const adminToken = element('admin-token', HTMLInputElement)
const message = element('message', HTMLElement)

function element<T extends HTMLElement>(id: string, type: { new (): T }): T {
  const node = document.getElementById(id)
  if (node instanceof type) return node
  throw new Error(`The page has no ${id}.`)
}

/** Loads a path of this server in the page's session. Errors: RequestError. */
async function load<T>(path: string): Promise<T> {
  const admin = adminToken.value && { Authorization: `Bearer ${adminToken.value}` }
  const response = await fetch(path, { headers: { ...sessionHeader, ...admin } })
  const body = await response.json()
  if (!response.ok) throw new RequestError(response.status, body.detail)
  return body
}

async function askForToken<T>(loading: Promise<T>, fallback: T): Promise<T> {
  try {
    return await loading
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 401) throw error
    for (const label of adminToken.labels ?? []) label.hidden = false
    message.textContent = error.message
    return fallback
  }
}

async function loadContext(): Promise<Context> {
  const [{ organizations }, assumptions] = await Promise.all([
    load<Pick<Context, 'organizations'>>('/_sandbox/credentials'),
    load<Context['assumptions']>('/_sandbox/assumptions'),
  ])
  return { organizations, assumptions }
}

const loadDocument = (): Promise<OpenApiDocument | undefined> =>
  isControl
    ? askForToken<OpenApiDocument | undefined>(load('/_sandbox/openapi.json'), undefined)
    : load('/openapi.json')

let shown: { readonly reference: SwaggerUI; readonly document: OpenApiDocument } | undefined

/** Shows or reloads the reference. Errors: RequestError. */
async function show(): Promise<void> {
  message.textContent = ''
  const [loaded, { organizations, assumptions }] = await Promise.all([
    loadDocument(),
    askForToken(loadContext(), { organizations: [], assumptions: [] }),
  ])
  if (!loaded) return
  const spec = isControl ? { ...loaded, servers: [{ url: location.origin }] } : adapt(loaded)
  members.replaceChildren(...organizations.map(group))
  members.disabled = organizations.length === 0
  const domNode = document.createElement('div')
  element('reference', HTMLElement).replaceChildren(domNode)
  const reference = createSwaggerUI({
    domNode,
    spec,
    plugins: [createMarks(new Map(assumptions.map((assumption) => [assumption.id, assumption])))],
    showExtensions: true,
    displayOperationId: true,
    deepLinking: true,
    tryItOutEnabled: true,
    defaultModelRendering: 'model',
    defaultModelExpandDepth: 4,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    requestInterceptor: (request) => {
      Object.assign(request.headers, sessionHeader)
      return request
    },
    onComplete: fillIn,
  })
  shown = { reference, document: spec }
}

/**
 * Adapts the service's document to the page. Requests go to the page's own origin. Only path parameters keep their
 * examples, because a list that is narrowed by every filter at once is a bad start.
 */
function adapt({ servers, paths, ...rest }: OpenApiDocument): OpenApiDocument {
  const entries = Object.entries(paths).map(([path, methods]) => {
    const adapted = Object.entries(methods).map(([method, { parameters, ...other }]) => {
      return [method, { ...other, parameters: parameters.map(withoutExamples) }] as const
    })
    return [path, Object.fromEntries(adapted)] as const
  })
  const local = servers.map(({ url }) => ({ url: new URL(new URL(url).pathname, location.origin).href }))
  return { ...rest, servers: local, paths: Object.fromEntries(entries) }
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

/** Fills in the token of the chosen member, and the member's organization in every path; or the admin token. */
function fillIn(): void {
  if (!shown) return
  const {
    reference,
    document: { paths },
  } = shown
  if (isControl) return reference.preauthorizeApiKey('adminToken', adminToken.value)
  const [chosen] = members.selectedOptions
  if (!chosen) return
  reference.preauthorizeApiKey('bearer', chosen.value)
  const { specSelectors, specActions } = reference.getSystem()
  const json = specSelectors.specJson()
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods)) {
      const parameter = json.getIn(['paths', path, method, 'parameters', 0])
      if (json.getIn(['paths', path, method, 'parameters', 0, 'name']) !== 'organizationId') continue
      specActions.changeParamByIdentity([path, method], parameter, chosen.dataset['organization'] ?? '')
    }
  }
}

/** Marks the link to the document that is shown, and uses the colours that the system prefers. */
function showDocument(): void {
  element(isControl ? 'control' : 'service', HTMLAnchorElement).ariaCurrent = 'page'
  for (const label of members.labels ?? []) label.hidden = isControl
  element('legend', HTMLElement).hidden = isControl
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const update = (): unknown => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', update)
  update()
}

function open(): void {
  show().catch((error: unknown) => (message.textContent = String(error)))
}

element('session', HTMLElement).textContent = session === null ? 'The default session' : `Session ${session}`
members.addEventListener('change', fillIn)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  sessionStorage.setItem(ADMIN, adminToken.value)
  open()
})
adminToken.value = sessionStorage.getItem(ADMIN) ?? ''
startSite()
showDocument()
open()
