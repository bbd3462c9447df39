// Measures what a test file pays: prints the milliseconds of each step as JSON. Repeated steps count with their median.
const time = async (work) => {
  const start = performance.now()
  const result = await work()
  return [performance.now() - start, result]
}

/** Repeats work, and returns the median of its times. */
const repeat = async (times, work) => {
  const measured = []
  for (let count = 0; count < times; count += 1) measured.push((await time(work))[0])
  return measured.toSorted((a, b) => a - b)[Math.floor(times / 2)]
}

const [imported, { createSandbox }] = await time(() => import('../../../dist/index.js'))
const [first, sandbox] = await time(() => createSandbox())
const later = await repeat(9, () => createSandbox())

const customer = 'http://localhost/v1/organizations/harbor/customers'
const headers = { authorization: 'Bearer sbx_harbor_1', 'content-type': 'application/json' }
const session = await repeat(20, async () => {
  const own = sandbox.session()
  for (let id = 1; id <= 10; id += 1) await own.fetch(`${customer}/${id}`, { headers })
  own.requests.verify({ operationId: 'getCustomer', count: 10 })
  own.close()
})

const body = JSON.stringify({ categoryId: 1, content: 'A note' })
const resets = []
for (let count = 0; count < 20; count += 1) {
  const { status } = await sandbox.fetch(`${customer}/1/notes`, { method: 'POST', headers, body })
  if (status !== 200) throw new Error(`POST of a note returned ${status}`)
  resets.push((await time(() => sandbox.reset()))[0])
}

console.log(
  JSON.stringify({
    'test-import': imported,
    'test-first': first,
    'test-later': later,
    'test-session': session,
    'test-reset': resets.toSorted((a, b) => a - b)[10],
  }),
)
