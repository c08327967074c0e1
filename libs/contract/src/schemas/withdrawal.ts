/** Withdrawals from the spending account. They have no resource of their own; clients read their operation. */

import { z } from 'zod'
import { currency, id, inMinorUnits, positiveAmount, text } from './primitives.ts'

/** The body of `POST /v1/spending-account/withdrawals`. It is checked against the provider's limits. */
export const createWithdrawalBody = z
  .strictObject({
    beneficiary_id: id.describe('To whom.'),
    amount: positiveAmount.describe(
      'How much, within the limits that the provider states; no finer than the smallest unit of the currency.',
    ),
    currency: currency.describe('ISO 4217.'),
    purpose_code: text(1, 128).optional().describe('One of the purposes of the limits.'),
    memo: text(0, 8192).optional().describe('What goes with it, where the limits allow one.'),
  })
  .superRefine(inMinorUnits((body) => body))
