/** The tools that ask for a mandate and end one. */

import type { Agent, CreateMandateRequest, Mandate, Operation } from '@financial-agents/client'
import { answer } from '../answer.ts'
import { digestOf, findDeclined, keepDeclined } from '../declines.ts'
import { requestMembers } from '../generated/schemas.ts'
import { type JsonSchema, objectOf } from '../json-schema.ts'
import { waited } from '../operation-answer.ts'
import { project } from '../project.ts'
import { type Dependencies, idOf, type Tool } from '../tool.ts'

const terms = requestMembers.CreateMandateRequest
const ended = new Set<Mandate['state']>(['suspended', 'revoked', 'expired', 'exhausted', 'failed'])

type Terms = Omit<CreateMandateRequest, 'expires_at'>

const cap = (what: string): JsonSchema => ({
  ...terms.total_cap,
  description: `${what}, a decimal above zero: "250.00".`,
})

const proposal: Record<string, JsonSchema> = {
  beneficiary_id: idOf('The payee: `id` of list_payees.'),
  per_payment_max: cap('The maximum of one payment'),
  daily_max: cap('The maximum in a UTC day'),
  weekly_max: cap('The maximum in an ISO week'),
  monthly_max: cap('The maximum in a month'),
  total_cap: cap('The maximum in total'),
  payment_count: { ...terms.payment_count, description: 'The maximum number of payments, from 1 to 10000.' },
  last_day: {
    type: 'string',
    format: 'date',
    description: 'The last day (UTC) on which it can be used, at most 364 days ahead: 2027-03-31.',
  },
}

const propose: Tool = {
  name: 'propose_mandate',
  title: 'Propose a mandate',
  description:
    'Asks the owner for permission to pay one payee within caps. The owner reads the terms on a page of ours and decides there. Amounts are in the currency of the payee; no cap may exceed the next: payment, day, week, month, total. The same terms again are the same proposal.',
  scopes: ['spending:withdraw', 'authorization:read'],
  kind: 'write',
  destructive: false,
  input: objectOf(proposal, Object.keys(proposal)),
  run: async (args, call, dependencies) => {
    const { last_day: day, ...caps } = args
    const body = { ...(caps as Terms), expires_at: `${String(day)}T23:59:59Z` }
    const { store, now } = dependencies
    const before = await findDeclined(store, body, now())
    if (before) return before
    const name = await attemptOf(dependencies, await digestOf(body))
    const make = async () => {
      call.operationId = undefined
      const made = await dependencies.agent.mandates
        .create(body, { intent: name.intent(), signal: call.signal })
        .catch(async (error: unknown) => {
          await keepDeclined(store, body, error, now())
          throw error
        })
      call.operationId = made.id
      return made
    }
    let operation = await make()
    // Equal terms are a new proposal only if the first proposal has failed, was cancelled, or its mandate has ended.
    if (await isOver(dependencies.agent, operation, call.signal)) {
      await name.next()
      operation = await make()
    }
    return waited(operation, call, dependencies.waitMs)
  },
}

async function isOver(agent: Agent, operation: Operation, signal: AbortSignal): Promise<boolean> {
  if (operation.state === 'failed' || operation.state === 'cancelled') return true
  if (operation.state !== 'succeeded') return false
  return ended.has((await agent.mandates.get(operation.resource_id, { signal })).state)
}

/** The intents of equal proposals. The number grows when a proposal has ended, so the next one is another write. */
async function attemptOf({ store }: Dependencies, hex: string) {
  let count = ((await store.get(`proposal/${hex}`)) as number | undefined) ?? 0
  return {
    intent: () => `mcp/proposal/${hex}/${count}`,
    next: async () => {
      count += 1
      await store.set(`proposal/${hex}`, count)
    },
  }
}

const stop: Tool = {
  name: 'stop_mandate',
  title: 'Stop a mandate',
  description:
    'Suspends a mandate: nothing can be paid under it any more, and payments that were not submitted yet are stopped. It cannot be resumed here; a new one needs the owner.',
  scopes: ['spending:withdraw', 'authorization:read'],
  kind: 'write',
  destructive: true,
  input: objectOf({ mandate_id: idOf('`id` of list_mandates.') }, ['mandate_id']),
  run: async ({ mandate_id: id }, call, { agent, waitMs }) => {
    const mandate = await agent.mandates.get(String(id), { signal: call.signal })
    if (mandate.state !== 'active')
      return answer('ok', {
        message: 'Nothing was sent: this mandate is not active. `mandate.state` says how it stands.',
        mandate: project('Mandate', mandate),
      })
    // The intent names this state of the mandate, so a repeated call is the same write.
    const intent = `mcp/stop/${mandate.id}/${mandate.updated_at}`
    return waited(await agent.mandates.suspend(mandate.id, { intent, signal: call.signal }), call, waitMs)
  },
}

/** The tools of mandates that change something. */
export const mandates: readonly Tool[] = [propose, stop]
