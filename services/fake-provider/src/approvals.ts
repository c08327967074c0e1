/**
 * Approvals: a person's decision about one instruction before it may be submitted. Preparing an approval moves no
 * money. It is found by its client reference, decided at most once, and permits exactly the instruction that it shows.
 */

import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '@financial-agents/runtime/clock'

export type ApprovalDecision = 'granted' | 'declined' | 'failed' | 'not_needed'

export type Approval = {
  readonly ref: string
  readonly token: string
  readonly testUser: string
  readonly clientReference: string
  /** The digest of the instruction. */
  readonly digest: string
  readonly title: string
  readonly words: readonly (readonly [string, string])[]
  readonly returnUrl: string | null
  readonly expiresAtMs: number
  decision: ApprovalDecision | undefined
  /** The reason for `failed`. */
  reason: string | null
}

export type NewApproval = Pick<
  Approval,
  'testUser' | 'clientReference' | 'digest' | 'title' | 'words' | 'returnUrl'
> & {
  readonly decision?: ApprovalDecision | undefined
  readonly expired?: boolean
}

export type Approvals = {
  /** An equal request returns the same approval. Undefined if the reference has another instruction. */
  prepare(request: NewApproval): Approval | undefined
  find(testUser: string, ref: string): Approval | undefined
  findByToken(token: string): Approval | undefined
  status(approval: Approval): ApprovalDecision | 'pending' | 'expired'
  /** False if the approval was decided before or has expired. */
  decide(approval: Approval, decision: 'granted' | 'declined'): boolean
  /** True if the person approved this instruction, or no approval was needed. */
  covers(testUser: string, clientReference: string, digest: string): boolean
}

const lifetimeMs = 10 * 60_000

export function digestOf(instruction: unknown): string {
  return hash('sha256', JSON.stringify(instruction), 'base64url')
}

export function createApprovals(clock: Clock): Approvals {
  const byReference = new Map<string, Approval>()
  const byRef = new Map<string, Approval>()
  const byToken = new Map<string, Approval>()
  const status: Approvals['status'] = ({ decision, expiresAtMs }) =>
    decision ?? (clock.nowMs() < expiresAtMs ? 'pending' : 'expired')
  const keyOf = (testUser: string, clientReference: string) => `${testUser} ${clientReference}`

  return {
    prepare({ decision, expired, ...request }) {
      const key = keyOf(request.testUser, request.clientReference)
      const known = byReference.get(key)
      if (known !== undefined) return known.digest === request.digest ? known : undefined
      const approval: Approval = {
        ...request,
        ref: `apv_${randomBytes(24).toString('base64url')}`,
        token: randomBytes(32).toString('base64url'),
        expiresAtMs: clock.nowMs() + (expired ? 0 : lifetimeMs),
        decision,
        reason: null,
      }
      byReference.set(key, approval)
      byRef.set(approval.ref, approval)
      byToken.set(approval.token, approval)
      return approval
    },
    find(testUser, ref) {
      const approval = byRef.get(ref)
      return approval?.testUser === testUser ? approval : undefined
    },
    findByToken: (token) => byToken.get(token),
    status,
    decide(approval, decision) {
      if (status(approval) !== 'pending') return false
      approval.decision = decision
      return true
    },
    covers(testUser, clientReference, digest) {
      const approval = byReference.get(keyOf(testUser, clientReference))
      return approval?.digest === digest && (approval.decision === 'granted' || approval.decision === 'not_needed')
    },
  }
}
