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
    summary: 'Ask the owner to confirm one request',
    description:
      'Name the request exactly as it will be sent. Hand `confirmation_url` to the owner, who signs in afresh, reads `summary` and decides; poll the intent meanwhile. It is bound to this grant and to that one request, serves once, and expires ten minutes after it was made. Besides one of these scopes the request needs the scope of the action.',
    ...area,
    method: 'POST',
    path: '/v1/confirmation-intents',
    body: createConfirmationIntentBody,
    status: 201,
  }),
  getConfirmationIntent: route({
    summary: 'Read a confirmation intent',
    description: 'Poll it after `poll_after_ms` until its status is `confirmed` or `declined`.',
    ...area,
    method: 'GET',
    path: '/v1/confirmation-intents/{intent_id}',
    params: z.strictObject({ intent_id: z.string().describe('The confirmation intent.') }),
    problems: ['confirmation_intent_not_found'],
  }),
}
