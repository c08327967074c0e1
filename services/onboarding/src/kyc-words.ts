/** The meaning of each verification state for the owner, and the translation of a provider's reasons. */

import { type KycReasonCode, type KycStatus, kycReasonCodes } from '@financial-agents/contract/schemas/kyc'

/** Returns true if the owner can act at the provider's page. */
export function canVerify(status: KycStatus): boolean {
  return verifiable.has(status)
}

const verifiable: ReadonlySet<KycStatus> = new Set(['not_started', 'pending', 'rejected', 'expired'])

/** Returns true if the state changes without an action of the owner here. */
export function isUnderWay(status: KycStatus): boolean {
  return status === 'pending' || status === 'in_review'
}

const known: ReadonlySet<string> = new Set(kycReasonCodes)

/** A verified owner, or one who has not started, has no reason. */
export function reasonOf(status: KycStatus, reason: string | null): KycReasonCode | null {
  if (reason === null || status === 'verified' || status === 'not_started') return null
  return known.has(reason) ? (reason as KycReasonCode) : 'other'
}
