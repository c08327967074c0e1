/**
 * The bench of an adapter package, as the program `provider-conformance` takes it: for a provider that does not speak the Provider API.
 * The author of the adapter writes it over the sandbox, or a fake, of the provider.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { ReadName } from '../reads.ts'
import type { ConformanceBench } from './bench.ts'
import type { ReadBench } from './read-bench.ts'

export type AdapterBench = {
  /** The kinds of the adapter. */
  readonly kinds: readonly OperationKind[]
  readonly bench: ConformanceBench
  readonly readBench: ReadBench
  /** The reads that the provider offers; all of them if absent. The report names the others. */
  readonly reads?: readonly ReadName[]
  /** Ends what `open` started. */
  readonly close: () => Promise<void>
}

/** The default export of a bench. */
export type OpenAdapterBench = () => AdapterBench | Promise<AdapterBench>
