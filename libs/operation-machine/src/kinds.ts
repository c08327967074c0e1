/**
 * The closed set of operation kinds (contract, "Operation"), what resource each concerns, and which are protective:
 * kinds that only take authority away, so that a fence on the grant or the client does not stop them
 * (write protocol, rule 8).
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

/** The kinds that pay: each is a transfer to read, and counts in the ceilings of a day. */
export const paymentKinds = ['mandate_transfer', 'transfer'] as const satisfies readonly OperationKind[]

/** What operations are about. */
export const resourceTypes = [
  'beneficiary',
  'mandate',
  'card',
  'withdrawal',
  'mandate_transfer',
  'service_connection',
] as const

/** What an operation is about. */
export type ResourceType = (typeof resourceTypes)[number]

/** What a fence can stop. */
export const fenceTargets = ['grant', 'client', 'binding', 'mandate'] as const

/** What submissions are stopped by. */
export type FenceTarget = (typeof fenceTargets)[number]

type KindFacts = {
  /** The `resource_type` of the operation. */
  resource: ResourceType
  /** Fences that do not stop this kind before its claim. */
  passesFences: readonly FenceTarget[]
  /** The fence of its own resource, which commits with its claim: it cannot succeed before nothing more is claimed. */
  raisesFence?: FenceTarget
  /** Where its failure gives the resource back to use; any other fence raised with a claim is never lifted. */
  fenceMayBeLifted?: true
}

/** What is true of each kind. */
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

/** True for a kind of the closed set; anything else is a write-side type error. */
export function isOperationKind(kind: string): kind is OperationKind {
  return known.has(kind)
}
