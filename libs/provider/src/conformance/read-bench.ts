/**
 * What the conformance cases of reads need around the adapter under test: somebody with something to show, somebody else,
 * questions that the provider answers and such that it does not, and a count of what reached it. A sandbox offers what it
 * can; cases that need a fault it does not offer are left out and say so.
 */

import type { WithdrawalLimitsQuery } from '../account-reads.ts'
import type { CallContext, Provider, ReadResult, SubmissionTarget } from '../port.ts'
import type { PurchaseQuoteMember, PurchaseQuoteRequest, TransferQuoteMember, TransferQuoteRequest } from '../quotes.ts'

/** The port's reads: its members that answer with a `ReadResult`. */
export type ReadName = {
  [Name in keyof Provider]: ReturnType<Provider[Name]> extends Promise<ReadResult<unknown>> ? Name : never
}[keyof Provider]

/** What the provider can be told to do with a read. */
export const readFaults = [
  /** Answers after far longer than the caller waits. */
  'slow',
  /** Answers with what was asked for in a shape that it does not promise. */
  'malform',
  /** Knows the credentials, and will not answer them. */
  'refuse',
] as const

export type ReadFault = (typeof readFaults)[number]

type Asked<Request extends CallContext> = Omit<Request, keyof CallContext>

export type ReadBench = {
  readonly provider: Provider
  /** The same adapter for an address at which nothing listens. */
  readonly unreachable: Provider
  /** Which faults can be ordered; cases that need another are left out. */
  readonly faults: ReadonlySet<ReadFault>
  /** Somebody with accounts, purchases, and twenty movements or more, of every source. Time enough for any answer. */
  readonly person: CallContext
  /** Somebody else with movements. */
  readonly stranger: CallContext
  /** Well-formed, and nobody's. */
  readonly refusedCredentials: string
  /** Of the person, used at least once. */
  readonly card: SubmissionTarget
  /** What the provider states limits for. */
  readonly limits: Asked<WithdrawalLimitsQuery>
  /** What it quotes for, and what not because of which member. */
  readonly transferQuote: Asked<TransferQuoteRequest>
  readonly refusedTransferQuotes: readonly (readonly [TransferQuoteMember, Asked<TransferQuoteRequest>])[]
  readonly purchaseQuote: Asked<PurchaseQuoteRequest>
  readonly refusedPurchaseQuotes: readonly (readonly [PurchaseQuoteMember, Asked<PurchaseQuoteRequest>])[]
  /** In which it has prices. */
  readonly priceCurrency: string
  /** Of the next call of this read alone. */
  readonly order: (fault: ReadFault, read: ReadName) => Promise<void>
  /** How many mutations, whose ever, reached the provider until now. */
  readonly countMutations: () => Promise<number>
}

/** One guarantee of the port's reads. `run` rejects with an AssertionError where the adapter breaks it. */
export type ReadCase = {
  readonly name: string
  /** Faults that the provider has to offer. */
  readonly needs: readonly ReadFault[]
  readonly run: (bench: ReadBench) => Promise<void>
}
