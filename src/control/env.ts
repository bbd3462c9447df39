import type { DryRun } from '../http/dry-run.ts'
import type { Bindings, Variables } from '../http/env.ts'
import type { SandboxState } from '../sessions/sandbox-state.ts'
import type { Sync } from '../sync/create-sync.ts'
import type { Access } from './access.ts'

/** Reads a file that was built for browsers by its name in the package's `dist`; undefined if it was not built. */
export type BuiltFile = (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>

export interface ControlParts {
  readonly state: SandboxState
  readonly dryRun: () => Promise<DryRun>
  readonly sync: () => Promise<Sync>
  readonly access: Access | undefined
  readonly builtFile: BuiltFile | undefined
}

export interface ControlEnv {
  Bindings: Bindings
  Variables: Variables &
    Pick<ControlParts, 'dryRun' | 'sync' | 'builtFile'> & { readonly sandbox: SandboxState }
}
