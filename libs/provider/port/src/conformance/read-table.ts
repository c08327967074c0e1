/**
 * One row for each read of the port: its call on a bench, and the shape that its data must have. The shapes are the API's own
 * (libs/api/contract), with the provider's references in place of our identifiers. Data that passes can be shown.
 */

import { account, spendingAccount, withdrawalLimits } from '@financial-agents/contract/schemas/account'
import { cardActivityItem } from '@financial-agents/contract/schemas/activity'
import { addressCountries, payoutSchema, virtualAccountEconomics } from '@financial-agents/contract/schemas/beneficiary'
import { kycStatus } from '@financial-agents/contract/schemas/kyc'
import { dateTime } from '@financial-agents/contract/schemas/primitives'
import { purchase } from '@financial-agents/contract/schemas/purchase'
import { purchaseQuote, transferQuote } from '@financial-agents/contract/schemas/quote'
import { asset, fiatPrice } from '@financial-agents/contract/schemas/reference-data'
import { service } from '@financial-agents/contract/schemas/service'
import { z } from 'zod'
import { maxProviderCursorBytes } from '../activity-reads.ts'
import type { AnonymousCallContext, CallContext, Provider, ReadResult } from '../port.ts'
import type { ReadBench, ReadName } from './read-bench.ts'

/** One read. */
export type Read = {
  readonly shape: z.ZodType
  /** Called without credentials. */
  readonly anonymous?: true
  readonly send: (provider: Provider, call: CallContext, bench: ReadBench) => Promise<ReadResult<unknown>>
}

const reference = z.string().min(1)

function quoted(quote: z.ZodType) {
  return z.strictObject({ type: z.literal('quoted'), quote })
}

/** The rows by name; a missing one does not compile. */
export const reads: { readonly [Name in ReadName]: Read } = {
  accounts: {
    // At most the last four characters of a number.
    shape: z.array(
      account.omit({ id: true }).extend({
        reference,
        masked_number: z
          .string()
          .regex(/^\P{N}*\p{N}{0,4}$/u)
          .nullable(),
      }),
    ),
    send: (provider, call) => provider.accounts(call),
  },
  activity: {
    shape: z.strictObject({
      items: z.array(cardActivityItem.omit({ id: true, card_id: true }).extend({ reference, description: z.string() })),
      nextCursor: z
        .string()
        .min(1)
        .refine((cursor) => Buffer.byteLength(cursor) <= maxProviderCursorBytes)
        .nullable(),
    }),
    send: (provider, call) => provider.activity({ ...call, cursor: null, limit: 10 }),
  },
  addressCountries: {
    shape: addressCountries.shape.countries,
    send: (provider, call) => provider.addressCountries(call),
  },
  assets: { shape: z.array(asset), anonymous: true, send: (provider, call) => provider.assets(anonymous(call)) },
  fiatPrices: {
    shape: z.array(fiatPrice).min(1),
    anonymous: true,
    send: (provider, call, { priceCurrency }) => provider.fiatPrices({ ...anonymous(call), currency: priceCurrency }),
  },
  identityStatus: {
    shape: z.strictObject({ status: kycStatus, reason_code: z.string().min(1).nullable(), updated_at: dateTime }),
    send: (provider, call) => provider.identityStatus(call),
  },
  payoutSchemas: {
    shape: z.array(payoutSchema),
    send: (provider, call) => provider.payoutSchemas(call),
  },
  purchasableServices: {
    shape: z.array(
      service
        .pick({ name: true, category: true, documentation_url: true })
        .extend({ reference, product_ids: z.array(z.string().min(1).max(128)).min(1) }),
    ),
    anonymous: true,
    send: (provider, call) => provider.purchasableServices(anonymous(call)),
  },
  purchaseQuote: {
    shape: quoted(purchaseQuote.pick({ total: true, expires_at: true }).extend({ reference })),
    send: (provider, call, bench) => provider.purchaseQuote({ ...bench.purchaseQuote, ...call }),
  },
  purchases: {
    shape: z.array(
      purchase
        .omit({ id: true, quote_id: true, service_id: true })
        .extend({ reference, quote_reference: reference, service_reference: reference }),
    ),
    send: (provider, call) => provider.purchases(call),
  },
  spendingAccount: { shape: spendingAccount, send: (provider, call) => provider.spendingAccount(call) },
  transferQuote: {
    shape: quoted(transferQuote.omit({ id: true, indicative: true, executable: true })),
    send: (provider, call, bench) => provider.transferQuote({ ...bench.transferQuote, ...call }),
  },
  virtualAccountEconomics: {
    shape: virtualAccountEconomics.shape.items,
    send: (provider, call) => provider.virtualAccountEconomics(call),
  },
  withdrawalLimits: {
    shape: withdrawalLimits,
    send: (provider, call, { limits }) => provider.withdrawalLimits({ ...limits, ...call }),
  },
}

/** Each read with its name. */
export const allReads = Object.entries(reads) as readonly (readonly [ReadName, Read])[]

function anonymous({ timeoutMs }: CallContext): AnonymousCallContext {
  return { timeoutMs }
}
