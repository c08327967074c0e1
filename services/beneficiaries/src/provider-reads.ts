/**
 * The provider's reference data, read with the credentials of the owner's binding and cached for one minute. Moves
 * nothing.
 */

import {
  addressCountries,
  type PayoutSchema,
  payoutSchema,
  virtualAccountEconomics,
} from '@financial-agents/contract/schemas/beneficiary'
import { checkedAnswer } from '@financial-agents/provider-client/checked-answer'
import { brokenContract, type ProviderReader, type ReadContext } from '@financial-agents/provider-client/reader'
import type { VirtualAccountEconomics } from '@financial-agents/provider-port/account-reads'
import type { AddressCountry } from '@financial-agents/provider-port/payout-schemas'
import type { Provider } from '@financial-agents/provider-port/port'
import type { Log } from '@financial-agents/runtime/log'
import { z } from 'zod'
import { BrokenReferenceData, compilePayoutSchemas, type PayoutSchemas } from './payout-schemas.ts'

export type ProviderReads = {
  getPayoutSchemas(context: ReadContext): Promise<PayoutSchemas>
  getAddressCountries(context: ReadContext): Promise<readonly AddressCountry[]>
  getVirtualAccountEconomics(context: ReadContext): Promise<readonly VirtualAccountEconomics[]>
}

const ttlMs = 60_000

const payoutSchemas = z.array(payoutSchema).max(1_000)
const economicsListed = virtualAccountEconomics.shape.items.max(1_000)

/** The reads of this process. Each throws only Problems, and no Problem that would refuse a write. */
export function createProviderReads(dependencies: {
  reader: ProviderReader
  provider: Provider
  log: Log
}): ProviderReads {
  const { reader, provider, log } = dependencies
  const schemas = reader.cached({
    name: 'payout_schemas',
    ttlMs,
    send: async (call) =>
      checkedAnswer(payoutSchemas, await provider.payoutSchemas(call), (given) => compile(given, log)),
  })
  const countries = reader.cached({
    name: 'address_countries',
    ttlMs,
    send: async (call) => checkedAnswer(addressCountries.shape.countries, await provider.addressCountries(call)),
  })
  const economics = reader.cached({
    name: 'virtual_account_economics',
    ttlMs,
    send: async (call) => checkedAnswer(economicsListed, await provider.virtualAccountEconomics(call)),
  })
  return {
    getPayoutSchemas: (context) => schemas.get(context),
    getAddressCountries: (context) => countries.get(context),
    getVirtualAccountEconomics: (context) => economics.get(context),
  }
}

function compile(given: readonly PayoutSchema[], log: Log): PayoutSchemas {
  try {
    return compilePayoutSchemas(given, (schemaId, key) =>
      log.warn(
        { payout_schema_id: schemaId, field: key },
        'a pattern is beyond RE2: the provider alone will validate it',
      ),
    )
  } catch (error) {
    throw error instanceof BrokenReferenceData ? brokenContract(error) : error
  }
}
