/** The state of the owner's verification by the provider, without evidence, and the owner's readiness to act. */

import { z } from 'zod'
import { identity } from './authorization.ts'
import { documented } from './documented.ts'
import { kycSessionAction } from './operation.ts'
import { dateTime, extensible, id } from './primitives.ts'
import { ids } from './story.ts'

/** The normalised status of the verification. */
export const kycStatus = z
  .enum(['not_started', 'pending', 'in_review', 'verified', 'rejected', 'expired'])
  .register(documented, { id: 'KycStatus' })

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

const kycReasonCode = extensible(z.enum(kycReasonCodes)).register(documented, { id: 'KycReasonCode' })

export type KycReasonCode = (typeof kycReasonCodes)[number]

/** `GET /v1/kyc`: the only source of the verification status. */
export const kyc = z
  .strictObject({
    status: kycStatus.describe('The status of the verification.'),
    reason_code: kycReasonCode
      .nullable()
      .describe('The reason why the owner is not verified, if the provider states one.'),
    updated_at: dateTime.describe('The time of the last change.'),
  })
  .register(documented, {
    id: 'Kyc',
    examples: [{ status: 'verified', reason_code: null, updated_at: '2026-10-02T14:30:00.000Z' }],
  })

/** The state of the owner's verification. */
export type Kyc = z.output<typeof kyc>

/** A visit to the provider's page on which the owner proves their identity. */
export const kycSession = z
  .strictObject({
    id: id.describe('The visit.'),
    action_required: kycSessionAction.describe('The page that the owner must open.'),
  })
  .register(documented, {
    id: 'KycSession',
    examples: [
      {
        id: ids.kycSession,
        action_required: {
          kind: 'kyc_session',
          url: 'https://provider.example/verify/7c2d',
          expires_at: null,
          poll_after_ms: 5000,
        },
      },
    ],
  })

export type KycSession = z.output<typeof kycSession>

/** The requirements that an owner who is not ready may lack. */
const missingCodes = ['provider_connection', 'identity_verification'] as const

/** A requirement that an owner who is not ready lacks. */
const onboardingRequirement = extensible(z.enum(missingCodes)).register(documented, {
  id: 'OnboardingRequirement',
})

const connectionState = z.enum(['connected', 'disconnected', 'none']).register(documented, { id: 'ConnectionState' })

/** `GET /v1/onboarding`: answered from our own records, without a call to the provider. */
export const onboarding = z
  .strictObject({
    customer: identity.describe('The identity of the owner towards this client.'),
    connection: connectionState.describe('The state of the connection to a provider.'),
    kyc_status: kycStatus.describe('The status of the verification.'),
    kyc_session_available: z.boolean().describe('True if POST /v1/kyc/sessions would open a visit now.'),
    ready: z.boolean().describe('True if nothing is missing.'),
    missing: z
      .array(onboardingRequirement)
      .meta({ uniqueItems: true })
      .describe('The requirements that the owner does not meet yet.'),
  })
  .register(documented, {
    id: 'Onboarding',
    examples: [
      {
        customer: { subject: 'hU3xq0T9bV', display_name: 'Ana', locale: 'pt-PT', timezone: 'Europe/Lisbon' },
        connection: 'connected',
        kyc_status: 'verified',
        kyc_session_available: false,
        ready: true,
        missing: [],
      },
    ],
  })

/** The owner's readiness to act. */
export type Onboarding = z.output<typeof onboarding>
