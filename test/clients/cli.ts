/** The command line, as the cases drive it: each order is a command line, over the files of one profile. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runInProcess } from '../../libs/clients/cli/src/in-process.test-helper.ts'
import { foldersOf } from '../../libs/clients/cli/src/profile/config.ts'
import { keyStore } from '../../libs/clients/cli/src/profile/key-store.ts'
import { payeeId } from './answers.ts'
import { type Act, type Client, type Ended, type Order, sessionOf } from './client.ts'

const lines: Partial<Record<Act, (order: Order) => string[]>> = {
  pay: ({ amount, timeoutMs }) => [
    'pay',
    amount,
    'EUR',
    '--to',
    payeeId,
    '--yes',
    '--intent',
    'rent',
    '--timeout',
    String(Math.ceil(timeoutMs / 1_000)),
  ],
  wait: ({ operation, timeoutMs }) => [
    'operations',
    'wait',
    operation,
    '--timeout',
    String(Math.ceil(timeoutMs / 1_000)),
  ],
  show: ({ operation }) => ['operations', 'show', operation],
  list: () => ['operations', 'list'],
  read: () => ['accounts'],
}

const endings: Readonly<Record<number, Ended['is']>> = {
  0: 'done',
  1: 'refused',
  2: 'conflict',
  3: 'needs_owner',
  4: 'uncertain',
  5: 'running',
  6: 'unavailable',
}

export const cli: Client = {
  name: 'cli',
  acts: Object.keys(lines) as Act[],
  start: async ({ origin, retryForMs, isExpired }) => {
    const home = await mkdtemp(join(tmpdir(), 'financial-agents-cases-'))
    onTestFinished(() => rm(home, { recursive: true, force: true }))
    const keys = keyStore(foldersOf(home, 'default'), () => Promise.resolve(undefined))
    await keys.set(`${origin}/app/default/session`, sessionOf(isExpired), { secret: true })
    const env = {
      FINANCIAL_AGENTS_HOME: home,
      FINANCIAL_AGENTS_KEYCHAIN: 'off',
      FINANCIAL_AGENTS_BASE_URL: origin,
      FINANCIAL_AGENTS_CLIENT_ID: 'app',
    }
    return {
      do: async (order) => {
        const line = lines[order.do]?.(order) ?? []
        const { code, stdout, stderr } = await runInProcess([...line, '--json'], env, { retryForMs })
        const is = endings[code]
        if (!is) throw new Error(`no case expects the exit code ${code}: ${stderr}`)
        if (stdout === '') {
          const { error } = JSON.parse(stderr.slice(stderr.indexOf('{'))) as {
            error: { code: string; message: string }
          }
          return { is, code: error.code, message: error.message }
        }
        const result = JSON.parse(stdout) as { id?: string; operation?: { id: string; state: string } }
        const operation = result.operation ?? (result as { id: string; state?: string })
        return { is: is === 'refused' ? 'failed' : is, operation: operation.id }
      },
    }
  },
}
