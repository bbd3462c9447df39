export interface ObjectId {
  toString(): string
}

export interface ObjectNamespace {
  idFromName(name: string): ObjectId
  get(id: ObjectId): { fetch(request: Request): Promise<Response> }
}

export type SqlValue = string | number | ArrayBuffer | null

export interface ObjectStorage {
  readonly sql: {
    exec<Row = Record<string, SqlValue>>(query: string, ...values: readonly SqlValue[]): { toArray(): Row[] }
  }
  transactionSync<R>(write: () => R): R
  /** Units: milliseconds since 1970. */
  getAlarm(): Promise<number | null>
  setAlarm(time: number): Promise<void>
  deleteAlarm(): Promise<void>
  deleteAll(): Promise<void>
}

export interface ObjectState {
  readonly id: ObjectId
  readonly storage: ObjectStorage
}

export type WorkerEnv = Readonly<Record<string, unknown>>
