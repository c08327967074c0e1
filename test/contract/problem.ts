/** The expectation of a refusal: the whole shape of a problem, its status and code, and the fields it names. */

import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'
import type { ApiResponse } from '@financial-agents/testkit/client'
import { checkProblemShape } from '@financial-agents/testkit/problem-shape'
import { expect } from 'vitest'

/** Asserts status, code and the whole shape; with `refreshOnboarding` if the route's errors carry the member. */
export function expectProblem(
  response: ApiResponse,
  expected: { status: number; code: string; fields?: string[]; refreshOnboarding?: boolean },
): void {
  expect(response.body, JSON.stringify(response.body)).toMatchObject({ status: expected.status, code: expected.code })
  expect(response.status).toBe(expected.status)
  checkProblemShape(response, {
    code: expected.code as ProblemCode,
    onboarding: expected.refreshOnboarding ?? false,
  })
  if (expected.fields)
    expect(response.body.fields?.map((field: { path: string }) => field.path)).toEqual(expected.fields)
}
