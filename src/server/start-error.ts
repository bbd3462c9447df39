/** Why a server did not start. */
export type StartErrorCode =
  | 'port_in_use'
  | 'address_unavailable'
  | 'unguarded_host'
  | 'invalid_option'
  | 'unusable_fixture'

/** A start that was refused for a reason outside of the data, with a stable code. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly code: StartErrorCode

  constructor(code: StartErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
