/** How far the provider knows who the owner is, without its evidence; and whether the owner is ready to act. */

import { z } from 'zod'
import { identity } from './authorization.ts'
import { handOff, visitEnd } from './operation.ts'
import { dateTime, id } from './primitives.ts'

/** Verification, normalised. */
export const kycStatus = z.enum(['not_started', 'pending', 'in_review', 'verified', 'rejected', 'expired'])

/** How far the verification is. */
export type KycStatus = z.output<typeof kycStatus>

/** Why a verification is where it is; no provider's own words. */
export const kycReasonCodes = [
  'details_mismatch',
  'document_expired',
  'document_not_accepted',
  'document_unreadable',
  'information_missing',
  'not_eligible',
  'verification_lapsed',
  /** The provider gave a reason that is none of the others. */
  'other',
] as const

/** Why a verification is where it is. */
export type KycReasonCode = (typeof kycReasonCodes)[number]

/** `GET /v1/kyc`: the one source of it. */
export const kyc = z.strictObject({
  status: kycStatus.describe('How far verification is.'),
  reason_code: z.enum(kycReasonCodes).nullable().describe('Why it is not verified, where the provider says so.'),
  updated_at: dateTime.describe('When that changed last.'),
})

/** A visit to the provider's page at which the owner shows who they are. */
export const kycSession = z.strictObject({
  id: id.describe('This visit.'),
  action_required: handOff
    .extend({ kind: z.literal('kyc_session').describe('What the visit is for.'), expires_at: visitEnd })
    .describe('The page that the owner opens.'),
})

/** What an owner who is not ready lacks. */
export const missingCodes = ['provider_connection', 'identity_verification'] as const

/** `GET /v1/onboarding`: from what is known here; it asks no provider. */
export const onboarding = z.strictObject({
  customer: identity.describe('Who the owner is to this client.'),
  connection: z.enum(['connected', 'disconnected', 'none']).describe('Whether a provider is connected.'),
  kyc_status: kycStatus.describe('How far verification is.'),
  kyc_session_available: z.boolean().describe('Whether POST /v1/kyc/sessions would open a visit now.'),
  ready: z.boolean().describe('True exactly when nothing is missing.'),
  missing: z.array(z.enum(missingCodes)).describe('What an owner who is not ready lacks.'),
})
