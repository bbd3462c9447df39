import * as z from 'zod'

import { assumptions } from '../../contract/assumptions.ts'
import { choiceNames, choices } from '../../contract/choices.ts'
import { createPathSchema, listPathNames } from '../../contract/paths.ts'
import { asSentence, capitalize } from '../../core/words.ts'
import { ExplainInput, PreviewInput } from '../../lab/explain/schemas.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import { endpoints } from '../../service/index.ts'
import * as contract from '../../service/shapes.ts'
import { SessionInput } from '../../sessions/open-session.ts'
import { DatasetOptions } from '../../store/dataset-options.ts'
import { FaultInput } from '../../testing/faults/fault.ts'
import { RequestFilter, RequestPattern } from '../../testing/journal/pattern.ts'
import { VerifyRule } from '../../testing/journal/verify.ts'
import { ScenarioInput } from '../../testing/scenarios/scenario.ts'
import { Config, StartOptions } from '../server/options.ts'
import { type Field, listFields, renderInterface } from './interfaces.ts'
import {
  datasetTexts,
  explainTexts,
  faultTexts,
  parameterTexts,
  ruleTexts,
  sandboxTexts,
  scenarioTexts,
  sessionTexts,
  startTexts,
} from './texts.ts'

export function generateTypes(): ReadonlyMap<string, string> {
  return new Map(Object.entries(files()).map(([path, parts]) => [path, [HEAD, ...parts].join('\n\n') + '\n']))
}

const HEAD = '// Generated from the schemas by `npm run tables`.'

const only = (all: readonly Field[], ...names: string[]) => all.filter(({ name }) => names.includes(name))

