/** The status of a person's identity check, in the wire names of `GET /v1/kyc`. The evidence stays with the provider. */

export type IdentityStatus = {
  readonly status: 'not_started' | 'pending' | 'in_review' | 'verified' | 'rejected' | 'expired'
  readonly reason_code: string | null
  /** RFC 3339. */
  readonly updated_at: string
}
