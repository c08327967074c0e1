/**
 * Finds the authorization that a request is about, and its client. A request from another browser is refused like an
 * ended authorization, and so is one whose device code is over.
 */

import { refusals } from '@financial-agents/owner-pages/refusal'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OwnerInteraction } from '../provider/interaction.ts'
import type { Registration } from '../registration/registration.ts'
import { findClient } from '../store/clients.ts'
import type { PageTools } from './page-tools.ts'

/** Returns the interaction that both the address and this browser's cookie name. @throws PageRefusal */
export async function getInteraction(
  { interactions }: PageTools,
  request: FastifyRequest<{ Params: { uid: string } }>,
  reply: FastifyReply,
): Promise<OwnerInteraction> {
  const interaction = await interactions.findInteraction(request, reply)
  if (!interaction || interaction.uid !== request.params.uid) throw refusals.staleInteraction()
  if (interaction.isCodeOver) throw refusals.deviceCodeOver()
  return interaction
}

/** @throws PageRefusal if the client is not active */
export async function getClientOf({ db }: PageTools, { clientId }: OwnerInteraction): Promise<Registration> {
  const client = await findClient(db, clientId)
  if (client?.status !== 'active') throw refusals.clientGone()
  return client.registration
}
