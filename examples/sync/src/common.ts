import { type Page, type Query, Service, type Surroundings } from './service.ts'

/** A sync of customers as most are: it retries, and its cursor is the greatest `updatedDate` that it has seen. */
export class CommonSync {
  readonly #service: Service

  constructor(surroundings: Surroundings) {
    this.#service = new Service(surroundings)
  }

  async run(): Promise<void> {
    const service = this.#service
    const query = service.cursor === undefined ? {} : { updatedSince: service.cursor }
    let greatest = service.cursor ?? ''
    for (let offset = 0; ; offset += service.limit) {
      const { items } = await this.#readWithRetries(query, offset)
      for (const row of items) {
        service.table('customers').set(row.id, row)
        if (row.updatedDate > greatest) greatest = row.updatedDate
      }
      if (items.length < service.limit) break
    }
    service.cursor = greatest
  }

  async #readWithRetries(query: Query, offset: number): Promise<Page> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#service.page('/customers', query, offset)
      } catch (error) {
        if (attempt === 3) throw error
      }
    }
  }

  copy() {
    return { customers: [...this.#service.table('customers').values()] }
  }
}
