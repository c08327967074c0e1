/**
 * The refusal of a request for a quote: it names the member that the provider refused, and tells what to send instead.
 */

import { fieldsProblem, type Problem } from '@financial-agents/contract/problem'
import type { PurchaseQuoteMember, TransferQuoteMember } from '@financial-agents/provider-port/quotes'

const messages: Record<TransferQuoteMember | PurchaseQuoteMember, string> = {
  source_currency: 'Send a currency from which the provider transfers.',
  target_currency: 'Send a currency to which the provider transfers from source_currency.',
  amount:
    'Send an amount that the provider quotes for: neither too small nor too large, with the digits of its currency.',
  beneficiary_id: 'Name a beneficiary whom the provider pays in target_currency, or leave it out.',
  service_id: 'Send the id of a service of GET /v1/services with the capability purchases.quote.',
  product_id: 'Send a product that the service offers.',
  quantity: 'Send a quantity that the provider sells at once.',
  recipient: 'Send a recipient in the form that the service takes, or leave it out where it takes none.',
}

export function refused(member: TransferQuoteMember | PurchaseQuoteMember, message = messages[member]): Problem {
  return fieldsProblem([{ path: member, message }])
}
