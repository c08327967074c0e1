/** For whom a request acts: resolved by the gateway from the grant, never from anything the client sends. */

import { z } from 'zod'

/** For whom a request acts, as the gateway found out. */
export const principal = z.strictObject({
  owner_id: z.string(),
  /** Pairwise subject. */
  subject: z.string(),
  client_id: z.string(),
  grant_id: z.string(),
  /** The owner's connected provider binding; null only on routes that need none. */
  binding_id: z.string().nullable(),
})

/** For whom a request acts. */
export type Principal = z.output<typeof principal>
