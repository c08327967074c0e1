/**
 * Reads an owner's mandates for the pages: every running one, even if many newer ones have ended. Also gives a new
 * grant authority under the mandates that its consent renews.
 */

import {
  type AuthorizeMandatesRequest,
  type OwnerMandate,
  ownerMandatesPage,
  payableStates,
} from '@financial-agents/bus/messages/resources'
import { call } from '@financial-agents/bus/rpc'
import { refusals } from '@financial-agents/owner-pages/refusal'
import { callContext } from '@financial-agents/pages/tunnel/call-context'
import { isOutOfReach } from '../browser/out-of-reach.ts'
import type { PageTools } from './page-tools.ts'

const subject = 'int.beneficiaries.owner-mandates'

/**
 * Returns the running mandates, newest first, and then the newest ended ones. Undefined if beneficiaries does not
 * answer.
 */
export function findMandates(tools: PageTools, ownerId: string): Promise<OwnerMandate[] | undefined> {
  return unlessSilent(tools, 'the mandates', async () => {
    const running = await listRunning(tools, ownerId)
    const over = await call(tools.bus, subject, { owner_id: ownerId, which: 'over' }, callContext())
    // A mandate that ended between the two calls is in both answers.
    const ended = new Set(over.map(({ id }) => id))
    return [...running.filter(({ id }) => !ended.has(id)), ...over]
  })
}

/**
 * Finds the mandates that name the client, still allow payments, and give this grant no authority. The owner can let
 * them continue. `grantId` is undefined if the consent makes a new grant, which has authority under no mandate yet.
 */
export async function findOffered(
  tools: PageTools,
  ownerId: string,
  client: { client_id: string; grantId: string | undefined },
): Promise<OwnerMandate[] | undefined> {
  const { client_id, grantId } = client
  const running = await unlessSilent(tools, 'the mandates', () => listRunning(tools, ownerId))
  return running?.filter(
    ({ state, authorized_clients, authorities }) =>
      payableStates.has(state) &&
      authorized_clients.includes(client_id) &&
      !authorities.some((one) => one.client_id === client_id && one.grant_id === grantId),
  )
}

/**
 * Gives the new grant authority under the mandates that the owner ticked. @throws PageRefusal if beneficiaries does not
 * answer
 */
export async function authorizeMandates({ bus, log }: PageTools, request: AuthorizeMandatesRequest): Promise<void> {
  const { mandate_ids, grant_id } = request
  const answer = await call(bus, 'int.beneficiaries.authorize-mandates', request, callContext()).catch((error) => {
    if (!isOutOfReach(error)) throw error
    log.warn({ err: error, grant_id }, 'it is not known whether authority under mandates was given')
    throw refusals.mandatesOutOfReach()
  })
  if (answer.mandate_ids.length < mandate_ids.length)
    log.warn({ grant_id, mandate_ids, given: answer.mandate_ids }, 'mandates ended while their owner consented to them')
}

/** Returns all running mandates, newest first. */
export async function listRunning({ bus }: PageTools, owner_id: string): Promise<OwnerMandate[]> {
  const all: OwnerMandate[] = []
  for (;;) {
    const last = all.at(-1)
    const after = last ? { created_at: last.created_at, id: last.id } : null
    const page = await call(bus, subject, { owner_id, which: 'running', after }, callContext())
    all.push(...page)
    if (page.length < ownerMandatesPage) return all
  }
}

/** Returns undefined if the asked service does not answer. `what`: the part that a page then leaves out. */
export async function unlessSilent<Result>(
  { log }: Pick<PageTools, 'log'>,
  what: string,
  ask: () => Promise<Result>,
): Promise<Result | undefined> {
  return ask().catch((error: unknown) => {
    if (!isOutOfReach(error)) throw error
    log.warn({ err: error }, `a page was shown without ${what}`)
    return undefined
  })
}
