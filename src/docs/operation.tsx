import { useState } from 'preact/hooks'

import { adminToken, createHeaders } from '../console/calls.ts'
import { Copy } from '../console/components/code.tsx'
import { Input, Select, toOptions } from '../console/components/form.tsx'
import { Json } from '../console/components/json.tsx'
import {
  createResolver,
  type Content,
  listValues,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  toText,
} from '../console/components/schema.ts'
import { ResponseBody, useService } from '../console/components/service.tsx'
import { StatusTag } from '../console/components/status.tsx'
import { Button, Problem } from '../console/components/ui.tsx'
import { type HttpRequest, baseUrl, formatCurl } from '../console/curl.ts'
import { session } from '../console/place.ts'
import { type DocumentProps, Fields, MarkList, Text, Type } from './fields.tsx'

const findMedia = (content: Content = {}) => Object.values(content)[0]
const findExample = (content?: Content): unknown =>
  Object.values(findMedia(content)?.examples ?? {})[0]?.value

interface OperationProps extends Pick<DocumentProps, 'explain'> {
  readonly path: string
  readonly method: string
  readonly operation: Operation
  readonly reference: OpenApiDocument
  /** Undefined for the control plane, and until the members are known. */
  readonly caller: { readonly organizationId: string; readonly token: string } | undefined
  readonly isControl: boolean
}

export function OperationSection(props: OperationProps) {
  const { path, method, operation, reference, caller, isControl, explain } = props
  const { operationId, summary, description = '', requestBody, responses } = operation
  const resolve = createResolver(reference)
  // A `$ref` is a header that every operation takes; the page sends it without asking.
  const parameters = operation.parameters.filter((parameter) => !('$ref' in parameter))
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>({})
  const [body, setBody] = useState(() =>
    JSON.stringify(findExample(requestBody?.content) ?? {}, undefined, 2),
  )
  const prefilled = (parameter: Parameter): string => {
    if (parameter.in !== 'path') return ''
    return parameter.name === 'organizationId' && caller
      ? caller.organizationId
      : toText(parameter.schema.example)
  }
  const getValue = (parameter: Parameter): string => entered[parameter.name] ?? prefilled(parameter)
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const bodySchema = findMedia(requestBody?.content)?.schema
  const responseSchema = findMedia(success?.content)?.schema
  const url = formatUrl(isControl ? location.origin : baseUrl(), path, parameters, getValue)
  const createRequest = (admin: string) => ({
    method,
    url,
    headers: {
      ...(isControl
        ? createHeaders(session.value, admin)
        : { Authorization: `Bearer ${caller?.token ?? 'TOKEN'}` }),
      ...(requestBody && { 'Content-Type': 'application/json' }),
    },
    ...(requestBody && { body }),
  })
  return (
    <section class="operation" id={operationId} aria-label={operationId}>
      <header>
        <h2>{summary}</h2>
        <p>
          <code>
            <strong>{method}</strong> {path}
          </code>{' '}
          <span class="type">{operationId}</span> <MarkList of={operation} explain={explain} />
        </p>
        {description !== `${summary}.` && (
          <p>
            <Text text={description} />
          </p>
        )}
      </header>
      <div>
        {parameters.length > 0 && <h3>Parameters</h3>}
        {parameters.map((parameter) => (
          <Entry
            key={parameter.name}
            parameter={parameter}
            value={getValue(parameter)}
            set={(value) => setEntered({ ...entered, [parameter.name]: value })}
            {...{ resolve, explain }}
          />
        ))}
        {requestBody && (
          <>
            <h3>Request body</h3>
            <Input label="Body" name={`${operationId}-body`} value={body} set={setBody} rows={6} />
            {bodySchema && <Fields schema={bodySchema} {...{ resolve, explain }} />}
          </>
        )}
        <h3>Responses</h3>
        <ul class="responses">
          {Object.entries(responses).map(([status, response]) => (
            <li key={status}>
              <code>{status}</code> {response.description ?? 'The request failed'}{' '}
              <MarkList of={response} explain={explain} />
            </li>
          ))}
        </ul>
        {responseSchema && <Fields schema={responseSchema} {...{ resolve, explain }} levels={2} />}
      </div>
      <TryOut
        operationId={operationId}
        request={createRequest(adminToken.value)}
        curl={formatCurl(createRequest(adminToken.value && 'ADMIN_TOKEN'))}
        example={findExample(success?.content)}
        isEndless={Object.hasOwn(success?.content ?? {}, 'text/event-stream')}
      />
    </section>
  )
}

/** Fills in the parameters of a URL; a path parameter without a value keeps its name. */
function formatUrl(
  base: string,
  path: string,
  parameters: readonly Parameter[],
  getValue: (parameter: Parameter) => string,
): string {
  const query = new URLSearchParams()
  let filled = path
  for (const parameter of parameters) {
    const value = getValue(parameter)
    const isList =
      parameter.in === 'query' && parameter.schema.type === 'array' && parameter.explode !== false
    if (value === '') continue
    if (parameter.in === 'path')
      filled = filled.replace(`{${parameter.name}}`, () => encodeURIComponent(value))
    for (const one of isList ? value.split(',') : [value]) {
      if (parameter.in === 'query') query.append(parameter.name, one.trim())
    }
  }
  return `${base}${filled}${query.size > 0 ? `?${query}` : ''}`
}

interface EntryProps extends DocumentProps {
  readonly parameter: Parameter
  readonly value: string
  readonly set: (value: string) => void
}

function Entry({ parameter, value, set, resolve, explain }: EntryProps) {
  const { name, in: place, description, schema } = parameter
  const values = listValues(resolve(schema))
  const placeholder = toText(Object.values(parameter.examples ?? {})[0]?.value ?? schema.example)
  return (
    <div class="parameter">
      {values.length > 0 && resolve(schema).type !== 'array' ? (
        <Select label={name} value={value} set={set} options={{ '': '', ...toOptions(values) }} />
      ) : (
        <Input label={name} name={name} value={value} set={set} placeholder={placeholder} />
      )}
      <p>
        <span class="type">in {place}, </span>
        <Type schema={schema} resolve={resolve} /> <MarkList of={parameter} explain={explain} />
        {description !== undefined && (
          <>
            <br />
            <Text text={description} />
          </>
        )}
      </p>
    </div>
  )
}

interface TryOutProps {
  readonly operationId: string
  readonly request: HttpRequest
  readonly curl: string
  readonly example: unknown
  /** Whether the response never ends, so that the page cannot show it. */
  readonly isEndless: boolean
}

function TryOut({ operationId, request, curl, example, isEndless }: TryOutProps) {
  const { response, error, send } = useService()
  return (
    <section class="try-out" aria-label={`Try ${operationId}`}>
      <pre>{curl}</pre>
      <p class="row">
        {!isEndless && (
          <Button class="primary" run={() => send(request)} aria-label={`Send ${operationId}`}>
            Send
          </Button>
        )}
        <Copy text={curl} subject={`${operationId} as curl`} />
        {response && <StatusTag status={response.status} />}
        {!response && example !== undefined && <span class="type">Example of a response</span>}
      </p>
      <Problem error={error} />
      {response && <ResponseBody text={response.text} />}
      {!response && example !== undefined && <Json value={example} />}
    </section>
  )
}
