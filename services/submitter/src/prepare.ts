/**
 * Gathers what a claim needs: the operation as operations holds it, and the content to send. Nothing is decided here. Missing
 * knowledge delays the operation; only the INSERT of the claim cancels, fails or submits it.
 */

import type { AcceptedOperation } from '@financial-agents/bus/messages/operations'
import { type CredentialSource, createCredentials } from '@financial-agents/provider-client/credentials'
import type { Provider } from '@financial-agents/provider-port/port'
import { createSealer } from '@financial-agents/runtime/sealing'
import type { Dependencies } from './dependencies.ts'
import { createPayloads } from './payloads.ts'

export type Content = { payload: Readonly<Record<string, unknown>>; credentials: string; provider: Provider }

export type Prepared =
  /** The operation is no longer accepted, or operations does not know it: there is nothing to do. */
  | { type: 'settled' }
  | { type: 'unreachable' }
  /** Without content the operation can still be cancelled or failed, but not sent. */
  | { type: 'ready'; operation: AcceptedOperation; content: Content | null }

export type Preparation = {
  prepare: (operationId: string) => Promise<Prepared>
  dropRefused: CredentialSource['dropRefused']
}

export function createPreparation(
  dependencies: Pick<Dependencies, 'bus' | 'clock' | 'config' | 'log' | 'provider'>,
): Preparation {
  const { config, log } = dependencies
  const sealer = createSealer(config.PAYLOAD_KEYS)
  const payloads = createPayloads(dependencies)
  const credentials = createCredentials({
    ...dependencies,
    sealer: createSealer(config.CREDENTIAL_KEYS),
    timeoutMs: config.CALL_TIMEOUT_MS,
  })

  const openPayload = (operation: AcceptedOperation): Content['payload'] | null => {
    const id = operation.operation_id
    try {
      if (operation.payload_sealed === null) throw new Error('the payload is gone')
      const text = sealer.open(Buffer.from(operation.payload_sealed, 'base64'), id).toString('utf8')
      return JSON.parse(text) as Content['payload']
    } catch (error) {
      // Only the error's name: a parser's message quotes its input.
      log.error(
        { error_type: (error as Error).name, operation_id: id },
        'the payload of an accepted operation cannot be opened',
      )
      return null
    }
  }

  const prepare = async (operationId: string): Promise<Prepared> => {
    const fetched = await payloads.fetch(operationId)
    if (fetched.type === 'unreachable') return fetched
    if (fetched.type === 'unknown') {
      log.warn({ operation_id: operationId }, 'a message names an operation that operations does not have')
      return { type: 'settled' }
    }
    const { operation } = fetched
    if (operation.state !== 'accepted') return { type: 'settled' }
    const payload = openPayload(operation)
    const held = await credentials.find(operation.binding_id)
    const provider = held.type === 'open' ? dependencies.provider.of(held.provider) : undefined
    if (held.type === 'open' && provider === undefined)
      log.error(
        { operation_id: operationId, provider: held.provider },
        'no adapter serves the provider of a connection',
      )
    const content =
      payload !== null && held.type === 'open' && provider !== undefined
        ? { payload, credentials: held.credentials, provider }
        : null
    return { type: 'ready', operation, content }
  }

  return { prepare, dropRefused: credentials.dropRefused }
}
