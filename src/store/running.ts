import { readFileSync } from 'node:fs'

import { codeOf } from './disk.ts'

/** A process, and when it began where that is known. */
interface Process {
  readonly pid: number
  readonly started: string | null
}

/** Says whether a process is still running, and not another that has been given its number. */
export function isRunning({ pid, started }: Process): boolean {
  if (!exists(pid)) return false
  const status = statusOf(pid)
  if (!status) return true
  return status.isAlive && (started === null || started === status.started)
}

/** When a process began, as its system tells it: the boot and the tick; undefined where it does not tell. */
export function startOf(pid: number): string | undefined {
  return statusOf(pid)?.started
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

/** What Linux tells of a process. Source: proc(5), `/proc/pid/stat`, fields 3 and 22. */
function statusOf(pid: number): { readonly isAlive: boolean; readonly started: string } | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, field 2, may hold anything; the last parenthesis ends it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state] = fields
    // Ended, but not yet taken note of by its parent.
    const isAlive = state !== 'Z' && state !== 'X'
    return { isAlive, started: `${boot}/${fields[19]}` }
  } catch {
    return undefined
  }
}
