/**
 * The promised facts of each kind of operation: the one copy by hand that the tests compare the system with. This table
 * shares nothing with the code under test. A changed fact changes which money moves, so a change must be intended.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'

export type OracleFence = 'grant' | 'client' | 'binding' | 'mandate'

/** The state of the resource by the outcome of the operation; null: the resource keeps its earlier state. */
type Shown = {
  readonly unsettled: string
  readonly succeeded: string
  readonly failed: string | null
  readonly cancelled: string | null
}

/** A resource that exists before a write that names it, in the state that the write starts from. */
export type Precondition =
  | 'beneficiary'
  | 'mandate'
  | 'active mandate'
  | 'revocable mandate'
  | 'active card'
  | 'frozen card'

/** The values from which a test makes the body of a write. */
export type WriteValues = {
  /** The given resource. */
  id: string
  currency: string
  /** The amount of a withdrawal. */
  amount: string
  /** A text for the payee; absent: the write sends none. */
  memo?: string
  /** The body of a new beneficiary. */
  payee: Readonly<Record<string, unknown>>
  /** The body of a new mandate, without its beneficiary. */
  mandate: Readonly<Record<string, unknown>>
}

export type KindOracle = {
  resource: string
  /** The service that writes the kind. */
  area: string
  /** The type of the resource that the mutation names; null: it names none. */
  target: 'beneficiary' | 'card' | 'mandate' | null
  /** The fences that do not stop the kind (write protocol, rule 8, and a mandate's own protection). */
  passes: readonly OracleFence[]
  /** The fence of its own resource that must exist before the kind has succeeded (rule 18), and stays; null: none. */
  raises: OracleFence | null
  /** True if the kind moves money. */
  pays: boolean
  /** True if the fake provider may ask its owner to approve it. */
  isApproved: boolean
  /** The read that proves its outcome (decisions §6). */
  provedBy: string
  /** True if the final state of the named resource proves it too, because nothing else leads to that state. */
  isProvedByState: boolean
  /** The facts about its resource that the provider reports with a success; null: none. */
  reports: readonly string[] | null
  shows: Shown
  /** The promise of the route that starts it, as a line of `routes-oracle.test.ts`: route, scope, success and marks. */
  route: string
  /** The resource that the route or the body names. */
  given?: Precondition
  body?: (values: WriteValues) => Record<string, unknown>
}

const fails = { failed: 'failed', cancelled: 'failed' } as const
const isReleased = { unsettled: 'held', succeeded: 'held', failed: 'released', cancelled: 'released' } as const
const asBefore = { failed: null, cancelled: null } as const

/** A kind that every fence stops and that raises none. */
const plain = {
  passes: [],
  raises: null,
  pays: false,
  isApproved: false,
  isProvedByState: false,
  reports: null,
} as const

const card = { ...plain, resource: 'card', area: 'cards', target: 'card', provedBy: 'card_read' } as const
const mandate = {
  ...plain,
  resource: 'mandate',
  area: 'beneficiaries',
  target: 'mandate',
  passes: ['grant', 'client', 'mandate'],
  raises: 'mandate',
  provedBy: 'grant_listing',
} as const

