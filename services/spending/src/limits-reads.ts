/**
 * The provider's limits for withdrawals, read with the credentials of the owner's binding and cached for a few seconds.
 * They grant nothing: the provider validates each withdrawal again.
 */

import { withdrawalLimits } from '@financial-agents/contract/schemas/account'
import { checkedAnswer } from '@financial-agents/provider-client/checked-answer'
import type { ProviderReader, ReadContext } from '@financial-agents/provider-client/reader'
import type { WithdrawalLimits } from '@financial-agents/provider-port/account-reads'
import type { Provider } from '@financial-agents/provider-port/port'

/** A payout schema, with optional filters. */
export type LimitsAsked = { schema: string; currency?: string | undefined; account_type?: string | undefined }

export type WithdrawalLimitsReads = {
  /**
   * Returns null if the provider states no limits for the question.
   * @throws Problem provider_unavailable, provider_connection_unavailable, response_contract_failed,
   * service_unavailable
   */
  get(context: ReadContext, asked: LimitsAsked): Promise<WithdrawalLimits | null>
}

const stated = withdrawalLimits.nullable()
const statedIn = (currency: string) =>
  stated.refine((limits) => limits === null || limits.currency === currency, { path: ['currency'] })

export function createLimitsReads(options: { reader: ProviderReader; provider: Provider }): WithdrawalLimitsReads {
  const { reader, provider } = options
  const limits = reader.cached({
    name: 'withdrawal_limits',
    ttlMs: 10_000,
    maxEntries: 10_000,
    send: async (call, schema: string, currency: string | null, account_type: string | null) =>
      checkedAnswer(
        currency === null ? stated : statedIn(currency),
        await provider.withdrawalLimits({
          ...call,
          schema,
          currency: currency ?? undefined,
          account_type: account_type ?? undefined,
        }),
      ),
  })
  return {
    get: (context, { schema, currency, account_type }) =>
      limits.get(context, schema, currency ?? null, account_type ?? null),
  }
}
