/** CPU time of processes from Linux's /proc: user and system, including children that have ended. */

import { readdirSync, readFileSync } from 'node:fs'

const tickMs = 10

/** Returns the CPU milliseconds that a process has used so far; with `tree`, also those of its living children. */
export function cpuMs(pid: number, options: { tree?: boolean } = {}): number {
  const own = ownMs(pid)
  if (!options.tree) return own
  return own + childrenOf(pid).reduce((sum, child) => sum + cpuMs(child, options), 0)
}

function ownMs(pid: number): number {
  const fields = statFields(pid)
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) * tickMs
}

/** Returns the fields of /proc/<pid>/stat after the command: the state is field 0, utime is field 11. */
function statFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => Number(statFields(candidate)[1]) === pid)
}
