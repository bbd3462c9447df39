/** Lists the names of the caller's customers in a country. Order: by id. */
export async function listCustomersIn(client, country) {
  const { organizationId } = await client.getCurrentMember()
  const names = []
  for await (const customer of client.each.listCustomers({ organizationId, scope: 'mine' })) {
    if (customer.country === country) names.push(customer.name)
  }
  return names
}
