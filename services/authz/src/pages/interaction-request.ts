/** Which authorization a request is about, and whose it is. Both are refused as over where the browser is another one. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { auditOwner } from '../browser/owner-audit.ts'
import type { OwnerInteraction } from '../provider/interaction.ts'
import type { Registration } from '../registration/registration.ts'
import { findClient } from '../store/clients.ts'
import type { PageTools } from './page-tools.ts'
import { refusals } from './refusal.ts'

/** The one that this address and this browser's cookie both name. @throws PageRefusal */
export async function getInteraction(
  { interactions }: PageTools,
  request: FastifyRequest<{ Params: { uid: string } }>,
  reply: FastifyReply,
): Promise<OwnerInteraction> {
  const interaction = await interactions.findInteraction(request, reply)
  if (!interaction || interaction.uid !== request.params.uid) throw refusals.staleInteraction()
  return interaction
}

/** The client of an interaction. @throws PageRefusal where it may not go on */
export async function getClientOf({ db }: PageTools, { clientId }: OwnerInteraction): Promise<Registration> {
  const client = await findClient(db, clientId)
  if (client?.status !== 'active') throw refusals.clientGone()
  return client.registration
}

/** The owner's no: the client hears `access_denied`. */
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
