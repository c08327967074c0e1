/**
 * The provider's reference data, read with the credentials of the owner's binding and cached for one minute. Moves
 * nothing.
 */

import type { PayoutSchema } from '@financial-agents/contract/schemas/beneficiary'
import { createPortRead } from '@financial-agents/provider-client/port-read'
import { brokenContract, type ProviderReader, type ReadContext } from '@financial-agents/provider-client/reader'
import type { VirtualAccountEconomics } from '@financial-agents/provider-port/account-reads'
import type { AddressCountry } from '@financial-agents/provider-port/payout-schemas'
import type { Provider } from '@financial-agents/provider-port/port'
import type { Log } from '@financial-agents/runtime/log'
import { BrokenReferenceData, compilePayoutSchemas, type PayoutSchemas } from './payout-schemas.ts'

export type ProviderReads = {
  getPayoutSchemas(context: ReadContext): Promise<PayoutSchemas>
  getAddressCountries(context: ReadContext): Promise<readonly AddressCountry[]>
  getVirtualAccountEconomics(context: ReadContext): Promise<readonly VirtualAccountEconomics[]>
}

/** The reads of this process. Each throws only Problems, and no Problem that would refuse a write. */
export function createProviderReads(dependencies: {
  reader: ProviderReader
  provider: Provider
  log: Log
}): ProviderReads {
  const schemas = createPortRead(dependencies, 'payoutSchemas', (given) =>
    // The answers of handlers are not read-only.
    compile(given as readonly PayoutSchema[], dependencies.log),
  )
  const countries = createPortRead(dependencies, 'addressCountries')
  const economics = createPortRead(dependencies, 'virtualAccountEconomics')
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
