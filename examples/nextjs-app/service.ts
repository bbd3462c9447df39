import { headers } from 'next/headers'

interface Customer {
  readonly id: number
  readonly name: string
}

/** Reads a customer from the service: in development the sandbox, which is part of this app. */
export async function readCustomer(id: number): Promise<Customer> {
  const base = process.env['API_URL'] ?? `http://localhost:${process.env['PORT'] ?? 3000}/v1`
  const baggage = process.env['OTEL'] ? null : (await headers()).get('baggage')
  const response = await fetch(`${base}/organizations/harbor/customers/${id}`, {
    headers: {
      authorization: `Bearer ${process.env['API_TOKEN'] ?? 'sbx_harbor_1'}`,
      ...(baggage && { baggage }),
    },
    cache: 'no-store',
  })
  if (!response.ok) throw new Error(`The service answered ${response.status}.`)
  return response.json()
}
