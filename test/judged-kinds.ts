/**
 * Facts about each kind of operation for the judges of the tests: the simulation's invariants, the adversary's judges
 * and the chaos runs. This table is copied by hand and shares nothing with the code under test.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'

export type JudgedFence = 'grant' | 'client' | 'binding' | 'mandate'

export type JudgedKind = {
  /** The fences that do not stop the kind (write protocol, rule 8, and a mandate's own protection). */
  passes: readonly JudgedFence[]
  /** The fence of its own resource that must exist before the kind has succeeded (rule 18), and stays; null: none. */
  raises: JudgedFence | null
  /** True if the kind moves money. */
  pays: boolean
  /** True if the fake provider may ask its owner to approve it. */
  isApproved: boolean
}

/** A kind that every fence stops and that raises none. */
const plain: JudgedKind = { passes: [], raises: null, pays: false, isApproved: false }

export const judgedKinds: { readonly [K in OperationKind]: JudgedKind } = {
  beneficiary_create: plain,
  card_close: { ...plain, passes: ['grant', 'client'] },
  card_create: plain,
  card_freeze: { ...plain, passes: ['grant', 'client'] },
  card_unfreeze: plain,
  mandate_create: { ...plain, isApproved: true },
  mandate_revoke: { ...plain, passes: ['grant', 'client', 'mandate'], raises: 'mandate' },
  mandate_suspend: { ...plain, passes: ['grant', 'client', 'mandate'], raises: 'mandate' },
  mandate_transfer: { ...plain, pays: true },
  transfer: { ...plain, pays: true, isApproved: true },
  transfer_grant_revoke: { ...plain, passes: ['grant', 'client', 'binding'], raises: 'binding' },
}

/** Returns the kinds that satisfy the condition. */
export function kindsThat(is: (judged: JudgedKind) => boolean): readonly OperationKind[] {
  return (Object.keys(judgedKinds) as OperationKind[]).filter((kind) => is(judgedKinds[kind]))
}
