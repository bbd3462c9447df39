import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

import { codeOf } from './disk.ts'

const BOOT = '/proc/sys/kernel/random/boot_id'

/** A process, and when it began where that is known. */
interface Process {
  readonly pid: number
  readonly started: string | null
}

/**
 * Says whether a process of our own PID space is still running; undefined if its pid is in use, but perhaps by another
 * process, because the system does not tell when either began.
 */
export function isRunning({ pid, started }: Process): boolean | undefined {
  if (!exists(pid)) return false
  const status = statusOf(pid)
  if (!status) return undefined
  if (!status.isAlive) return false
  return started === null ? undefined : started === status.started
}

/**
 * Names the set of processes that a pid of ours belongs to. Elsewhere, as in another container or on another machine,
 * the same number is another process. Source: pid_namespaces(7).
 */
export function pidSpace(): string {
  try {
    return `${readFileSync(BOOT, 'utf8').trim()}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
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
    const boot = readFileSync(BOOT, 'utf8').trim()
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
