/** Withdrawals from the spending account. They have no resource of their own; clients read their operation. */

import { z } from 'zod'
import { documented } from './documented.ts'
import { currency, id, inMinorUnits, positiveAmount, text, withoutControls } from './primitives.ts'
import { ids } from './story.ts'

/** The body of `POST /v1/spending-account/withdrawals`. It is checked against the provider's limits. */
export const createWithdrawalBody = z
  .strictObject({
    beneficiary_id: id.describe('The beneficiary of the withdrawal.'),
    amount: positiveAmount.describe(
      'The amount, within the limits of the provider; no finer than the smallest unit of the currency.',
    ),
    currency: currency.describe('ISO 4217.'),
    purpose_code: withoutControls(text(1, 128)).optional().describe('One of the purposes that the limits list.'),
    memo: withoutControls(text(0, 8192)).optional().describe('The memo of the withdrawal, if the limits allow one.'),
  })
  .superRefine(inMinorUnits((body) => body))
  .register(documented, {
    examples: [{ beneficiary_id: ids.beneficiary, amount: '120.00', currency: 'EUR', memo: 'Deposit' }],
  })
