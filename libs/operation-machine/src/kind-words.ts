/** The words for each kind of operation that people read: owners at the account pages, operators at the console. */

import type { OperationKind } from './kinds.ts'

type KindWords = {
  /** The purpose of the operation, in words for its owner. Begins with a verb. */
  owner: string
  /** The name of the operation for operators. */
  operator: string
}

export const kindWords: { readonly [K in OperationKind]: KindWords } = {
  beneficiary_create: { owner: 'Add somebody to pay', operator: 'New beneficiary' },
  card_close: { owner: 'Close a card', operator: 'Card closing' },
  card_create: { owner: 'Create a card', operator: 'New card' },
  card_freeze: { owner: 'Freeze a card', operator: 'Card freeze' },
  card_unfreeze: { owner: 'Unfreeze a card', operator: 'Card unfreeze' },
  mandate_create: { owner: 'Set up repeated payments', operator: 'New mandate' },
  mandate_revoke: { owner: 'End repeated payments', operator: 'Mandate revocation' },
  mandate_suspend: { owner: 'Pause repeated payments', operator: 'Mandate suspension' },
  mandate_transfer: { owner: 'Make one of the repeated payments', operator: 'Payment under a mandate' },
  transfer: { owner: 'Withdraw money', operator: 'Withdrawal' },
  transfer_grant_revoke: {
    owner: 'End the permission for transfers at the provider',
    operator: 'Revocation of the provider’s transfer grant',
  },
}
