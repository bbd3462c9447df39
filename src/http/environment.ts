import type { Connection } from '../control/faults/connection.ts'
import type { Entry } from '../control/journal/entry.ts'
import type { Session } from '../control/sessions/session.ts'
import type { Reading } from '../store/reading.ts'
import type { Row, TableName } from '../store/tables.ts'
import type { Head } from './head.ts'

/** What the steps of the pipeline hand on to each other. */
export interface Environment {
  Bindings: {
    /** The session that an in-process caller chose; requests over HTTP name theirs. */
    session?: Session | undefined
    /** The connection that the request came by, where there is one. */
    connection?: Connection | undefined
    /** What Node knows of the request, where its answer may be kept for further ones. */
    head?: Head | undefined
  }
  Variables: {
    /** The session that the request belongs to. */
    session: Session
    /** The session's data; it remembers what the request looks at. */
    data: Reading
    /** The request's entry in the journal. */
    entry: Entry
    /** Whose token the request carries. */
    caller: Row<'members'>
    /** The record that the path names. */
    record: Row<TableName> | undefined
  }
}