export const kindsOracle: { readonly [K in OperationKind]: KindOracle } = {
  beneficiary_create: {
    ...plain,
    resource: 'beneficiary',
    area: 'beneficiaries',
    target: null,
    provedBy: 'beneficiary_by_reference',
    shows: { unsettled: 'pending', succeeded: 'active', ...fails },
    route: 'POST /v1/beneficiaries | beneficiaries:write | 202 | K B O U',
    body: ({ payee }) => ({ ...payee }),
  },
  card_close: {
    ...card,
    passes: ['grant', 'client'],
    isProvedByState: true,
    shows: { unsettled: 'closing', succeeded: 'closed', ...asBefore },
    route: 'POST /v1/cards/{card_id}/close | cards:manage | 202 | K B U',
    given: 'active card',
  },
  card_create: {
    ...card,
    target: null,
    reports: ['brand', 'last_four'],
    shows: { unsettled: 'pending', succeeded: 'active', ...fails },
    route: 'POST /v1/cards | cards:manage | 202 | K B U',
    body: ({ currency }) => ({ label: 'Travel', type: 'virtual', currency }),
  },
  card_freeze: {
    ...card,
    passes: ['grant', 'client'],
    reports: ['changed_at'],
    shows: { unsettled: 'freezing', succeeded: 'frozen', ...asBefore },
    route: 'POST /v1/cards/{card_id}/freeze | cards:manage | 202 | K B U',
    given: 'active card',
  },
  card_unfreeze: {
    ...card,
    reports: ['changed_at'],
    shows: { unsettled: 'unfreezing', succeeded: 'active', ...asBefore },
    route: 'POST /v1/cards/{card_id}/unfreeze | cards:manage | 202 | K B U',
    given: 'frozen card',
  },
  mandate_create: {
    ...mandate,
    target: 'beneficiary',
    passes: [],
    raises: null,
    isApproved: true,
    provedBy: 'mandate_by_reference',
    shows: { unsettled: 'pending', succeeded: 'active', ...fails },
    route: 'POST /v1/mandates | spending:withdraw | 202 | K C B O U',
    given: 'beneficiary',
    body: ({ id, mandate }) => ({ beneficiary_id: id, ...mandate }),
  },
  mandate_revoke: {
    ...mandate,
    isProvedByState: true,
    shows: {
      unsettled: 'revoking',
      succeeded: 'revoked',
      failed: 'revocation_failed',
      cancelled: 'revocation_failed',
    },
    route: 'POST /v1/mandates/{mandate_id}/revoke | spending:withdraw | 202 | K C B O U',
    given: 'revocable mandate',
  },
  mandate_suspend: {
    ...mandate,
    shows: { unsettled: 'suspending', succeeded: 'suspended', failed: 'suspended', cancelled: 'suspended' },
    route: 'POST /v1/mandates/{mandate_id}/suspend | spending:withdraw | 202 | K B U',
    given: 'active mandate',
  },
  mandate_transfer: {
    ...plain,
    resource: 'mandate_transfer',
    area: 'beneficiaries',
    target: 'mandate',
    pays: true,
    provedBy: 'transaction_lookup',
    shows: isReleased,
    route: 'POST /v1/mandates/{mandate_id}/transfers | spending:withdraw | 202 | K B T U',
    given: 'mandate',
    body: ({ currency, memo }) => ({ amount: '1', currency, ...(memo && { reference: memo }) }),
  },
  transfer: {
    ...plain,
    resource: 'withdrawal',
    area: 'spending',
    target: 'beneficiary',
    pays: true,
    isApproved: true,
    provedBy: 'transaction_lookup',
    shows: isReleased,
    route: 'POST /v1/spending-account/withdrawals | spending:withdraw | 202 | K c B T U',
    given: 'beneficiary',
    body: ({ id, amount, currency, memo }) => ({ beneficiary_id: id, amount, currency, ...(memo && { memo }) }),
  },
  transfer_grant_revoke: {
    ...plain,
    resource: 'service_connection',
    area: 'onboarding',
    target: null,
    passes: ['grant', 'client', 'binding'],
    raises: 'binding',
    provedBy: 'grant_listing',
    isProvedByState: true,
    shows: {
      unsettled: 'disconnecting',
      succeeded: 'disconnected',
      failed: 'disconnected',
      cancelled: 'disconnected',
    },
    route: 'DELETE /v1/service-connections/current | services:read | 204 | C O U',
  },
}

/** Every kind, in the order of the table. */
export const oracleKinds = Object.keys(kindsOracle) as readonly OperationKind[]

export function kindsThat(is: (oracle: KindOracle) => boolean): readonly OperationKind[] {
  return oracleKinds.filter((kind) => is(kindsOracle[kind]))
}

export const cardChanges = kindsThat(({ resource, target }) => resource === 'card' && target === 'card')

/** True if the kind starts by a keyed request; a test makes any other request itself. */
export function isKeyed(kind: OperationKind): boolean {
  return marksOf(kind).includes('K')
}

/** The keyed `POST` of a client that starts an operation of the kind. */
export function requestOf(kind: OperationKind, values: WriteValues) {
  const { route, body } = kindsOracle[kind]
  const [path = ''] = /\/\S+/.exec(route) ?? []
  return {
    path: path.replace(/\{\w+\}/, values.id),
    ...(body === undefined ? {} : { body: body(values) }),
    /** True if the owner has to confirm the request. */
    isConfirmed: marksOf(kind).includes('C'),
  }
}

function marksOf(kind: OperationKind): readonly string[] {
  return kindsOracle[kind].route.split(' | ').at(-1)?.split(' ') ?? []
}

export function byKind<Value>(valueOf: (oracle: KindOracle, kind: OperationKind) => Value) {
  return Object.fromEntries(oracleKinds.map((kind) => [kind, valueOf(kindsOracle[kind], kind)])) as {
    [K in OperationKind]: Value
  }
}
