/**
 * The harness of the conformance cases of reads: the adapter under test, a person with data, another person, and a count of the
 * mutations that reached the provider. It has queries that the provider answers, and queries that the provider refuses. Cases
 * that need a fault which the harness does not offer are left out.
 */

import type { CallContext, Provider, SubmissionTarget } from '@financial-agents/provider-port/port'
import type { PurchaseQuoteMember, TransferQuoteMember } from '@financial-agents/provider-port/quotes'
import type { AskingName, ReadAsks, ReadName } from '@financial-agents/provider-port/reads'

/** A fault that the provider makes on order, with a read. */
export const readFaults = [
  /** Answers far later than the caller waits. */
  'slow',
  /** Answers with the right data in a shape that it does not promise. */
  'malform',
  /** Knows the credentials, and refuses to answer them. */
  'refuse',
] as const

export type ReadFault = (typeof readFaults)[number]

export type ReadHarness = {
  readonly provider: Provider
  /** The same adapter, for an address at which nothing listens. */
  readonly unreachable: Provider
  /** The faults that can be ordered. Cases that need another fault are left out. */
  readonly faults: ReadonlySet<ReadFault>
  /** A person with accounts, purchases, and at least twenty movements, of every source. The time-out suffices for any answer. */
  readonly person: CallContext
  /** Another person with movements. */
  readonly stranger: CallContext
  /** Well-formed credentials that belong to nobody. */
  readonly refusedCredentials: string
  /** A card of the person that was used at least once. */
  readonly card: SubmissionTarget
  /** For each read with a request: a request that gets data. */
  readonly asks: { readonly [Name in AskingName]: ReadAsks<Name> }
  /** Requests that get no quote, each with the member that is refused. */
  readonly refusedTransferQuotes: readonly (readonly [TransferQuoteMember, ReadAsks<'transferQuote'>])[]
  readonly refusedPurchaseQuotes: readonly (readonly [PurchaseQuoteMember, ReadAsks<'purchaseQuote'>])[]
  /** Orders a fault for the next call of this read alone. */
  readonly order: (fault: ReadFault, read: ReadName) => Promise<void>
  /** The number of mutations of any person that reached the provider until now. */
  readonly countMutations: () => Promise<number>
}

/** One guarantee of the port's reads. `run` rejects with an AssertionError if the adapter breaks it. */
export type ReadCase = {
  readonly name: string
  /** Faults that the harness has to offer. */
  readonly needs: readonly ReadFault[]
  readonly run: (harness: ReadHarness) => Promise<void>
}
