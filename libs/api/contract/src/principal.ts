/** The party for which a request acts. The gateway resolves it from the grant, and never from the request's content. */

import { z } from 'zod'

/** The principal of a request, as the gateway resolved it. */
export const principal = z.strictObject({
  owner_id: z.string(),
  /** The pairwise subject. */
  subject: z.string(),
  client_id: z.string(),
  grant_id: z.string(),
  /** The owner's connected provider binding; null only on routes that need no binding. */
  binding_id: z.string().nullable(),
  /** The end of the grant by time, RFC 3339; null or absent if it has none. */
  grant_ends_at: z.string().nullable().optional(),
})

export type Principal = z.output<typeof principal>

/**
 * The client id of actions that the owner takes on the account page itself. No client or grant can have this id,
 * because their ids contain no colon.
 */
export const accountPageClient = 'urn:service:account-page'
