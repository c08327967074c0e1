/** The tools that ask for a mandate and end one. */

import type { Agent, CreateMandateRequest, Mandate, Operation } from '@financial-agents/client'
import { answer } from '../answer.ts'
import { requestMembers } from '../generated/schemas.ts'
import { type JsonSchema, objectOf } from '../json-schema.ts'
import { waited } from '../operation-answer.ts'
import { project } from '../project.ts'
import { type Dependencies, idOf, refTo, type Tool } from '../tool.ts'

const terms = requestMembers.CreateMandateRequest
const ended = new Set<Mandate['state']>(['suspended', 'revoked', 'expired', 'exhausted', 'failed'])

const byName = (a: string, b: string) => (a < b ? -1 : 1)

type Terms = Omit<CreateMandateRequest, 'expires_at'>

const proposal: Record<string, JsonSchema> = {
  beneficiary_id: idOf('The payee: `id` of list_payees.'),
  per_payment_max: terms.per_payment_max,
  daily_max: terms.daily_max,
  weekly_max: terms.weekly_max,
  monthly_max: terms.monthly_max,
  total_cap: terms.total_cap,
  payment_count: terms.payment_count,
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
  output: { operation: refTo('Operation') },
  run: async (args, call, dependencies) => {
    const { last_day: day, ...caps } = args
    const body = { ...(caps as Terms), expires_at: `${String(day)}T23:59:59Z` }
    const name = await attemptOf(dependencies, JSON.stringify(body, Object.keys(body).toSorted(byName)))
    const make = async () => {
      call.operationId = undefined
      const made = await dependencies.agent.mandates.create(body, { intent: name.intent(), signal: call.signal })
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
async function attemptOf({ store }: Dependencies, written: string) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(written)))
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
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
  output: { operation: refTo('Operation'), mandate: refTo('Mandate') },
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
