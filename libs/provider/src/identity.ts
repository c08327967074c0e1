/** How far a provider knows who somebody is; the evidence stays with the provider. Wire names, as `GET /v1/kyc` shows it. */

export const kycStatuses = ['not_started', 'pending', 'in_review', 'verified', 'rejected', 'expired'] as const

export type KycStatus = (typeof kycStatuses)[number]

export type IdentityStatus = {
  readonly status: KycStatus
  readonly reason_code: string | null
  /** RFC 3339. */
  readonly updated_at: string
}