function files(): Readonly<Record<string, readonly string[]>> {
  const settings = "import type { PartialSettings } from '../contract/settings.ts'"
  const operationId = "import type { OperationId } from '../../service/index.ts'"
  const start = listFields('StartOptions', StartOptions, startTexts)
  const pattern = listFields('RequestPattern', RequestPattern, ruleTexts)
  const beyond = (all: readonly Field[]) =>
    all.filter(({ name }) => !pattern.some((one) => one.name === name))
  const fault = listFields('FaultInput', FaultInput, faultTexts)
  const scenario = listFields('ScenarioInput', ScenarioInput, scenarioTexts)
  const inherited = new Set([...Object.keys(sandboxTexts), ...Object.keys(DatasetOptions.shape)])
  const preview = listFields('PreviewInput', PreviewInput, explainTexts)
  const explain = listFields('ExplainInput', ExplainInput, explainTexts)
  return {
    'src/contract/setting-fields.ts': [
      "import type { Settings } from './choices.ts'",
      renderInterface('SettingFields', 'Overrides of some assumptions.', settingFields()),
    ],
    'src/store/dataset-fields.ts': [
      renderInterface(
        'DatasetFields',
        'The options that a dataset is generated from.',
        listFields('DatasetOptions', DatasetOptions, datasetTexts),
      ),
    ],
    'src/testing/faults/fault-fields.ts': [
      `${operationId}\nimport type { ProfileName } from './profiles.ts'`,
      renderInterface('FaultFields', 'A fault to inject.', fault),
    ],
    'src/testing/scenarios/scenario-fields.ts': [
      `${operationId}\nimport type { ScenarioName } from './definitions.ts'`,
      renderInterface('ScenarioFields', 'A scenario to play, with its options.', scenario),
    ],
    'src/testing/journal/rule-fields.ts': [
      operationId,
      renderInterface(
        'RequestFields',
        'The properties that a request must have to match; an absent one matches anything.',
        pattern,
      ),
      renderInterface(
        'RuleFields',
        'The expected requests: the number of matches, by default at least one; or an order.',
        beyond(listFields('VerifyRule', VerifyRule, ruleTexts)),
        'extends RequestFields ',
      ),
      renderInterface(
        'FilterFields',
        'A filter for the requests of a journal.',
        beyond(listFields('RequestFilter', RequestFilter, ruleTexts)),
        'extends RequestFields ',
      ),
    ],
    'src/sessions/session-fields.ts': [
      `${settings}\nimport type { FaultInput } from '../testing/faults/fault.ts'`,
      renderInterface(
        'SessionFields',
        'The options of a new session.',
        listFields('SessionInput', SessionInput, sessionTexts),
      ),
    ],
    'src/lab/explain/explain-fields.ts': [
      renderInterface('PreviewFields', 'A request to preview.', preview),
      renderInterface(
        'ExplainFields',
        'A request to explain.',
        only(explain, 'method', 'id'),
        'extends PreviewFields ',
      ),
      renderInterface(
        'ExplainRecordedFields',
        'A recorded request to explain.',
        only(explain, 'requestId', 'id').map((one) => ({ ...one, isRequired: one.name === 'requestId' })),
      ),
    ],
    'src/sandbox/sandbox-fields.ts': [
      `${settings}\nimport type { Present } from '../service/present.ts'\nimport type { DatasetFields } from '../store/dataset-fields.ts'`,
      renderInterface(
        'SandboxFields',
        'The options of `createSandbox`.',
        only(start, 'assumptions', 'present'),
        'extends DatasetFields ',
      ),
    ],
    'src/node/server/start-fields.ts': [
      "import type { SandboxFields } from '../../sandbox/sandbox-fields.ts'",
      renderInterface(
        'EmbeddedFields',
        "The options of a sandbox in somebody else's server.",
        start.filter(({ name }) => !inherited.has(name) && !['port', 'host'].includes(name)),
        'extends SandboxFields ',
      ),
      renderInterface(
        'StartFields',
        'The options of `startSandbox`.',
        only(start, 'port', 'host'),
        'extends EmbeddedFields ',
      ),
      renderInterface(
        'ConfigFields',
        'The default export of a `workspace-sandbox.config.ts`.',
        only(listFields('Config', Config, startTexts), 'log', 'json', 'quiet'),
        'extends StartFields ',
      ),
    ],
    'src/sandbox/client/operation-inputs.ts': operationInputs(),
    'src/sandbox/client/operation-calls.ts': [
      importTypes(),
      renderInterface(
        'OperationCalls',
        'A function for every operation, by its id.',
        endpoints.map(callField),
      ),
      renderInterface(
        'OperationIterators',
        'A function for every paginated list, which iterates over its records.',
        pages.map(iteratorField),
      ),
    ],
  }
}

