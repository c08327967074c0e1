/** The owner's spending account as the provider states it, cached for a few seconds. */

import { spendingAccount } from '@financial-agents/contract/schemas/account'
import { checkedAnswer } from '@financial-agents/provider-client/checked-answer'
import type { ProviderReader, ReadContext } from '@financial-agents/provider-client/reader'
import type { SpendingAccount } from '@financial-agents/provider-port/account-reads'
import type { Provider } from '@financial-agents/provider-port/port'

export type SpendingAccountRead = {
  /** @throws Problem as a provider's reader does */
  get(context: ReadContext): Promise<SpendingAccount>
}

export function createSpendingAccountRead(options: {
  reader: ProviderReader
  provider: Provider
}): SpendingAccountRead {
  const { reader, provider } = options
  return reader.cached({
    name: 'spending_account',
    ttlMs: 3_000,
    maxEntries: 10_000,
    send: async (call) => checkedAnswer(spendingAccount, await provider.spendingAccount(call)),
  })
}
