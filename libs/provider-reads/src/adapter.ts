/**
 * Which provider's adapter the services use: the one place that names it. The services give it an address and how many
 * connections it may have; everything else about a provider is its adapter's own business.
 */

import type { Provider } from '@financial-agents/provider/port'
import { createFakeAdapter } from '@financial-agents/provider-fake/adapter'
import { measured } from './measured.ts'

/** What a process gives its adapter. */
export type AdapterOptions = {
  /** The provider's address. */
  readonly baseUrl: string
  /** Open connections at most; also how many calls are in flight at most. */
  readonly connections: number
  /** Apart from a call's own time-out. */
  readonly connectTimeoutMs: number
}

/** Opens the port. No connection is made until the first call. */
export function createAdapter(options: AdapterOptions): Provider {
  return measured(createFakeAdapter(options))
}
