/** The body of every error (contract, "Errors"; RFC 9457). It always has all members, and no others. */

import { z } from 'zod'
import { problemCodes } from '../problem-catalogue.ts'
import { documented } from './documented.ts'
import { extensible } from './primitives.ts'

const problemCode = extensible(z.enum(problemCodes))
  .describe('Stable and machine-readable. Each has a page at /problems/{code}.')
  .register(documented, { id: 'ProblemCode' })

/** One refused member. */
const problemField = z
  .strictObject({
    message: z.string().min(1).describe('A sentence that says what to send instead.'),
    path: z
      .string()
      .min(1)
      .describe('A dot-delimited path in the body, or the name of a header, query parameter or path parameter.'),
  })
  .register(documented, { id: 'ProblemField' })

/** The ten members of an error body. */
export const problem = z
  .strictObject({
    type: z.url().describe('The page of the code: a stable address for the class of problem.'),
    title: z.string().min(1).describe('The class of problem in a few words; the same for every occurrence.'),
    status: z.int().min(400).max(599).describe('The HTTP status.'),
    detail: z.string().min(1).describe('The error of this request, in words for people.'),
    instance: z.string().regex(/^\//).describe('The path of the request.'),
    code: problemCode,
    fields: z
      .array(problemField)
      .nullable()
      .describe('The refused members, with the reasons; null if the problem does not concern members.'),
    request_id: z
      .string()
      .regex(/^[A-Za-z0-9._~-]{8,128}$/)
      .describe('The value of X-Request-Id. Give it to support to identify this request.'),
    retryable: z.boolean().describe('True if repeating the identical request can safely succeed.'),
    submission_uncertain: z
      .boolean()
      .describe('True if a write may have reached the provider. Read its operation, and never submit the write again.'),
  })
  .register(documented, { id: 'Problem' })

/** The body of an error on the four routes with `refresh_onboarding`. */
export const problemWithOnboarding = problem
  .extend({
    refresh_onboarding: z
      .boolean()
      .optional()
      .describe(
        'True if the failure shows that the onboarding of the owner changed: read GET /v1/onboarding again. Absent only if the request was refused before its route was known (400, 404, 408).',
      ),
  })
  .register(documented, { id: 'ProblemWithOnboarding' })
