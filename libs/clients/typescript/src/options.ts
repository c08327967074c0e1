/** The options of a client. */

import type { Auth } from './auth/profile.ts'
import type { Fetch } from './http.ts'
import type { OnOwnerNeeded } from './owner.ts'
import type { Hooks } from './request-log.ts'
import type { Store } from './store.ts'

/** Options of a client. */
export type FinancialAgentsOptions = Hooks & {
  /** The environment's origin, for example `https://api.example.com`. Plain HTTP is accepted on loopback only. */
  baseUrl: string
  /** The registered client id. */
  clientId: string
  /** The client's profile: `service`, `device`, `native`, `spa` or `web`, each from its own module. */
  auth: Auth
  /** Keeps keys, tokens and durable writes. Without it they end with the process. */
  store?: Store
  /** Your name for the owner whose grant this is, if one store serves several owners. */
  account?: string
  /** Shows the owner a page: sign-in, confirmation, approval. */
  onOwnerNeeded?: OnOwnerNeeded
  /** Another `fetch`, for example one with a proxy. */
  fetch?: Fetch
  /** The time-out of one attempt, in milliseconds (30,000). */
  attemptTimeoutMs?: number
  /** The time for which calls repeat what may be repeated, in milliseconds (60,000). */
  retryForMs?: number
}
