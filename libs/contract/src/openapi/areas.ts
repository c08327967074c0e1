/**
 * The areas of the API, which are the tags of the OpenAPI document. Areas of the contract use its words; extensions are
 * marked.
 */

import type { Area } from '../route.ts'

/** The areas that the contract does not have. The document marks them everywhere. */
export const extensionAreas: ReadonlySet<Area> = new Set<Area>(['operation-webhooks'])

/** The description of each area. */
export const areas: { readonly [A in Area]: string } = {
  system: 'Health of the gateway and public metadata of the API.',
  authorization:
    'The current grant, the policy that the owner delegated with it, mandates, and confirmations that the owner gives.',
  identity: 'How the owner wants to be shown things. The subject is pairwise, and nothing here proves who somebody is.',
  onboarding:
    'Whether the owner is ready to act, and the connection to the provider that all clients of the owner share.',
  kyc: 'Normalised verification state, without evidence and without details of the provider.',
  operations:
    'Durable operations of the current subject and client. Every financial write is one: follow it by reads, never by repeating the write.',
  accounts: 'Accounts that exist at the provider, and the limits that it states for withdrawals.',
  activity: "The owner's cash activity, sanitised, without identifiers of the provider.",
  beneficiaries: 'Whom the owner can pay, the ways of paying out, and what virtual accounts cost.',
  cards: 'The lifecycle of cards and what moved on them. Numbers appear at the page of the provider alone.',
  spending: 'The spending account, and withdrawals from it as durable operations.',
  transfers: 'What the current subject and client paid, by withdrawal or under a mandate, and what became of it.',
  'transfer-quotes': 'What a transfer would come to. Indicative: a quote cannot be executed.',
  purchases: 'Indicative quotes for services, and what became of purchases that the provider has released.',
  services: 'Services, and what the effective policy of the grant allows with each.',
  'reference-data': 'Public reference data: assets and what they are worth. No credentials.',
  operator:
    'For those who run the service: what is unsettled and why, and the suspension of a grant. Another audience (`/v1/ops`) and class of tokens: customer tokens are refused here and operator tokens everywhere else.',
  'operation-webhooks':
    'Notifications when an operation moves. **An extension of ours**, beyond the contract of this API: polling operations stays the source of truth, and a notification never changes one. Environments without a signing key answer `webhooks_unavailable`.',
}
