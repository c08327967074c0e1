/**
 * The schema of the provider's answer to a request for a quote: a quote, or the member of the request that it refuses.
 */

import type { PurchaseQuoteMember, TransferQuoteMember } from '@financial-agents/provider-port/quotes'
import { z } from 'zod'

export function quotedOr<Member extends TransferQuoteMember | PurchaseQuoteMember, Quote extends z.ZodType>(
  members: readonly Member[],
  quote: Quote,
) {
  return z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('quoted'), quote }),
    z.strictObject({ type: z.literal('refused'), member: z.enum(members) }),
  ])
}
