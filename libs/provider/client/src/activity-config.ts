/** Environment variables of services that show activity. */

import { base64Key } from '@financial-agents/runtime/config'
import { z } from 'zod'

/** The key of the identifiers and cursors of activity. */
export const activityConfig = z.object({
  /** The same in all services that show activity, on all replicas, and for ever: the identifiers of movements depend on it. */
  ACTIVITY_KEY: base64Key(32),
})
