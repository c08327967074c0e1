/** Pages of what the owner's money did, as the provider lists them, kept for some seconds. */

import { activityItem } from '@financial-agents/contract/schemas/activity'
import type { ActivityPlace } from '@financial-agents/provider/activity-pages'
import type { ActivityPage } from '@financial-agents/provider/activity-reads'
import type { Provider } from '@financial-agents/provider/port'
import type { ProviderReader, ReadContext } from '@financial-agents/provider/reader'
import { z } from 'zod'
import { checkedAnswer } from '../checked-answer.ts'

export type ActivityRead = {
  /** @throws Problem as a provider's reader does */
  get(context: ReadContext, place: ActivityPlace): Promise<ActivityPage>
}

const { source, direction, amount, status } = activityItem.shape

const page = z.object({
  items: z
    .array(
      z.object({
        reference: z.string().min(1).max(512),
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

export function createActivityRead(options: { reader: ProviderReader; provider: Provider }): ActivityRead {
  const { reader, provider } = options
  return reader.cached({
    name: 'activity',
    ttlMs: 3_000,
    // A page may hold a hundred items and their texts.
    maxEntries: 1_000,
    send: async (call, place: ActivityPlace) => checkedAnswer(page, await provider.activity({ ...call, ...place })),
  })
}
