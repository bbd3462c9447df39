import { readdirSync, readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { assumptions } from '../../src/contract/assumptions.ts'
import { createOpenApiDocument } from '../../src/control/service-openapi.ts'
import { defaultContract } from '../../src/service/contract.ts'
import { endpoints } from '../../src/service/index.ts'
import { words } from '../support.ts'

const document = createOpenApiDocument(defaultContract, 'test')

it('the form of a response is assumed exactly if the document does not show it', () => {
  const shown = words(`getAutomation getCurrentMember getCustomer getCustomerMeeting getMember getSignal
    listAutomationTriggerLogs listCustomerMeetings listCustomers listSignals`)
  const documented = endpoints.filter(({ assumes }) => assumes === undefined).map(({ id }) => id)
  expect(documented.toSorted()).toEqual(shown)
})

/** The titles of the tests about the service. */
const titles = readdirSync('test/spec').flatMap((name) =>
  Array.from(
    readFileSync(`test/spec/${name}`, 'utf8').matchAll(/^it\((?:'(.*?)'|"(.*?)"|`(.*?)`),/gms),
    ([, ...quoted]) => quoted.join(''),
  ),
)

/** Finds the assumptions that a text names. */
const findIds = (text: string) => Array.from(text.matchAll(/\bA-\d\d\b/g), ([id]) => id)

it('marks and titles name only existing assumptions', () => {
  const marks = JSON.stringify(document).matchAll(/"x-assumption":"(.*?)"/g)
  const named = [...Array.from(marks, ([, id = '']) => id), ...titles.flatMap(findIds)]
  expect(named.length).toBeGreaterThan(350)
  expect(named.filter((id) => !(id in assumptions))).toEqual([])
})

it('every assumption has a test with its id in the title, as in "(assumed A-01)"', () => {
  expect(titles.length).toBeGreaterThan(100)
  const tested = new Set(titles.filter((title) => title.includes('(assumed')).flatMap(findIds))
  expect(Object.keys(assumptions).filter((id) => !tested.has(id))).toEqual([])
})

it('every title that names an assumption ends with it', () => {
  const wrong = titles.filter(
    (title) => findIds(title).length > 0 && !/\(assumed A-\d\d(?:, A-\d\d)*\)$/.test(title),
  )
  expect(wrong).toEqual([])
})
