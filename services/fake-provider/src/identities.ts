/** The state of the provider's identity check of a test user. */

import type { IdentityStatus } from '@financial-agents/provider-port/identity'
import type { Clock } from '@financial-agents/runtime/clock'
import type { TestUser } from './test-users.ts'

export type Identities = {
  show(testUser: TestUser): IdentityStatus
  /** True if an earlier check has expired. The test user must pass a new one before most other calls. */
  hasExpired(testUser: TestUser): boolean
  record(testUser: string, status: IdentityStatus['status'], reason: string | null): void
}

export function createIdentities(clock: Clock): Identities {
  const changed = new Map<string, IdentityStatus>()
  const startedAt = clock.now().toISOString()
  const show = ({ id, identity }: TestUser): IdentityStatus =>
    changed.get(id) ?? { status: identity, reason_code: null, updated_at: startedAt }
  return {
    show,
    hasExpired: (testUser) => show(testUser).status === 'expired',
    record(testUser, status, reason) {
      changed.set(testUser, { status, reason_code: reason, updated_at: clock.now().toISOString() })
    },
  }
}
