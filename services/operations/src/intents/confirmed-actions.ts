/**
 * The actions that an owner can be asked to confirm. A row says which request carries the action out, the scope that it
 * needs, and in which words the owner reads it. Whatever asks for an action that has no row here is refused.
 */

import type { MessageContext } from '@financial-agents/bus/headers'
import type { OwnerClient } from '@financial-agents/bus/messages/authority'
import type { Principal } from '@financial-agents/contract/principal'
import type { ConfirmationIntent } from '@financial-agents/contract/schemas/confirmation-intent'
import type { Scope } from '@financial-agents/contract/scopes'

export type Action = ConfirmationIntent['action']

/** What a summary may ask of other services. */
export type Asking = {
  ownerClients: (ownerId: string, context: MessageContext) => Promise<OwnerClient[]>
}

export type Asked = {
  principal: Principal
  params: Readonly<Record<string, string>>
  body: unknown
  context: MessageContext
}

export type ConfirmedAction = {
  method: 'POST' | 'DELETE'
  path: `/v1/${string}`
  scope: Scope
  /** Whether its request has a body. */
  hasBody: boolean
  /** What the owner reads: everything that it depends on whether to confirm. */
  summarise: (asked: Asked, asking: Asking) => Promise<string>
}

const serviceDisconnect: ConfirmedAction = {
  method: 'DELETE',
  path: '/v1/service-connections/current',
  scope: 'services:read',
  hasBody: false,
  summarise: async ({ principal, context }, asking) => {
    const clients = await asking.ownerClients(principal.owner_id, context)
    const names = new Intl.ListFormat('en', { type: 'conjunction' }).format(clients.map(({ name }) => name))
    const lose = clients.length === 1 ? 'loses its' : 'lose their'
    return `Disconnect your financial provider. ${names} ${lose} connection to your accounts and can no longer act for you there until you connect again.`
  },
}

export const confirmedActions: Partial<Record<Action, ConfirmedAction>> = {
  service_disconnect: serviceDisconnect,
}
