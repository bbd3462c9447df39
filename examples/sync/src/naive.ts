import { Service, type Surroundings } from './service.ts'

/** A sync of customers as it is first written: it reads page after page, and remembers when it has ended. */
export class NaiveSync {
  readonly #service: Service

  constructor(surroundings: Surroundings) {
    this.#service = new Service(surroundings)
  }

  async run(): Promise<void> {
    const service = this.#service
    const query = service.cursor === undefined ? {} : { updatedSince: service.cursor }
    for (let offset = 0; ; offset += service.limit) {
      const { items, date } = await service.page('/customers', query, offset)
      for (const row of items) service.table('customers').set(row.id, row)
      service.cursor = date
      if (items.length < service.limit) return
    }
  }

  copy() {
    return { customers: [...this.#service.table('customers').values()] }
  }
}
