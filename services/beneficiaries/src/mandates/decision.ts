/** Validates under the lock whether a mandate can be suspended, revoked or used. Returns the refusal if it cannot. */

import { Problem } from '@financial-agents/contract/problem'
import { apply, visibleState } from './machine.ts'
import type { MandateRow } from './store.ts'

/** Allows one suspension at a time, of an active mandate. */
export function findSuspendRefusal(row: MandateRow, now: Date): Problem | undefined {
  const state = visibleState(row, now)
  const busy = row.suspend_operation_id !== null && (state === 'active' || state === 'suspending')
  if (busy) return new Problem('resource_busy')
  return state === 'active' ? undefined : notActive(state)
}

/** Allows one revocation at a time, of a mandate that has not expired and that the machine lets be revoked. */
export function findRevokeRefusal(row: MandateRow, now: Date): Problem | undefined {
  const state = visibleState(row, now)
  if (state === 'revoked') return new Problem('mandate_already_revoked')
  if (row.revoke_operation_id !== null || state === 'revoking') return new Problem('mandate_revocation_in_progress')
  if (state === 'expired' || apply(row.state, 'revoke_accepted') === undefined) return notActive(state)
  return undefined
}

export function notActive(state: string): Problem {
  return new Problem('mandate_not_active', { detail: `The mandate is ${words[state] ?? state}.` })
}

const words: Readonly<Record<string, string>> = {
  pending: 'pending: its operation has not succeeded yet',
  suspending: 'being suspended',
  revoking: 'being revoked',
  revocation_failed: 'under a revocation that failed: revoke it again',
  exhausted: 'exhausted: no payment or nothing of total_cap is left',
  failed: 'not in force: its creation failed',
}
