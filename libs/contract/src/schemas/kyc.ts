/** The state of the owner's verification by the provider, without evidence, and the owner's readiness to act. */

import { z } from 'zod'
import { identity } from './authorization.ts'
import { handOff, visitEnd } from './operation.ts'
import { dateTime, id } from './primitives.ts'

/** The normalised status of the verification. */
export const kycStatus = z.enum(['not_started', 'pending', 'in_review', 'verified', 'rejected', 'expired'])

/** The normalised status of the verification. */
export type KycStatus = z.output<typeof kycStatus>

/** The reasons for a verification status, in our codes and not in a provider's words. */
export const kycReasonCodes = [
  'details_mismatch',
  'document_expired',
  'document_not_accepted',
  'document_unreadable',
  'information_missing',
  'not_eligible',
  'verification_lapsed',
  /** The provider gave another reason. */
  'other',
] as const

/** The reason for a verification status. */
export type KycReasonCode = (typeof kycReasonCodes)[number]

/** `GET /v1/kyc`: the only source of the verification status. */
export const kyc = z.strictObject({
  status: kycStatus.describe('How far verification is.'),
  reason_code: z.enum(kycReasonCodes).nullable().describe('Why it is not verified, where the provider says so.'),
  updated_at: dateTime.describe('When that changed last.'),
})

/** A visit to the provider's page on which the owner proves their identity. */
export const kycSession = z.strictObject({
  id: id.describe('This visit.'),
  action_required: handOff
    .extend({ kind: z.literal('kyc_session').describe('What the visit is for.'), expires_at: visitEnd })
    .describe('The page that the owner opens.'),
})

/** The requirements that an owner who is not ready may lack. */
export const missingCodes = ['provider_connection', 'identity_verification'] as const

/** `GET /v1/onboarding`: answered from our own records, without a call to the provider. */
export const onboarding = z.strictObject({
  customer: identity.describe('Who the owner is to this client.'),
  connection: z.enum(['connected', 'disconnected', 'none']).describe('Whether a provider is connected.'),
  kyc_status: kycStatus.describe('How far verification is.'),
  kyc_session_available: z.boolean().describe('Whether POST /v1/kyc/sessions would open a visit now.'),
  ready: z.boolean().describe('True exactly when nothing is missing.'),
  missing: z.array(z.enum(missingCodes)).describe('What an owner who is not ready lacks.'),
})
