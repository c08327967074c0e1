/**
 * The words for each kind of operation on the operators' pages. The owner's pages have words of their own, in every
 * language.
 */

import type { OperationKind } from './kinds.ts'

type KindWords = {
  /** The name of the operation for operators. */
  operator: string
}

export const kindWords: { readonly [K in OperationKind]: KindWords } = {
  beneficiary_create: { operator: 'New beneficiary' },
  card_close: { operator: 'Card closing' },
  card_create: { operator: 'New card' },
  card_freeze: { operator: 'Card freeze' },
  card_unfreeze: { operator: 'Card unfreeze' },
  mandate_create: { operator: 'New mandate' },
  mandate_revoke: { operator: 'Mandate revocation' },
  mandate_suspend: { operator: 'Mandate suspension' },
  mandate_transfer: { operator: 'Payment under a mandate' },
  transfer: { operator: 'Withdrawal' },
  transfer_grant_revoke: { operator: 'Revocation of the provider’s transfer grant' },
}
