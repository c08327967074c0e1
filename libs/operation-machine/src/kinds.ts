/**
 * The closed set of operation kinds (contract, "Operation"): the resource of each kind, and which kinds are protective.
 * A protective kind only takes authority away, so a fence on the grant or the client does not stop it (write protocol,
 * rule 8).
 */

/** Every kind of operation. */
export const operationKinds = [
  'beneficiary_create',
  'card_close',
  'card_create',
  'card_freeze',
  'card_unfreeze',
  'mandate_create',
  'mandate_revoke',
  'mandate_suspend',
  'mandate_transfer',
  'transfer',
  'transfer_grant_revoke',
] as const

/** A kind of operation. */
export type OperationKind = (typeof operationKinds)[number]

/** The kinds that pay. Each of them can be read as a transfer, and counts towards the daily ceilings. */
export const paymentKinds = ['mandate_transfer', 'transfer'] as const satisfies readonly OperationKind[]

/** The types of resources that operations concern. */
export const resourceTypes = [
  'beneficiary',
  'mandate',
  'card',
  'withdrawal',
  'mandate_transfer',
  'service_connection',
] as const

/** The type of the resource that an operation concerns. */
export type ResourceType = (typeof resourceTypes)[number]

/** The types of objects on which a fence can be raised. */
export const fenceTargets = ['grant', 'client', 'binding', 'mandate'] as const

/** The type of object on which a fence is raised. The fence stops submissions that depend on that object. */
export type FenceTarget = (typeof fenceTargets)[number]

type KindFacts = {
  /** The `resource_type` of the operation. */
  resource: ResourceType
  /** Fences that do not stop an operation of this kind before its claim. */
  passesFences: readonly FenceTarget[]
  /**
   * The fence on the operation's own resource that commits together with its claim. The operation can therefore not
   * succeed while further claims for the resource are possible.
   */
  raisesFence?: FenceTarget
  /**
   * Set if a failure of the operation makes the resource usable again, so that its fence may be lifted. Every other
   * fence that was raised with a claim stays for good.
   */
  fenceMayBeLifted?: true
}

/** The facts about each kind. */
export const kindFacts: { readonly [K in OperationKind]: KindFacts } = {
  beneficiary_create: { resource: 'beneficiary', passesFences: [] },
  card_close: { resource: 'card', passesFences: ['grant', 'client'] },
  card_create: { resource: 'card', passesFences: [] },
  card_freeze: { resource: 'card', passesFences: ['grant', 'client'] },
  card_unfreeze: { resource: 'card', passesFences: [] },
  mandate_create: { resource: 'mandate', passesFences: [] },
  mandate_revoke: { resource: 'mandate', passesFences: ['grant', 'client', 'mandate'], raisesFence: 'mandate' },
  mandate_suspend: {
    resource: 'mandate',
    passesFences: ['grant', 'client', 'mandate'],
    raisesFence: 'mandate',
    fenceMayBeLifted: true,
  },
  mandate_transfer: { resource: 'mandate_transfer', passesFences: [] },
  transfer: { resource: 'withdrawal', passesFences: [] },
  transfer_grant_revoke: {
    resource: 'service_connection',
    passesFences: ['grant', 'client', 'binding'],
    raisesFence: 'binding',
  },
}

const known: ReadonlySet<string> = new Set(operationKinds)

/** True for a kind of the closed set. */
export function isOperationKind(kind: string): kind is OperationKind {
  return known.has(kind)
}
