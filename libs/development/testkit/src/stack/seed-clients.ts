/**
 * The clients of a development stack, as an operator would declare them. Each service account has one owner. For every
 * other profile there is an application that any person of the fake provider can sign in to. All of them are invented.
 */

import { tryClientId, tryPath } from '@financial-agents/contract/documentation-paths'

/** An owner who exists before she signs in. */
export const ines = {
  owner_id: '01980000-0000-7000-8000-000000000001',
  customer_reference: 'per_ines',
  credentials: 'test-user-ines-carvalho-lisboa',
}

/** A second owner. The first must never see her data. */
export const amara = {
  owner_id: '01980000-0000-7000-8000-000000000002',
  customer_reference: 'per_amara',
  credentials: 'test-user-amara-okafor-leeds',
}

/** An owner without a connected provider. */
export const noor = { owner_id: '01980000-0000-7000-8000-000000000003' }

const write = ['beneficiaries:read', 'beneficiaries:write', 'operations:read']
const agent = [
  ...write,
  'accounts:read',
  'activity:read',
  'authorization:read',
  'identity:read',
  'kyc:read',
  'services:read',
  'cards:read',
  'cards:manage',
  'purchases:read',
  'spending:read',
  'spending:withdraw',
  'transfers:quote',
]

/** Service accounts: client credentials, each with one fixed owner. */
export const serviceAccounts = [
  { client_id: 'ines-agent', name: "Ines's agent", owner: ines, scopes: agent },
  { client_id: 'ines-bookkeeper', name: "Ines's bookkeeper", owner: ines, scopes: write },
  { client_id: 'ines-reader', name: "Ines's reader", owner: ines, scopes: ['beneficiaries:read'] },
  { client_id: 'amara-agent', name: "Amara's agent", owner: amara, scopes: agent },
  { client_id: 'noor-agent', name: "Noor's agent", owner: noor, scopes: agent },
]

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const reads = ['identity:read', 'authorization:read', 'accounts:read', 'activity:read', 'operations:read']

/**
 * The client that a developer's first agent uses, by the SDK or the command line: a device with every scope. The front page of the
 * gateway and the command `dev` name it.
 */
export const firstClientId = 'my-agent'

/** Applications that people sign in to. Web clients get a key pair; the rest are public. */
export const applications = [
  {
    client_id: 'harbour-ledger',
    name: 'Harbour Ledger',
    publisher: { name: 'Harbour Bookkeeping Ltd', verified: true },
    profile: 'web',
    redirect_uris: ['https://ledger.harbour.example/callback', 'https://ledger.harbour.example/connect/return'],
    scopes: ['openid', ...reads, 'beneficiaries:read', 'cards:read', 'spending:read'],
  },
  {
    client_id: 'rentwise',
    name: 'Rentwise',
    profile: 'web',
    redirect_uris: ['https://app.rentwise.example/callback', 'https://app.rentwise.example/renew'],
    scopes: ['openid', ...reads, ...write.slice(0, 2), 'spending:read', 'spending:withdraw', 'transfers:quote'],
    policy: {
      withdrawal_confirmation_above: eur('200.00'),
      withdrawal_ceilings: { per_payment: eur('1500.00'), per_day: eur('3000.00') },
    },
  },
  {
    client_id: 'pocket-board',
    name: 'Pocket Board',
    profile: 'spa',
    redirect_uris: ['https://board.pocket.example/signed-in'],
    origins: ['https://board.pocket.example'],
    scopes: ['openid', ...reads, 'beneficiaries:read', 'cards:read', 'spending:read'],
  },
  {
    client_id: 'tally',
    name: 'Tally',
    profile: 'native',
    redirect_uris: ['http://127.0.0.1/callback'],
    scopes: ['openid', ...reads, ...write.slice(0, 2), 'spending:read', 'spending:withdraw'],
    policy: { withdrawal_ceilings: { per_payment: eur('50.00'), per_day: eur('100.00') } },
  },
  {
    client_id: 'errand-runner',
    name: 'Errand Runner',
    profile: 'device',
    scopes: [...reads, ...write.slice(0, 2), 'cards:read', 'cards:manage', 'spending:withdraw'],
    policy: { withdrawal_ceilings: { per_payment: eur('25.00'), per_day: eur('5000.00') } },
  },
  {
    client_id: firstClientId,
    name: 'My Agent',
    profile: 'device',
    scopes: agent,
    policy: { withdrawal_ceilings: { per_payment: eur('100.00'), per_day: eur('250.00') } },
  },
] as const

/** The client with which a page of the documentation tries requests. Its origin is the stack's own, so that no other page can use it. */
export function documentationClient(origin: string) {
  return {
    client_id: tryClientId,
    name: 'Documentation: Try it',
    profile: 'spa',
    redirect_uris: [`${origin}${tryPath}`],
    origins: [origin],
    scopes: agent,
    policy: { withdrawal_ceilings: { per_payment: eur('100.00'), per_day: eur('250.00') } },
  } as const
}
