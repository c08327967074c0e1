/** Onboarding area: the owner's connection to the provider, shared by all clients. */

import { z } from 'zod'
import { confirmationProblems } from '../problem-catalogue.ts'
import { route } from '../route.ts'
import { onboarding } from '../schemas/kyc.ts'
import { serviceConnection } from '../schemas/service-connection.ts'

const area = { area: 'onboarding', service: 'onboarding' } as const
const connection = { ...area, path: '/v1/service-connections/current', scope: 'services:read' } as const

export const onboardingRoutes = {
  getOnboarding: route({
    summary: 'Read the onboarding state of the owner',
    description: 'Answered from our own records, without a call to the provider.',
    ...area,
    method: 'GET',
    path: '/v1/onboarding',
    client: 'onboarding.get',
    capability: 'onboarding.read',
    scope: 'kyc:read',
    response: onboarding,
  }),
  getServiceConnection: route({
    summary: "Read the owner's connection to the provider",
    ...connection,
    client: 'connection.get',
    capability: 'connection.read',
    method: 'GET',
    response: serviceConnection,
    problems: ['service_connection_not_found'],
  }),
  disconnectService: route({
    summary: 'Disconnect the provider',
    description:
      'Ends the connection for every client of the owner, and starts an operation of kind `transfer_grant_revoke`. 204 guarantees that no accepted write is submitted over the connection any more. Until that is confirmed, the answer is 503 `service_unavailable`. Not keyed: the same request with the same confirmation may be repeated, and answers 204 again.',
    ...connection,
    client: 'connection.disconnect',
    capability: 'connection.disconnect',
    method: 'DELETE',
    opens: 'transfer_grant_revoke',
    confirmation: { action: 'service_disconnect', needed: 'always' },
    refreshOnboarding: true,
    status: 204,
    response: z.null(),
    unanswered: 'Send the identical request again, with the same confirmation.',
    problems: ['service_connection_not_found', 'resource_busy', ...confirmationProblems],
  }),
}
