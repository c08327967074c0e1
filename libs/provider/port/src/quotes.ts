/** The port's reads of quotes, purchasable services and purchases. A quote promises nothing and moves nothing. */

import type { Money } from './account-reads.ts'
import type { CallContext, SubmissionTarget } from './port.ts'

/** A quote, or the member of the request for which the provider gives no quote. */
export type Quoted<Quote, Member extends string> =
  | { readonly type: 'quoted'; readonly quote: Quote }
  | { readonly type: 'refused'; readonly member: Member }

export type TransferQuoteRequest = CallContext & {
  readonly sourceCurrency: string
  readonly targetCurrency: string
  /** A decimal string; the amount of the fixed side. */
  readonly amount: string
  readonly fixedSide: 'source' | 'target'
  readonly beneficiary?: SubmissionTarget | undefined
}

/** Wire names, as `POST /v1/quotes` shows it. */
export type TransferQuote = {
  readonly source: Money
  readonly target: Money
  readonly rate: string
  readonly fee: Money
  readonly rail: string
  readonly estimated_arrival: string | null
  readonly expires_at: string
}

export type TransferQuoteMember = 'source_currency' | 'target_currency' | 'amount' | 'beneficiary_id'

/** A service that can be bought through the provider, the same for everybody. */
export type PurchasableService = {
  /** The provider's own reference; it never changes. */
  readonly reference: string
  readonly name: string
  /** Lower-case letters, digits and underscores. */
  readonly category: string
  readonly documentation_url: string | null
  readonly product_ids: readonly string[]
}

export type PurchaseQuoteRequest = CallContext & {
  /** The provider's reference of the service. */
  readonly service: string
  readonly productId: string
  readonly quantity: number
  readonly recipient?: string | undefined
}

export type PurchaseQuoteMember = 'service_id' | 'product_id' | 'quantity' | 'recipient'

export type ProviderPurchaseQuote = {
  /** The provider's own reference. */
  readonly reference: string
  readonly total: Money
  readonly expires_at: string
}

export type ProviderPurchase = {
  /** The provider's own reference. */
  readonly reference: string
  /** Reference of the quote that the purchase was bound to. */
  readonly quote_reference: string
  readonly service_reference: string
  readonly state: 'released' | 'fulfilled' | 'refunded'
  readonly total: Money
  readonly released_at: string
  readonly updated_at: string
}