function settingFields(): Field[] {
  return choiceNames.map((name) => {
    const { assumption, alternatives } = choices[name]
    const { subject, decision } = assumptions[assumption]
    const values = alternatives.map(({ value }) => `\`${toCode(value)}\``)
    const isPlain = alternatives.every(
      ({ meaning }, at) => values[at]?.replaceAll(/[`'[\]]/g, '') === meaning.replaceAll(', ', ','),
    )
    const list = isPlain
      ? ` One of ${values.join(', ')}.`
      : alternatives.map(({ meaning }, at) => `\n- ${values[at]}: ${meaning}`).join('')
    return {
      name,
      type: `Settings['${name}']`,
      isRequired: false,
      doc: `${asSentence(subject)} Default: ${asSentence(decision)} (${assumption})${list}\n@example ${toCode(alternatives.at(-1)?.value)}`,
    }
  })
}

const toCode = (value: unknown): string => JSON.stringify(value).replaceAll('"', "'")

const names = new Map(Object.entries(contract).map(([name, value]) => [value as unknown, name]))

const pages = endpoints.filter(({ returns }) => returns === 'page')

function importTypes(): string {
  const shapes = [...new Set(endpoints.map(getShape))].toSorted()
  const inputs = endpoints.filter(hasInput).map(getInput)
  return [
    `import type { ${shapes.join(', ')} } from '../../service/shapes.ts'`,
    `import type { CallOptions, OperationCall, OperationIterator, Page } from './call-options.ts'`,
    `import type { ${inputs.join(', ')} } from './operation-inputs.ts'`,
  ].join('\n')
}

const shared = {
  OrganizationPath: ['organizationId'],
  CustomerPath: ['organizationId', 'customerId'],
  Pagination: ['offset', 'limit'],
} as const

function operationInputs(): string[] {
  const all = endpoints.flatMap(inputFields)
  const pick = (wanted: readonly string[]): Field[] =>
    wanted.flatMap((name) => all.find((field) => field.name === name) ?? [])
  return [
    renderInterface('OrganizationPath', 'An organization.', pick(shared.OrganizationPath)),
    renderInterface(
      'CustomerPath',
      'A customer of an organization.',
      pick(['customerId']),
      'extends OrganizationPath ',
    ),
    renderInterface('Pagination', 'A page of a list.', pick(shared.Pagination)),
    ...endpoints.filter(hasInput).map((one) => {
      const fields = inputFields(one)
      const has = (wanted: readonly string[]) =>
        wanted.every((name) => fields.some((field) => field.name === name))
      const bases = [
        has(shared.CustomerPath) ? 'CustomerPath' : 'OrganizationPath',
        ...(has(shared.Pagination) ? ['Pagination'] : []),
      ]
      const inherited = new Set<string>(
        Object.entries(shared).flatMap(([name, parts]) => (bases.includes(name) ? parts : [])),
      )
      const specific = fields.filter(({ name }) => !inherited.has(name))
      return renderInterface(
        getInput(one),
        `The parameters of \`${one.id}\`.`,
        specific,
        `extends ${bases.join(', ')} `,
      )
    }),
  ]
}

function getShape({ id, shape }: Endpoint): string {
  const name = names.get(shape)
  if (name === undefined) throw new Error(`${id} returns a shape that src/service/shapes.ts does not export.`)
  return name
}

const getInput = ({ id }: Endpoint): string => `${capitalize(id)}Input`

const hasInput = (one: Endpoint): boolean => inputFields(one).length > 0

function inputFields({ id, path, query, body }: Endpoint): Field[] {
  const inPath = listFields(id, createPathSchema(path), parameterTexts).map((field) => ({
    ...field,
    type: field.name === 'organizationId' ? 'string' : 'number',
    isRequired: true,
  }))
  const inQuery = listFields(id, query, parameterTexts, 'output').map((field) => ({
    ...field,
    isRequired: false,
  }))
  const inBody = body ? listFields(id, z.object({ body }), parameterTexts) : []
  return [...inPath, ...inQuery, ...inBody]
}

const results = {
  one: (shape: string) => shape,
  list: (shape: string) => `${shape}[]`,
  slice: (shape: string) => `${shape}[]`,
  page: (shape: string) => `Page<${shape}>`,
  envelope: (shape: string) => `Page<${shape}>`,
} as const

function callField(one: Endpoint): Field {
  const result = results[one.returns](getShape(one))
  return {
    name: one.id,
    isRequired: true,
    type: hasInput(one)
      ? `OperationCall<${getInput(one)}, ${result}>`
      : `(input?: Readonly<Record<string, never>>, options?: CallOptions) => Promise<${result}>`,
    doc: `${asSentence(one.summary)} \`${one.method} ${one.path}\`.\n@example const ${one.returns === 'page' ? '{ items, totalCount }' : 'result'} = await client.${one.id}(${exampleInput(one)})`,
  }
}

function iteratorField(one: Endpoint): Field {
  return {
    name: one.id,
    isRequired: true,
    type: `OperationIterator<${getInput(one)}, ${getShape(one)}>`,
    doc: `${asSentence(one.summary)}\n@example for await (const { id } of client.each.${one.id}(${exampleInput(one)})) console.log(id)`,
  }
}

function exampleInput(one: Endpoint): string {
  const parameters = [...listPathNames(one.path), ...(one.body ? ['body'] : [])]
  if (parameters.length === 0) return ''
  return `{ ${parameters.map((name) => `${name}: ${parameterTexts[name]?.example}`).join(', ')} }`
}
