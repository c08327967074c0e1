/**
 * The closed set of operation kinds (contract, "Operation") as one table: a row for each kind, with every fact about the kind
 * that more than one package uses. The lists of kinds and all their types derive from the rows.
 *
 * Invariant: only protective kinds pass the fences of the grant and the client. A protective kind only takes authority away
 * (write protocol, rule 8).
 */

export const resourceTypes = [
  'beneficiary',
  'mandate',
  'card',
  'withdrawal',
  'mandate_transfer',
  'service_connection',
] as const

export type ResourceType = (typeof resourceTypes)[number]

/** The services that own the resources of operations. */
export type Area = 'beneficiaries' | 'cards' | 'onboarding' | 'spending'

/** The types of objects on which a fence can be raised. */
export const fenceTargets = ['grant', 'client', 'binding', 'mandate'] as const

/** The type of object on which a fence is raised. The fence stops submissions that depend on that object. */
export type FenceTarget = (typeof fenceTargets)[number]

type KindFacts = {
  /** The name of the operation on operators' pages. The words for owners are messages of authz's catalogues, named as the kind. */
  operatorWord: string
  /** The `resource_type` of the operation. */
  resource: ResourceType
  /** The service that writes the kind and consumes its events. It owns the resource. */
  area: Area
  /**
   * The type of the resource that the mutation names and the provider already keeps: the beneficiary that a mandate or a
   * withdrawal pays, the mandate or the card that is changed or used. Null: the mutation names no resource. The credentials
   * themselves name the grant that a disconnect revokes.
   */
  target: 'beneficiary' | 'card' | 'mandate' | null
  /** The name of the provider's read that proves the outcome, as evidence states it. */
  provedBy: string
  /** True for a kind that pays. Its operations can be read as transfers, and count towards the daily limits. */
  pays: boolean
  /** Fences that do not stop an operation of this kind before its claim. */
  passesFences: readonly FenceTarget[]
  /**
   * The fence on the operation's own resource that commits together with its claim. The operation can therefore not
   * succeed while further claims for the resource are possible.
   */
  raisesFence?: FenceTarget
}

const rows = {
  beneficiary_create: {
    operatorWord: 'New beneficiary',
    resource: 'beneficiary',
    area: 'beneficiaries',
    target: null,
    provedBy: 'beneficiary_by_reference',
    pays: false,
    passesFences: [],
  },
  card_close: {
    operatorWord: 'Card closing',
    resource: 'card',
    area: 'cards',
    target: 'card',
    provedBy: 'card_read',
    pays: false,
    passesFences: ['grant', 'client'],
  },
  card_create: {
    operatorWord: 'New card',
    resource: 'card',
    area: 'cards',
    target: null,
    provedBy: 'card_read',
    pays: false,
    passesFences: [],
  },
  card_freeze: {
    operatorWord: 'Card freeze',
    resource: 'card',
    area: 'cards',
    target: 'card',
    provedBy: 'card_read',
    pays: false,
    passesFences: ['grant', 'client'],
  },
  card_unfreeze: {
    operatorWord: 'Card unfreeze',
    resource: 'card',
    area: 'cards',
    target: 'card',
    provedBy: 'card_read',
    pays: false,
    passesFences: [],
  },
  mandate_create: {
    operatorWord: 'New mandate',
    resource: 'mandate',
    area: 'beneficiaries',
    target: 'beneficiary',
    provedBy: 'mandate_by_reference',
    pays: false,
    passesFences: [],
  },
  mandate_revoke: {
    operatorWord: 'Mandate revocation',
    resource: 'mandate',
    area: 'beneficiaries',
    target: 'mandate',
    provedBy: 'grant_listing',
    pays: false,
    passesFences: ['grant', 'client', 'mandate'],
    raisesFence: 'mandate',
  },
  mandate_suspend: {
    operatorWord: 'Mandate suspension',
    resource: 'mandate',
    area: 'beneficiaries',
    target: 'mandate',
    provedBy: 'grant_listing',
    pays: false,
    passesFences: ['grant', 'client', 'mandate'],
    raisesFence: 'mandate',
  },
  mandate_transfer: {
    operatorWord: 'Payment under a mandate',
    resource: 'mandate_transfer',
    area: 'beneficiaries',
    target: 'mandate',
    provedBy: 'transaction_lookup',
    pays: true,
    passesFences: [],
  },
  transfer: {
    operatorWord: 'Withdrawal',
    resource: 'withdrawal',
    area: 'spending',
    target: 'beneficiary',
    provedBy: 'transaction_lookup',
    pays: true,
    passesFences: [],
  },
  transfer_grant_revoke: {
    operatorWord: 'Revocation of the provider’s transfer grant',
    resource: 'service_connection',
    area: 'onboarding',
    target: null,
    provedBy: 'grant_listing',
    pays: false,
    passesFences: ['grant', 'client', 'binding'],
    raisesFence: 'binding',
  },
} as const satisfies Readonly<Record<string, KindFacts>>

type Rows = typeof rows

export type OperationKind = keyof Rows

/** Union of the kinds whose row has this value for this fact. */
type KindWhere<Fact extends keyof KindFacts, Value> = {
  [K in OperationKind]: Rows[K] extends { readonly [F in Fact]: Value } ? K : never
}[OperationKind]

export type KindOfArea<A extends Area> = KindWhere<'area', A>

export type PaymentKind = KindWhere<'pays', true>

export const kindFacts: { readonly [K in OperationKind]: KindFacts } = rows

export const operationKinds = Object.keys(rows) as readonly OperationKind[]

export const paymentKinds = operationKinds.filter(isPaymentKind) as readonly PaymentKind[]

export function isPaymentKind(kind: OperationKind): kind is PaymentKind {
  return kindFacts[kind].pays
}

/** True for a kind of the closed set. */
export function isOperationKind(kind: string): kind is OperationKind {
  return Object.hasOwn(rows, kind)
}
