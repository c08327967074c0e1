/** What every error response of the API has, and nothing else (contract, "Errors"). */

import type { ApiResponse } from '@financial-agents/testkit/client'
import { expect } from 'vitest'
import { z } from 'zod'

const members = {
  type: z.url(),
  title: z.string().min(1),
  status: z.int().min(400).max(599),
  detail: z.string().min(1),
  instance: z.string().startsWith('/'),
  code: z.string().regex(/^[a-z][a-z0-9_]*$/),
  fields: z
    .array(z.strictObject({ message: z.string().min(1), path: z.string().min(1) }))
    .min(1)
    .nullable(),
  request_id: z.string().regex(/^[A-Za-z0-9._~-]{8,128}$/),
  retryable: z.boolean(),
  submission_uncertain: z.boolean(),
}
const problem = z.strictObject(members)
const problemOfOnboarding = z.strictObject({ ...members, refresh_onboarding: z.boolean() })

/** Asserts status, code and the whole shape; `refreshOnboarding` where the route's errors carry the member. */
export function expectProblem(
  response: ApiResponse,
  expected: { status: number; code: string; fields?: string[]; refreshOnboarding?: boolean },
): void {
  expect(response.body, JSON.stringify(response.body)).toMatchObject({ status: expected.status, code: expected.code })
  expect(response.status).toBe(expected.status)
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  const schema = expected.refreshOnboarding ? problemOfOnboarding : problem
  expect(schema.safeParse(response.body).error?.issues).toBeUndefined()
  expect(response.body.request_id).toBe(response.headers.get('x-request-id'))
  if (expected.fields)
    expect(response.body.fields?.map((field: { path: string }) => field.path)).toEqual(expected.fields)
  if (expected.status === 401 || expected.status === 403)
    expect(response.headers.get('www-authenticate')).toMatch(/^DPoP /)
}
