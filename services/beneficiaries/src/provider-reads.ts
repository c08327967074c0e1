/**
 * The provider's reference data, read with the credentials of the owner's binding and kept for a minute. Moves nothing.
 * Every failure becomes the problem that the client is to see; what exactly failed goes to the log alone.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { Problem } from '@financial-agents/contract/problem'
import { type CredentialSource, createCredentials } from '@financial-agents/provider/credentials'
import type { AddressCountry, CallContext, Provider, ReadResult } from '@financial-agents/provider/port'
import type { Clock } from '@financial-agents/runtime/clock'
import { createExpiringCache } from '@financial-agents/runtime/expiring-cache'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { BrokenReferenceData, compilePayoutSchemas, type PayoutSchemas } from './payout-schemas.ts'

/** For whom is read, and within which trace. */
export type Reader = {
  principal: { binding_id: string | null }
  requestId: string
  traceparent: string
}

export type ProviderReads = {
  getPayoutSchemas(reader: Reader): Promise<PayoutSchemas>
  getAddressCountries(reader: Reader): Promise<readonly AddressCountry[]>
}

type Options = {
  provider: Provider
  bus: Bus
  /** Opens credentials in the context of their binding's id. */
  credentialSealer: Sealer
  clock: Clock
  log: Log
  readTimeoutMs: number
}

const referenceDataMs = 60_000
const maxBindings = 10_000
const credentialsTimeoutMs = 2_000

/** The reads of this process; each throws Problem and nothing else that a refusal could be made of. */
export function createProviderReads(options: Options): ProviderReads {
  const { clock, log, provider } = options
  const bounds = { clock, ttlMs: referenceDataMs, maxEntries: maxBindings }
  const credentials = createCredentials({
    ...options,
    sealer: options.credentialSealer,
    timeoutMs: credentialsTimeoutMs,
  })
  const schemas = createExpiringCache<PayoutSchemas>(bounds)
  const countries = createExpiringCache<readonly AddressCountry[]>(bounds)

  async function read<Data>(
    reader: Reader,
    bindingId: string,
    send: (context: CallContext) => Promise<ReadResult<Data>>,
  ): Promise<Data> {
    const result = await send({
      credentials: await getCredentials(credentials, bindingId),
      timeoutMs: options.readTimeoutMs,
      traceHeaders: { traceparent: reader.traceparent },
    })
    if (result.type === 'ok') return result.data
    if (result.type === 'contract_broken') throw brokenContract(new Error(result.reason))
    if (result.reason !== 'provider_authentication_failed')
      throw new Problem('provider_unavailable', { cause: new Error(result.reason) })
    credentials.drop(bindingId)
    throw notConnected(new Error(result.reason))
  }

  return {
    getPayoutSchemas: (reader) =>
      ofBinding(reader, (id) =>
        schemas.get(id, async () => {
          const given = await read(reader, id, (context) => provider.payoutSchemas(context))
          return compiled(() => compilePayoutSchemas(given, warnOfPattern(log)))
        }),
      ),
    getAddressCountries: (reader) =>
      ofBinding(reader, (id) =>
        countries.get(id, () => read(reader, id, (context) => provider.addressCountries(context))),
      ),
  }
}

async function ofBinding<Data>(reader: Reader, get: (bindingId: string) => Promise<Data>): Promise<Data> {
  const { binding_id } = reader.principal
  if (binding_id === null) throw notConnected(new Error('the principal has no binding'))
  return get(binding_id)
}

async function getCredentials(source: CredentialSource, bindingId: string): Promise<string> {
  const found = await source.find(bindingId)
  if (found.type === 'open') return found.credentials
  if (found.type === 'missing') throw notConnected(new Error('onboarding knows no credentials of the binding'))
  throw new Problem('service_unavailable', { cause: new Error('onboarding gave no credentials') })
}

function compiled(compile: () => PayoutSchemas): PayoutSchemas {
  try {
    return compile()
  } catch (error) {
    throw error instanceof BrokenReferenceData ? brokenContract(error) : error
  }
}

function brokenContract(cause: Error): Problem {
  return new Problem('response_contract_failed', {
    detail: 'The provider answered in a form that this API cannot show. It is logged under the request id.',
    cause,
  })
}

/** The owner's connection changed: the client reads the onboarding again. */
function notConnected(cause: Error): Problem {
  return new Problem('provider_connection_unavailable', { refreshOnboarding: true, cause })
}

function warnOfPattern(log: Log): (schemaId: string, key: string) => void {
  return (schemaId, key) =>
    log.warn({ payout_schema_id: schemaId, field: key }, 'a pattern is beyond RE2: the provider alone will judge it')
}
