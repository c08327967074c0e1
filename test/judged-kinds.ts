/**
 * What the judges of the tests know of each kind of operation: the simulation's invariants, the adversary's judges and the chaos
 * runs. It is a copy by hand, and shares nothing with the table of the code under test.
 */

import type { OperationKind } from '@financial-agents/operation-machine/kinds'

export type JudgedFence = 'grant' | 'client' | 'binding' | 'mandate'

export type JudgedKind = {
  /** The fences that do not stop it (write protocol, rule 8; and a mandate's own protection). */
  passes: readonly JudgedFence[]
  /** The fence of its own resource, without which it has not succeeded (rule 18). */
  raises: JudgedFence | null
  /** True where its failure lifts that fence. */
  lifts: boolean
  /** True where it moves money. */
  pays: boolean
  /** True where the fake provider may want its owner to approve it. */
  isApproved: boolean
}

/** Stopped by every fence, and raises none. */
const plain: JudgedKind = { passes: [], raises: null, lifts: false, pays: false, isApproved: false }

export const judgedKinds: { readonly [K in OperationKind]: JudgedKind } = {
  beneficiary_create: plain,
  card_close: { ...plain, passes: ['grant', 'client'] },
  card_create: plain,
  card_freeze: { ...plain, passes: ['grant', 'client'] },
  card_unfreeze: plain,
  mandate_create: { ...plain, isApproved: true },
  mandate_revoke: { ...plain, passes: ['grant', 'client', 'mandate'], raises: 'mandate' },
  mandate_suspend: { ...plain, passes: ['grant', 'client', 'mandate'], raises: 'mandate', lifts: true },
  mandate_transfer: { ...plain, pays: true },
  transfer: { ...plain, pays: true, isApproved: true },
  transfer_grant_revoke: { ...plain, passes: ['grant', 'client', 'binding'], raises: 'binding' },
}

/** The kinds of which it is true. */
export function kindsThat(is: (judged: JudgedKind) => boolean): readonly OperationKind[] {
  return (Object.keys(judgedKinds) as OperationKind[]).filter((kind) => is(judgedKinds[kind]))
}
