/** Services, and the uses that the grant's effective policy allows. */

import { z } from 'zod'
import { id } from './primitives.ts'

/** A service as clients see it. */
export const service = z.strictObject({
  id: id.describe('The service.'),
  name: z.string().describe('What people call it.'),
  category: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/)
    .describe('What kind of service.'),
  capabilities: z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^[a-z][a-z0-9_.]*$/)
          .describe('What can be done.'),
        available: z.boolean().describe('Whether it can be done here at all.'),
        reason_code: z.string().nullable().describe('Why it cannot; null where it can.'),
        required_scopes: z.array(z.string()).describe('What a grant needs for it.'),
        granted: z.boolean().describe('Available, and the grant has every scope that it takes.'),
      }),
    )
    .describe('What can be done with it.'),
  documentation_url: z.url().nullable().describe('Where more is said about it.'),
})

/** A service as clients see it. */
export type Service = z.output<typeof service>
