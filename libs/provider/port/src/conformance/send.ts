/** Sends any read of the port. */

import type { CallContext, Provider, ReadResult } from '../port.ts'
import { providerReads, type ReadName } from '../reads.ts'
import type { ReadBench } from './read-bench.ts'

type Send = (request: object) => Promise<ReadResult<unknown>>

/** Sends a request that gets data. A read for everybody gets no credentials. */
export function send(
  name: ReadName,
  provider: Provider,
  { credentials, timeoutMs }: CallContext,
  { asks }: ReadBench,
): Promise<ReadResult<unknown>> {
  const row = providerReads[name]
  const asked = name in asks ? asks[name as keyof typeof asks] : row.asks?.parse({})
  return (provider[name] as Send)({ timeoutMs, ...(row.person ? { credentials } : {}), ...asked })
}
