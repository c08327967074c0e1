/** The state of the provider's identity check of a test user. */

import type { Clock } from '@financial-agents/runtime/clock'
import type { IdentityStatus, TestUser } from './test-users.ts'

export type Identity = { readonly status: IdentityStatus; readonly reason: string | null; readonly changed_at: string }

export type Identities = {
  show(testUser: TestUser): Identity
  /** True if an earlier check has lapsed. The test user must pass a new one before most other calls. */
  hasLapsed(testUser: TestUser): boolean
  record(testUser: string, status: IdentityStatus, reason: string | null): void
}

export function createIdentities(clock: Clock): Identities {
  const changed = new Map<string, Identity>()
  const startedAt = clock.now().toISOString()
  const show = ({ id, identity }: TestUser): Identity =>
    changed.get(id) ?? { status: identity, reason: null, changed_at: startedAt }
  return {
    show,
    hasLapsed: (testUser) => show(testUser).status === 'lapsed',
    record(testUser, status, reason) {
      changed.set(testUser, { status, reason, changed_at: clock.now().toISOString() })
    },
  }
}
