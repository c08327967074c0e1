/**
 * The steps of connecting to the provider that pages share: checking if the owner can connect, listing the access that
 * works again, and connecting.
 *
 * Invariant: access that the owner did not choose ends before the connection exists. Nothing works over the connection
 * that was not chosen on the page.
 */

import { confirmationSignInMs } from '@financial-agents/bus/messages/intents'
import { payableStates } from '@financial-agents/bus/messages/resources'
import type { ConnectAnswer, MayConnectAnswer } from '@financial-agents/bus/messages/sign-in'
import { call } from '@financial-agents/bus/rpc'
import type { GrantOfOwner } from '@financial-agents/owner-pages/grant-of-owner'
import { choiceOf, type WorksAgain } from '@financial-agents/owner-pages/works-again'
import { callContext } from '@financial-agents/pages/tunnel/call-context'
import type { FastifyRequest } from 'fastify'
import type { SignedIn } from '../browser/browser-session.ts'
import { auditOwner, whoAsks } from '../browser/owner-audit.ts'
import { revokeGrant } from '../store/grant-status.ts'
import { listGrantsOfOwner } from '../store/owner-grants.ts'
import { listRunning } from './owner-mandates.ts'
import type { Form } from './page-request.ts'
import type { PageTools } from './page-tools.ts'

/** Tells if the owner is connected, or can connect with the sign-in of this session. */
export async function findStanding(
  { bus, clock }: PageTools,
  { ownerId, authenticatedAt }: SignedIn,
): Promise<MayConnectAnswer> {
  const standing = await call(bus, 'int.onboarding.may-connect', { owner_id: ownerId }, callContext())
  const isFresh = clock.nowMs() - authenticatedAt.getTime() < confirmationSignInMs
  return standing.type === 'ready' && !isFresh ? { type: 'sign_in_again' } : standing
}

/** `besides`: a client that the list leaves out, because the page asks about it separately. */
export async function listWorksAgain(tools: PageTools, ownerId: string, besides?: string): Promise<WorksAgain> {
  const [grants, mandates] = await Promise.all([listActive(tools, ownerId), listRunning(tools, ownerId)])
  const payable = mandates.filter(({ state }) => payableStates.has(state))
  return {
    choices: grants
      .filter(({ kind, client_id }) => kind === 'human' && client_id !== besides)
      .map((grant) => ({
        grant,
        mandates: payable.filter(({ authorities }) => authorities.some(({ grant_id }) => grant_id === grant.grant_id)),
      })),
    serviceNames: grants.filter(({ kind }) => kind === 'service').map(({ client_name }) => client_name),
  }
}

/**
 * Ends access that the form does not choose, then connects. If the owner cannot connect, nothing is ended. A consent
 * that connects replaces the application's earlier grant, which the form does not offer.
 */
export async function connectChosen(
  tools: PageTools,
  request: FastifyRequest,
  signedIn: SignedIn,
  form: Form,
): Promise<ConnectAnswer | { type: 'connected_already' }> {
  const standing = await findStanding(tools, signedIn)
  if (standing.type === 'connected') return { type: 'connected_already' }
  if (standing.type !== 'ready') return standing
  const owner_id = signedIn.ownerId
  const people = (await listActive(tools, owner_id)).filter(({ kind }) => kind === 'human')
  const isChosen = (grant: GrantOfOwner) => form[choiceOf(grant)] === 'yes'
  const why = { reason: 'not_connected_again', by: 'owner', request_id: whoAsks(request).request_id } as const
  for (const grant of people) if (!isChosen(grant)) await revokeGrant(tools.db, grant.grant_id, why, tools.clock.now())
  // The gateways learn the ended access before they learn the connection.
  await tools.feed.publishNow()
  const answer = await call(tools.bus, 'int.onboarding.connect', { owner_id }, callContext())
  const again = people.filter(isChosen).map(({ grant_id }) => grant_id)
  if (answer.type === 'connected') await auditOwner(tools, request, 'connected', { owner_id, detail: { again } })
  return answer
}

/** Includes grants to a suspended client, because the client may be declared again. */
async function listActive({ db, clock }: PageTools, ownerId: string): Promise<GrantOfOwner[]> {
  return (await listGrantsOfOwner(db, ownerId, clock.now())).filter(({ status }) => status === 'active')
}
