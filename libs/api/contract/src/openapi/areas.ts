/**
 * The areas of the API, which are the tags of the OpenAPI document. Areas of the contract use its words; extensions are
 * marked.
 */

import type { Area } from '../route.ts'

/** The areas that the contract does not have. The document marks them everywhere. */
export const extensionAreas: ReadonlySet<Area> = new Set<Area>(['operation-webhooks', 'payment-checks'])

/** The description of each area. */
export const areas: { readonly [A in Area]: string } = {
  system: 'Health of the gateway and public metadata of the API.',
  authorization:
    'The current grant, the policy that the owner delegated with it, mandates, and confirmations that the owner gives.',
  identity:
    'The display preferences of the owner. The subject is pairwise, and nothing here proves the identity of the owner.',
  onboarding:
    'The onboarding state of the owner, and the connection to the provider that all clients of the owner share.',
  kyc: 'Normalised verification state, without evidence and without details of the provider.',
  operations:
    'Durable operations of the current subject and client. Every financial write is one: follow it by reads, never by repeating the write.',
  accounts: 'Accounts that exist at the provider, and the limits that it states for withdrawals.',
  activity: "The owner's cash activity, sanitised, without identifiers of the provider.",
  beneficiaries: 'The beneficiaries of the owner, payout schemas, and the fees of virtual accounts.',
  cards: 'Cards: their lifecycle and their movements. Card numbers appear only on the page of the provider.',
  spending: 'The spending account, and withdrawals from it as durable operations.',
  transfers: 'Payments of the current subject and client, by withdrawal or under a mandate, with their states.',
  'transfer-quotes': 'Estimates of transfers. Indicative: a quote cannot be executed.',
  'payment-checks':
    'The answer that a payment would get now, before anybody is asked for money. **An extension of ours**, beyond the contract of this API. A check drafts, reserves and stores nothing, so the payment itself may still be refused.',
  purchases: 'Indicative quotes for services, and the state of purchases that the provider has released.',
  services: 'Services, with the uses that the effective policy of the grant allows.',
  'reference-data': 'Public reference data: assets and their prices. Needs no credentials.',
  operator:
    'For operators of the service: operations with their history and evidence, and the suspension of grants. These routes take only operator tokens (audience `/v1/ops`). Customer tokens are refused here, and operator tokens everywhere else.',
  'operation-webhooks':
    'Notifications when an operation moves. **An extension of ours**, beyond the contract of this API: polling operations stays the source of truth, and a notification never changes one. Environments without a signing key answer `webhooks_unavailable`.',
}
