import { readCustomer } from '../service'

export const dynamic = 'force-dynamic'

/** A page that the server renders for each request. */
export default async function Page() {
  const { name } = await readCustomer(1)
  return <h1>{name}</h1>
}
