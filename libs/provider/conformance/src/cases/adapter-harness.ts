/**
 * The harness of an adapter package, as the program `provider-conformance` takes it: for a provider that does not speak the Provider API.
 * The author of the adapter writes it over the sandbox, or a fake, of the provider.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { ReadName } from '@financial-agents/provider-port/reads'
import type { ConformanceHarness } from './harness.ts'
import type { ReadHarness } from './read-harness.ts'

export type AdapterHarness = {
  /** The kinds of the adapter. */
  readonly kinds: readonly OperationKind[]
  readonly harness: ConformanceHarness
  readonly readHarness: ReadHarness
  /** The reads that the provider offers; all of them if absent. The report names the others. */
  readonly reads?: readonly ReadName[]
  /** Ends what `open` started. */
  readonly close: () => Promise<void>
}

/** The default export of a harness. */
export type OpenAdapterHarness = () => AdapterHarness | Promise<AdapterHarness>
