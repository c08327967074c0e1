/** KYC area: the state of the owner's verification by the provider, and the visit to the page for it. */

import { route } from '../route.ts'
import { kyc, kycSession } from '../schemas/kyc.ts'

const area = { area: 'kyc', service: 'onboarding', scope: 'kyc:read' } as const

export const kycRoutes = {
  getKyc: route({
    summary: 'Read the verification status of the owner',
    description: 'The only source of the verification status. It contains no evidence.',
    ...area,
    method: 'GET',
    path: '/v1/kyc',
    client: 'kyc.get',
    capability: 'kyc.read',
    response: kyc,
    problems: ['provider_connection_unavailable', 'provider_unavailable'],
  }),
  createKycSession: route({
    summary: 'Open a visit to the page that verifies the owner',
    description:
      'Hand `action_required.url` to the owner. Not keyed: while a visit is open, the same client gets the same visit.',
    ...area,
    method: 'POST',
    path: '/v1/kyc/sessions',
    client: 'kyc.startSession',
    capability: 'kyc.start',
    status: 201,
    response: kycSession,
    problems: ['provider_connection_unavailable', 'kyc_session_unavailable', 'provider_unavailable'],
  }),
}
