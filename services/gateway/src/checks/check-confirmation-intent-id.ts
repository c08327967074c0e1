/**
 * A write that the owner confirms names the confirmation, once. Where only the policy of the grant may ask for one, the
 * area judges whether it does.
 */

import type { Exchange } from '../exchange.ts'
import { checkIdentifierHeader } from './check-idempotency-key.ts'

export function checkConfirmationIntentId({ headers, row }: Exchange): void {
  if (headers.confirmationIntentId === undefined && row?.confirmation?.needed !== 'always') return
  checkIdentifierHeader(headers, 'Confirmation-Intent-ID', 'confirmationIntentId')
}
