// Measures what a test file pays: prints the milliseconds for the import, and for sandboxes of a size (first argument).
const size = process.argv[2]
const time = async (work) => {
  const start = performance.now()
  const result = await work()
  return [performance.now() - start, result]
}

const [importMs, { createSandbox }] = await time(() => import('../../../dist/index.js'))
const [firstMs] = await time(() => createSandbox({ size }))
const laterMs = []
for (let count = 2; count <= 10; count += 1) laterMs.push((await time(() => createSandbox({ size })))[0])

const sandbox = await createSandbox({ size })
const headers = { authorization: 'Bearer sbx_harbor_1' }
const sessionMs = []
for (let count = 0; count < 20; count += 1) {
  const [ms] = await time(async () => {
    const session = sandbox.session()
    for (let id = 1; id <= 10; id += 1) {
      await session.fetch(`http://localhost/v1/organizations/harbor/customers/${id}`, { headers })
    }
    session.requests.verify({ operationId: 'getCustomer', count: 10 })
    session.close()
  })
  sessionMs.push(ms)
}
console.log(JSON.stringify({ importMs, firstMs, laterMs, sessionMs }))
