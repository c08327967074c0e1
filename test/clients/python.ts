/** The client for Python, as the cases drive it: one process for all cases, which ends with its input. */

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { payeeId } from './answers.ts'
import { type Act, type Client, type Ended, endingOf, type Failure, sessionOf } from './client.ts'

export const acts: readonly Act[] = ['pay', 'read', 'get', 'show', 'list', 'wait', 'subscribe', 'unsubscribe']

type Line = Ended & { failure?: Failure; broken?: string }

/** Starts the process. Its interpreter has the client; `async` is the one that awaits. */
export function startPythonClient(python: string, ...kind: 'async'[]): Client & { stop(): void } {
  const program = join(import.meta.dirname, 'driver.py')
  const child = spawn(python, ['-B', program, ...kind], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (order: object): Promise<Line> => {
    child.stdin.write(`${JSON.stringify(order)}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error('the Python process has ended')
    return JSON.parse(value) as Line
  }
  return {
    name: 'python',
    acts,
    stop: () => child.stdin.end(),
    start: async ({ origin, retryForMs, isExpired }) => {
      await ask({ start: { origin, retryForMs, session: sessionOf(isExpired) } })
      return {
        do: async (order) => {
          const { failure, broken, ...ended } = await ask({ ...order, payee: payeeId })
          if (broken !== undefined) throw new Error(broken)
          return failure ? endingOf(failure) : ended
        },
      }
    },
  }
}
