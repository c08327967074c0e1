/** The client for TypeScript, as the cases drive it. */

import { ApiProblem, ClientError, FinancialAgents, memoryStore, type Outcome } from '@financial-agents/client'
import { device } from '@financial-agents/client/auth/device'
import { payeeId } from './answers.ts'
import { type Client, type Ended, endingOf, type Order, sessionOf } from './client.ts'

export const typescript: Client = {
  name: 'typescript',
  acts: ['pay', 'read', 'get', 'show', 'list', 'wait', 'subscribe', 'unsubscribe'],
  start: async ({ origin, retryForMs, isExpired }) => {
    const store = memoryStore()
    await store.set(`${origin}/app/owner/session`, sessionOf(isExpired))
    const agent = FinancialAgents({ baseUrl: origin, clientId: 'app', auth: device({ scopes: [] }), store, retryForMs })
    const acts: Record<Order['do'], (order: Order) => Promise<Ended>> = {
      pay: async ({ amount, timeoutMs }) =>
        endOf(await agent.pay({ intent: 'rent', payee: payeeId, amount, currency: 'EUR', timeoutMs })),
      wait: async ({ operation, timeoutMs }) => endOf(await agent.wait(operation, { timeoutMs })),
      show: async ({ operation, timeoutMs }) => ({
        is: 'done',
        operation: (await agent.operations.get(operation, { timeoutMs })).id,
      }),
      read: () => done(agent.accounts.list()),
      get: () => done(agent.mandates.get('one')),
      list: () => done(agent.operations.list()),
      subscribe: () => done(agent.webhooks.create({ url: 'https://receiver.example/hook' })),
      unsubscribe: () => done(agent.webhooks.delete('one')),
    }
    return { do: (order) => acts[order.do](order).catch((error: unknown) => failureOf(error)) }
  },
}

async function done(call: PromiseLike<unknown>): Promise<Ended> {
  await call
  return { is: 'done' }
}

const endings: Readonly<Record<Outcome['status'], Ended['is']>> = {
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'failed',
  needs_owner: 'needs_owner',
  indeterminate: 'uncertain',
  still_running: 'running',
}

function endOf({ status, operation }: Outcome): Ended {
  return { is: endings[status], operation: operation.id }
}

function failureOf(error: unknown): Ended {
  const isKnown = error instanceof ApiProblem || error instanceof ClientError
  if (!isKnown) throw error
  const { code, message, submissionUncertain, cause } = error
  return endingOf({
    code,
    message,
    submissionUncertain,
    cause: (cause as { code?: string } | undefined)?.code,
    problem: error instanceof ApiProblem ? error : undefined,
  })
}
