/**
 * An owner's mandates as the pages need them: all that are running, however many newer ones are over; and the authority under
 * them that a consent gives again.
 */

import {
  type AuthorizeMandatesRequest,
  type OwnerMandate,
  ownerMandatesPage,
  payableStates,
} from '@financial-agents/bus/messages/resources'
import { call } from '@financial-agents/bus/rpc'
import { callContext, isOutOfReach } from '../browser/call-context.ts'
import type { PageTools } from './page-tools.ts'
import { refusals } from './refusal.ts'

const subject = 'int.beneficiaries.owner-mandates'

/** Those that are running, newest first, and after them the newest that are over. Undefined where beneficiaries does not answer. */
export function findMandates(tools: PageTools, ownerId: string): Promise<OwnerMandate[] | undefined> {
  return whereAnswered(tools, async () => {
    const running = await listRunning(tools, ownerId)
    const over = await call(tools.bus, subject, { owner_id: ownerId, which: 'over' }, callContext())
    // One that ended between the two questions is in both.
    const ended = new Set(over.map(({ id }) => id))
    return [...running.filter(({ id }) => !ended.has(id)), ...over]
  })
}

/**
 * The mandates that name the client and may still be paid, but not by this grant: those that the owner can let go on. `grantId`:
 * undefined where the consent makes a new grant, which has authority under none.
 */
export async function findOffered(
  tools: PageTools,
  ownerId: string,
  client: { client_id: string; grantId: string | undefined },
): Promise<OwnerMandate[] | undefined> {
  const { client_id, grantId } = client
  const running = await whereAnswered(tools, () => listRunning(tools, ownerId))
  return running?.filter(
    ({ state, authorized_clients, authorities }) =>
      payableStates.has(state) &&
      authorized_clients.includes(client_id) &&
      !authorities.some((one) => one.client_id === client_id && one.grant_id === grantId),
  )
}

/** What the owner ticked, for the grant that was just consented to. @throws PageRefusal where beneficiaries does not answer */
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

/** All that are running, newest first. */
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

async function whereAnswered<Result>({ log }: PageTools, ask: () => Promise<Result>): Promise<Result | undefined> {
  return ask().catch((error: unknown) => {
    if (!isOutOfReach(error)) throw error
    log.warn({ err: error }, 'a page was shown without the mandates')
    return undefined
  })
}
