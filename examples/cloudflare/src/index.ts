import { createWorker, SandboxSession } from 'workspace-sandbox/worker'

// The object that holds the sandbox.
export { SandboxSession }

export default createWorker({ size: 'medium' })
