/**
 * The refusal of a request for a quote: it names the member that the provider refused, and tells what to send instead.
 */

import { fieldsProblem, type Problem } from '@financial-agents/contract/problem'
import type { PurchaseQuoteMember, TransferQuoteMember } from '@financial-agents/provider-port/quotes'

type ProviderMember = TransferQuoteMember | PurchaseQuoteMember

const messages: Record<ProviderMember, string> = {
  source_currency: 'Send a currency from which the provider transfers.',
  target_currency: 'Send a currency to which the provider transfers from source_currency.',
  amount:
    'Send an amount that the provider quotes for: neither too small nor too large, with the digits of its currency.',
  beneficiary_reference: 'Name a beneficiary whom the provider pays in target_currency, or leave it out.',
  service_reference: 'Send the id of a service of GET /v1/services with the capability purchases.quote.',
  product_id: 'Send a product that the service offers.',
  quantity: 'Send a quantity that the provider sells at once.',
  recipient: 'Send a recipient in the form that the service takes, or leave it out where it takes none.',
}

export function refused(member: ProviderMember, message = messages[member]): Problem {
  // Clients send our identifiers, and the provider gets its own references.
  return fieldsProblem([{ path: member.replace(/_reference$/, '_id'), message }])
}
