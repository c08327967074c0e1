/** The parts that all calls of one client share. */

import type { AuthContext } from './auth/profile.ts'
import type { Clock } from './clock.ts'
import type { Fetch } from './http.ts'
import type { OnOwnerNeeded } from './owner.ts'
import type { Session } from './session.ts'
import type { Store } from './store.ts'

/** An event for logs: never a token, a key or a body. */
export type LogEntry =
  | { event: 'answered'; method: string; path: string; status: number; requestId: string | null; ms: number }
  | { event: 'repeating'; method: string; path: string; reason: string; afterMs: number }

/** Receives an entry for each answer and for each repetition. */
export type Logger = (entry: LogEntry) => void

/** The parts that all calls of one client share. */
export type Core = {
  /** The environment's origin. */
  origin: string
  /** Names client and owner within the environment: the prefix of the store, and a part of every key. */
  scope: string
  http: Fetch
  clock: Clock
  session: Session
  /** The store of this client and owner. */
  store: Store
  onOwnerNeeded: OnOwnerNeeded | undefined
  log: Logger
  retryForMs: number
  /** The proofs, and the options of requests to the authorization server. */
  context(signal?: AbortSignal): Promise<AuthContext>
}
