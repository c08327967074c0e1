/**
 * The limits that the provider states for withdrawals, read with the credentials of the owner's binding and kept for some
 * seconds. They grant nothing: the provider judges each withdrawal again.
 */

import type { WithdrawalLimits } from '@financial-agents/provider/account-reads'
import type { Provider } from '@financial-agents/provider/port'
import {
  brokenContract,
  createProviderReader,
  getBindingId,
  type ProviderReaderOptions,
  type ReadContext,
} from '@financial-agents/provider/reader'
import { createExpiringCache } from '@financial-agents/runtime/expiring-cache'

type Asked = { schema: string; currency: string }

export type WithdrawalLimitsReads = {
  /**
   * Null where the provider states none for this payout schema and currency.
   * @throws Problem provider_unavailable, provider_connection_unavailable, response_contract_failed, service_unavailable
   */
  get(context: ReadContext, asked: Asked): Promise<WithdrawalLimits | null>
}

const keptMs = 10_000
const maxKept = 10_000

export function createLimitsReads(options: ProviderReaderOptions & { provider: Provider }): WithdrawalLimitsReads {
  const reader = createProviderReader(options)
  const cache = createExpiringCache<WithdrawalLimits | null>({
    clock: options.clock,
    ttlMs: keptMs,
    maxEntries: maxKept,
  })

  async function read(context: ReadContext, asked: Asked): Promise<WithdrawalLimits | null> {
    const limits = await reader.read(context, (call) => options.provider.withdrawalLimits({ ...call, ...asked }))
    if (limits !== null && limits.currency !== asked.currency)
      throw brokenContract(new Error('withdrawal limits in another currency than was asked for'))
    return limits
  }

  return {
    get: async (context, asked) =>
      cache.get(JSON.stringify([getBindingId(context), asked.schema, asked.currency]), () => read(context, asked)),
  }
}
