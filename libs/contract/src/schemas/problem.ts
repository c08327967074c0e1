/** The body of every error (contract, "Errors"; RFC 9457). It always has all members, and no others. */

import { z } from 'zod'
import { problemCodes } from '../problem-catalogue.ts'

/** A code of the catalogue. */
export const problemCode = z
  .enum(problemCodes)
  .describe('Stable and machine-readable. Each has a page at /problems/{code}.')

/** One refused member. */
export const problemField = z.strictObject({
  message: z.string().min(1).describe('What to send instead.'),
  path: z.string().min(1).describe('Dot-delimited from the body; or the name of a header, query or path parameter.'),
})

/** The ten members of an error body. */
export const problem = z.strictObject({
  type: z.url().describe('The page of the code: a stable address for the class of problem.'),
  title: z.string().min(1).describe('The class of problem in a few words; the same for every occurrence.'),
  status: z.int().min(400).max(599).describe('The HTTP status, again.'),
  detail: z.string().min(1).describe('What went wrong this time, for people.'),
  instance: z.string().regex(/^\//).describe('The path of the request.'),
  code: problemCode,
  fields: z
    .array(problemField)
    .nullable()
    .describe('Which members were refused, and why; null where it is not about members.'),
  request_id: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{8,128}$/)
    .describe('As in X-Request-Id: names this request to whoever helps.'),
  retryable: z.boolean().describe('Whether repeating the identical request can safely succeed.'),
  submission_uncertain: z
    .boolean()
    .describe('True where a write may have reached the provider: read its operation, never submit it again.'),
})

/** The body of an error on the four routes with `refresh_onboarding`. */
export const problemWithOnboarding = problem.extend({
  refresh_onboarding: z
    .boolean()
    .describe("True where the failure says that the owner's onboarding changed: read GET /v1/onboarding again."),
})
