/** What a provider may answer to a request for a quote: one, or the member of the request that it does not quote for. */

import type { PurchaseQuoteMember, TransferQuoteMember } from '@financial-agents/provider/quotes'
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
