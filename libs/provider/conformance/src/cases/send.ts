/** Sends any read of the port. */

import type { CallContext, Provider, ReadResult } from '@financial-agents/provider-port/port'
import { providerReads, type ReadName } from '@financial-agents/provider-port/reads'
import type { ReadHarness } from './read-harness.ts'

type Send = (request: object) => Promise<ReadResult<unknown>>

/** Sends a request that gets data. A read for everybody gets no credentials. */
export function send(
  name: ReadName,
  provider: Provider,
  { credentials, timeoutMs }: CallContext,
  { asks }: ReadHarness,
): Promise<ReadResult<unknown>> {
  const row = providerReads[name]
  const asked = name in asks ? asks[name as keyof typeof asks] : row.asks?.parse({})
  return (provider[name] as Send)({ timeoutMs, ...(row.person ? { credentials } : {}), ...asked })
}
