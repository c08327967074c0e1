/** What a service that shows activity takes from the environment. */

import { base64Key } from '@financial-agents/runtime/config'
import { z } from 'zod'

/** The key behind the identifiers and cursors of activity. */
export const activityConfig = z.object({
  /** The same in all services that show activity, on all replicas, and for ever: identifiers of movements change with it. */
  ACTIVITY_KEY: base64Key(32),
})
