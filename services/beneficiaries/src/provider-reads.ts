/** The provider's reference data, read with the credentials of the owner's binding and kept for a minute. Moves nothing. */

import type { AddressCountry, Provider } from '@financial-agents/provider/port'
import {
  brokenContract,
  createProviderReader,
  getBindingId,
  type ProviderReaderOptions,
  type ReadContext,
} from '@financial-agents/provider/reader'
import { createExpiringCache } from '@financial-agents/runtime/expiring-cache'
import type { Log } from '@financial-agents/runtime/log'
import { BrokenReferenceData, compilePayoutSchemas, type PayoutSchemas } from './payout-schemas.ts'

export type ProviderReads = {
  getPayoutSchemas(context: ReadContext): Promise<PayoutSchemas>
  getAddressCountries(context: ReadContext): Promise<readonly AddressCountry[]>
}

const referenceDataMs = 60_000
const maxBindings = 10_000

/** The reads of this process; each throws Problem and nothing else that a refusal could be made of. */
export function createProviderReads(options: ProviderReaderOptions & { provider: Provider }): ProviderReads {
  const { clock, log, provider } = options
  const bounds = { clock, ttlMs: referenceDataMs, maxEntries: maxBindings }
  const reader = createProviderReader(options)
  const schemas = createExpiringCache<PayoutSchemas>(bounds)
  const countries = createExpiringCache<readonly AddressCountry[]>(bounds)

  return {
    getPayoutSchemas: async (context) =>
      schemas.get(getBindingId(context), async () => {
        const given = await reader.read(context, (call) => provider.payoutSchemas(call))
        return compiled(() => compilePayoutSchemas(given, warnOfPattern(log)))
      }),
    getAddressCountries: async (context) =>
      countries.get(getBindingId(context), () => reader.read(context, (call) => provider.addressCountries(call))),
  }
}

function compiled(compile: () => PayoutSchemas): PayoutSchemas {
  try {
    return compile()
  } catch (error) {
    throw error instanceof BrokenReferenceData ? brokenContract(error) : error
  }
}

function warnOfPattern(log: Log): (schemaId: string, key: string) => void {
  return (schemaId, key) =>
    log.warn({ payout_schema_id: schemaId, field: key }, 'a pattern is beyond RE2: the provider alone will judge it')
}
