/** Onboarding area: the owner's connection to the provider, shared by all clients. */

import { z } from 'zod'
import { confirmationProblems } from '../problem-catalogue.ts'
import { route } from '../route.ts'
import { onboarding } from '../schemas/kyc.ts'
import { serviceConnection } from '../schemas/service-connection.ts'

const area = { area: 'onboarding', service: 'onboarding' } as const
const connection = { ...area, path: '/v1/service-connections/current', scope: 'services:read' } as const

/** The rows of the area `onboarding`. */
export const onboardingRoutes = {
  /** From what is known here; it asks no provider. */
  getOnboarding: route({
    ...area,
    method: 'GET',
    path: '/v1/onboarding',
    scope: 'kyc:read',
    response: onboarding,
  }),
  getServiceConnection: route({
    ...connection,
    method: 'GET',
    response: serviceConnection,
    problems: ['service_connection_not_found'],
  }),
  /** Opens a `transfer_grant_revoke`. Not keyed: the same consumed confirmation repeated answers alike. */
  disconnectService: route({
    ...connection,
    method: 'DELETE',
    confirmation: { action: 'service_disconnect', needed: 'always' },
    refreshOnboarding: true,
    status: 204,
    response: z.null(),
    problems: ['service_connection_not_found', 'resource_busy', ...confirmationProblems, 'acceptance_unknown'],
  }),
}
