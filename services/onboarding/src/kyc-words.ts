/** What the verification's states mean for the owner, and a provider's reasons in our words. */

import { type KycReasonCode, type KycStatus, kycReasonCodes } from '@financial-agents/contract/schemas/kyc'

/** Whether the owner can do something about it at the provider's page. */
export function canVerify(status: KycStatus): boolean {
  return verifiable.has(status)
}

const verifiable: ReadonlySet<KycStatus> = new Set(['not_started', 'pending', 'rejected', 'expired'])

/** Whether it changes without anything that the owner does here. */
export function isUnderWay(status: KycStatus): boolean {
  return status === 'pending' || status === 'in_review'
}

const known: ReadonlySet<string> = new Set(kycReasonCodes)

/** Who is verified, or has not begun, needs no reason. */
export function reasonOf(status: KycStatus, reason: string | null): KycReasonCode | null {
  if (reason === null || status === 'verified' || status === 'not_started') return null
  return known.has(reason) ? (reason as KycReasonCode) : 'other'
}
