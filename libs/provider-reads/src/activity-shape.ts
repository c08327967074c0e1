/** A page of activity as an adapter has to answer it: our shape, but for what is made of it here. */

import { activityItem } from '@financial-agents/contract/schemas/activity'
import { providerReference } from '@financial-agents/provider/storable'
import { z } from 'zod'

const { source, direction, amount, status } = activityItem.shape

/** Checks the answer of `activity`. Providers have pages of sizes of their own. */
export const activityPage = z.object({
  items: z
    .array(
      z.object({
        reference: providerReference,
        source,
        direction,
        amount,
        status,
        description: z.string(),
        counterparty_name: z.string().nullable(),
        merchant_category: z.string().nullable(),
        occurred_at: z.iso.datetime({ offset: true }),
      }),
    )
    .max(1_000),
  nextCursor: z.string().nullable(),
})
