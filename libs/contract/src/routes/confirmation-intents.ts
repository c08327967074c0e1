/** Authorization area: confirmation intents. Which scope beyond these a request needs, its action says. */

import { z } from 'zod'
import { route } from '../route.ts'
import { confirmationIntent, createConfirmationIntentBody } from '../schemas/confirmation-intent.ts'

const area = {
  area: 'authorization',
  service: 'operations',
  scope: ['spending:withdraw', 'services:read'],
  response: confirmationIntent,
} as const

/** The rows about confirmation intents. */
export const confirmationRoutes = {
  createConfirmationIntent: route({
    ...area,
    method: 'POST',
    path: '/v1/confirmation-intents',
    body: createConfirmationIntentBody,
    status: 201,
  }),
  getConfirmationIntent: route({
    ...area,
    method: 'GET',
    path: '/v1/confirmation-intents/{intent_id}',
    params: z.strictObject({ intent_id: z.string() }),
    problems: ['confirmation_intent_not_found'],
  }),
}
