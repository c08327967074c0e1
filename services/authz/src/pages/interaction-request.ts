/**
 * Finds the authorization that a request is about, and its client. A request from another browser is refused like an
 * ended authorization.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { auditOwner } from '../browser/owner-audit.ts'
import type { OwnerInteraction } from '../provider/interaction.ts'
import type { Registration } from '../registration/registration.ts'
import { findClient } from '../store/clients.ts'
import type { PageTools } from './page-tools.ts'
import { refusals } from './refusal.ts'

/** Returns the interaction that both the address and this browser's cookie name. @throws PageRefusal */
export async function getInteraction(
  { interactions }: PageTools,
  request: FastifyRequest<{ Params: { uid: string } }>,
  reply: FastifyReply,
): Promise<OwnerInteraction> {
  const interaction = await interactions.findInteraction(request, reply)
  if (!interaction || interaction.uid !== request.params.uid) throw refusals.staleInteraction()
  return interaction
}

/** Returns the client of an interaction. @throws PageRefusal if the client is not active */
export async function getClientOf({ db }: PageTools, { clientId }: OwnerInteraction): Promise<Registration> {
  const client = await findClient(db, clientId)
  if (client?.status !== 'active') throw refusals.clientGone()
  return client.registration
}

/** The owner declines: the client receives `access_denied`. */
export async function denyInteraction(
  tools: PageTools,
  interaction: OwnerInteraction,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await auditOwner(tools, request, 'consent_denied', {
    client_id: interaction.clientId,
    owner_id: interaction.owner?.ownerId,
  })
  return tools.interactions.denyInteraction(request, reply)
}
