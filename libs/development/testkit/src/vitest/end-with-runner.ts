/**
 * Vitest set-up file: a test worker ends together with its run. A run that is killed by SIGKILL cannot stop its
 * workers. Each worker notices that its channel to the run closes, kills all its descendants and then itself.
 */

import { execFileSync } from 'node:child_process'

const installed = Symbol.for('financial-agents.end-with-runner')
const shared = globalThis as { [installed]?: true }

// Files that share a worker share this listener.
if (process.channel && !shared[installed]) {
  shared[installed] = true
  process.once('disconnect', () => {
    for (const pid of descendantsOf(process.pid)) kill(pid)
    // Vitest forbids `process.exit` while a test runs.
    kill(process.pid)
  })
}

function descendantsOf(ancestor: number): number[] {
  const pairs = listProcesses().map((row) => row.trim().split(/\s+/).map(Number) as [parent: number, pid: number])
  const found = [ancestor]
  for (const each of found) found.push(...pairs.filter(([parent]) => parent === each).map(([, pid]) => pid))
  return found.slice(1)
}

function listProcesses(): string[] {
  try {
    return execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' }).trim().split('\n')
  } catch {
    // Without `ps`, the reaper of `startChild` still kills the processes that this function started.
    return []
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process ended by itself.
  }
}
