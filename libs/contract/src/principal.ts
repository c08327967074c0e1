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

/**
 * Stands for the client where the owner acts on the account page itself. No registration can have it, nor a grant its id: a
 * colon is in neither.
 */
export const accountPageClient = 'urn:service:account-page'
