/**
 * The form of an adapter package: an npm package whose default export is a `ProviderAdapter`. An installation names its
 * adapters, and a binding names the one that serves it.
 *
 * Invariant: the declared facts are data. They are read before anything is opened, and an adapter does no more than they say.
 */

import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { Provider } from './port.ts'

/** The version of the port. It rises with every change that an adapter has to follow. */
export const portVersion = 1

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
   * Opens the port. No connection is made before the first call.
   * @throws AdapterError if a variable is missing or wrong; the message names it, without its value
   */
  open(settings: AdapterSettings): Provider
}

/** The adapter cannot be opened with these variables. The message is one line that says what to do. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError'
}
