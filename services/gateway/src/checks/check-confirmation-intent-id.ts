/**
 * A write that the owner confirms names the confirmation exactly once. If only the grant's policy may require one, the
 * area decides if it does.
 */

import type { Exchange } from '../exchange.ts'
import { checkIdentifierHeader } from './check-idempotency-key.ts'

export function checkConfirmationIntentId({ headers, row }: Exchange): void {
  if (headers.confirmationIntentId === undefined && row?.confirmation?.needed !== 'always') return
  checkIdentifierHeader(headers, 'Confirmation-Intent-ID', 'confirmationIntentId')
}
