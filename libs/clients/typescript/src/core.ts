/** The parts that all calls of one client share. */

import type { AuthContext } from './auth/profile.ts'
import type { Clock } from './clock.ts'
import type { Fetch } from './http.ts'
import type { OnOwnerNeeded } from './owner.ts'
import type { Hooks } from './request-log.ts'
import type { Session } from './session.ts'
import type { Store } from './store.ts'

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
  hooks: Hooks
  retryForMs: number
  /** The proofs, and the options of requests to the authorization server. */
  context(signal?: AbortSignal): Promise<AuthContext>
}
