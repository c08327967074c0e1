/**
 * A command ends together with the shell in which pnpm runs it, and with the npx that started pnpm. If only one of these
 * is killed, the command gets no signal: it would go on, with all its servers, and nobody would know.
 */

import { execFileSync } from 'node:child_process'
import { isProcessRunning } from './child-process.ts'

const lookPauseMs = 500
/** Between npx and a command are at most two shells and pnpm. */
const mostAncestors = 4

/** Sends SIGTERM to this process once its parent process, or the npx above it, has ended. */
export function endWithParent(): void {
  const parent = process.ppid
  const npx = findNpx(parent)
  const timer = setInterval(() => {
    if (process.ppid === parent && (npx === undefined || isProcessRunning(npx))) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, lookPauseMs)
  timer.unref()
}

/** Finds npx among the ancestors by its title; undefined if there is none, or if the system has no `ps`. */
function findNpx(parent: number): number | undefined {
  let pid = parent
  for (let step = 0; step < mostAncestors && pid > 1; step += 1) {
    const [, above, title = ''] = /^\s*(\d+)\s+(.*)/.exec(describe(pid)) ?? []
    if (title.startsWith('npm exec')) return pid
    pid = Number(above ?? 0)
  }
  return undefined
}

function describe(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return ''
  }
}
