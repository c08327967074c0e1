/** KYC area: how far the provider knows who the owner is, and the page at which the owner shows it. */

import { route } from '../route.ts'
import { kyc, kycSession } from '../schemas/kyc.ts'

const area = { area: 'kyc', service: 'onboarding', scope: 'kyc:read' } as const

/** The rows of the area `kyc`. */
export const kycRoutes = {
  getKyc: route({ ...area, method: 'GET', path: '/v1/kyc', response: kyc, problems: ['provider_unavailable'] }),
  createKycSession: route({
    ...area,
    method: 'POST',
    path: '/v1/kyc/sessions',
    status: 201,
    response: kycSession,
    problems: ['provider_connection_unavailable', 'kyc_session_unavailable', 'provider_unavailable'],
  }),
}
