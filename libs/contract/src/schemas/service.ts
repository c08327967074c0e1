/** Services, and what the effective policy of the grant allows with each. */

import { z } from 'zod'
import { id } from './primitives.ts'

/** A service as clients see it. */
export const service = z.strictObject({
  id,
  name: z.string(),
  category: z.string().regex(/^[a-z][a-z0-9_]*$/),
  capabilities: z.array(
    z.strictObject({
      name: z.string().regex(/^[a-z][a-z0-9_.]*$/),
      available: z.boolean(),
      /** Why it is not available. */
      reason_code: z.string().nullable(),
      required_scopes: z.array(z.string()),
      /** Available, and the grant has every scope that it takes. */
      granted: z.boolean(),
    }),
  ),
  documentation_url: z.url().nullable(),
})

/** A service as clients see it. */
export type Service = z.output<typeof service>
