/** Pages of the owner's activity as the provider lists it, cached for a few seconds. */

import type { ActivityPlace } from '@financial-agents/provider-client/activity-pages'
import { checkedAnswer } from '@financial-agents/provider-client/checked-answer'
import type { ProviderReader, ReadContext } from '@financial-agents/provider-client/reader'
import { type ActivityPage, activityPage } from '@financial-agents/provider-port/activity-reads'
import type { Provider } from '@financial-agents/provider-port/port'

export type ActivityRead = {
  /** @throws Problem as a provider's reader does */
  get(context: ReadContext, place: ActivityPlace): Promise<ActivityPage>
}

export function createActivityRead(options: { reader: ProviderReader; provider: Provider }): ActivityRead {
  const { reader, provider } = options
  return reader.cached({
    name: 'activity',
    ttlMs: 3_000,
    // A page may hold a hundred items with their texts.
    maxEntries: 1_000,
    send: async (call, place: ActivityPlace) =>
      checkedAnswer(activityPage, await provider.activity({ ...call, ...place })),
  })
}
