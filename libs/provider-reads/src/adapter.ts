/**
 * The one place that names the adapter of the services. A service gives it an address and bounds of its connections; the
 * adapter knows everything else about the provider.
 */

import type { Provider } from '@financial-agents/provider/port'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { measured } from './measured.ts'

/** Options that a process gives its adapter. */
export type AdapterOptions = {
  /** The provider's address. */
  readonly baseUrl: string
  /** The most open connections, and so the most calls in flight. */
  readonly connections: number
  /** Bounds the making of a connection; each call has its own time-out as well. */
  readonly connectTimeoutMs: number
}

/** Opens the port, with metrics. No connection is made before the first call. */
export function createAdapter(options: AdapterOptions): Provider {
  return measured(createHttpAdapter(options))
}
