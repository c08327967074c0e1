/**
 * The form of an adapter package: an npm package whose default export is a `ProviderAdapter`. An installation names its
 * adapters, and a binding names the one that serves it.
 *
 * Invariant: the declared facts are data. They are read before anything is opened, and an adapter does no more than they say.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { Provider } from './port.ts'

/** The version of the port. It rises with every change that an adapter has to follow. */
export const portVersion = 1

/**
 * The kinds that this system can execute itself, for a provider that knows nothing of them: a mandate is then a promise that the
 * system alone keeps, and the end of a connection is the end of what the system knows of it. The durable outcome of the operation
 * is the execution: nothing else happens anywhere, so that every lookup of a claimed operation finds it.
 */
export const kindsExecutedHere = [
  'mandate_create',
  'mandate_revoke',
  'mandate_suspend',
  'transfer_grant_revoke',
] as const satisfies readonly OperationKind[]

export type KindExecutedHere = (typeof kindsExecutedHere)[number]

export type AdapterSettings = {
  /**
   * The adapter's own variables, without their prefix: `PROVIDER_ACME__URL` of the adapter `acme` is `URL`. Secrets are
   * among them: no value belongs into an error or a log.
   */
  readonly variables: Readonly<Record<string, string>>
  /** The most open connections, and so the most calls in flight. */
  readonly connections: number
  /** Bounds the making of a connection; each call has its own time-out as well. */
  readonly connectTimeoutMs: number
}

/** The default export of an adapter package. */
export type ProviderAdapter = {
  /** The version of the port for which it was written; `portVersion` at that time. */
  readonly portVersion: number
  /** The kinds that it supports. Every other kind is refused at acceptance. */
  readonly kinds: readonly OperationKind[]
  /**
   * The kinds among `kinds` that the system executes itself; the port that `open` makes is never asked for them. The three kinds of
   * mandates belong together. With them, a `mandate_transfer` reaches the port as a `transfer` to the mandate's beneficiary.
   */
  readonly executedHere?: readonly KindExecutedHere[]
  /**
   * Opens the port. No connection is made before the first call.
   * @throws AdapterError if a variable is missing or wrong; the message names it, without its value
   */
  open(settings: AdapterSettings): Provider
}

/** The adapter cannot be opened with these variables. The message is one line that says what to do. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError'
}
