/** Shape of a page of activity from an adapter: the API's shape, except the members that `activity-view.ts` makes. */

import { activityItem } from '@financial-agents/contract/schemas/activity'
import { providerReference } from '@financial-agents/provider-port/storable'
import { z } from 'zod'

const { source, direction, amount, status } = activityItem.shape

/** Checks the answer of `activity`. The bound allows for the page sizes of providers. */
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
