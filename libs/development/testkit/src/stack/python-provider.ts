/** Starts the provider in Python (`test/provider-python`) as a process, for tests of a second implementation of the Provider API. */

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describeExit, saidLast, startChild } from '@financial-agents/servers/child-process'

/** Its process. */
export type PythonProvider = {
  url: string
  stop: () => Promise<void>
}

/** False on a machine without python3 3.9 and sqlite3. */
export function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import sqlite3, sys; sys.exit(sys.version_info < (3, 9))'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts the process and waits until it listens. @param database the file of its tables; in memory if absent */
export async function startPythonProvider(database?: string): Promise<PythonProvider> {
  const listening = Promise.withResolvers<string>()
  const program = join(import.meta.dirname, '../../../../../test/provider-python/provider.py')
  const more = database === undefined ? [] : ['--database', database]
  const child = await startChild('provider-python', 'python3', [program, ...more], {
    env: { PATH: process.env['PATH'] },
    onLine: (line) => {
      if (line.startsWith('http')) listening.resolve(line)
    },
  })
  const ended = child.exited.then((status) => {
    throw new Error(`the provider in Python ended (${describeExit(status)})${saidLast(child)}`)
  })
  const url = await Promise.race([listening.promise, ended])
  ended.catch(() => {})
  return { url, stop: () => child.stop() }
}
