import { createWorker, SandboxSession } from 'workspace-sandbox/worker'

// Each session is an object of this class.
export { SandboxSession }

export default createWorker({ size: 'medium' })
