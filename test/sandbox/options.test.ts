import { expect, test } from 'vitest'

import { createSandbox } from '../../src/index.ts'

/** Creates a sandbox with invalid options, and returns the error. */
async function refusal(json: string): Promise<unknown> {
  return createSandbox(JSON.parse(json)).catch((error: unknown) => error)
}

test.each(['null', '42', '"small"', '[]'])('rejects %s instead of an object', async (json) => {
  expect(await refusal(json)).toMatchObject({
    name: 'SandboxError',
    code: 'invalid_request',
    message: 'The options must be an object like { seed: 42 }.',
  })
})

test.each([
  ['{"sed":7}', 'sed', 'is not known. Did you mean seed?'],
  ['{"assumption":{}}', 'assumption', 'is not known. Did you mean assumptions?'],
  ['{"seed":-1}', 'seed', 'must be a whole number from 0 to 9007199254740991'],
  ['{"size":0}', 'size', 'must be small, medium, large or a number from 3 to 100000'],
  ['{"size":100001}', 'size', 'must be small, medium, large or a number from 3 to 100000'],
  ['{"fixture":""}', 'fixture', 'must be the name or the content of a fixture'],
  ['{"assumptions":null}', 'assumptions', 'must be an object'],
  [
    '{"assumptions":{"errorFormt":"error"}}',
    'assumptions.errorFormt',
    'is not known. Did you mean errorFormat?',
  ],
  [
    '{"assumptions":{"envelopes":"some"}}',
    'assumptions.envelopes',
    'must be all, none, or operations among listMembers, listAutomations, listCustomFields, listMemberRoles, listNoteCategories, listProducts, listProductMetrics, each true or false',
  ],
  [
    '{"assumptions":{"envelopes":{"listMember":true}}}',
    'assumptions.envelopes.listMember',
    'is not known. Did you mean listMembers?',
  ],
])('names the invalid option in %s', async (json, name, message) => {
  expect(await refusal(json)).toMatchObject({
    name: 'SandboxError',
    code: 'invalid_request',
    errors: [{ name, message }],
  })
})
