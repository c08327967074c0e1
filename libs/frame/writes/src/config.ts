/** The environment variables of every area with writes, in addition to those of every service. */

import { pauseMs } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

/** The sealing keys for payloads, and the times of the background jobs. */
export const writesConfig = z.object({
  /** Keys that seal payloads. The submitter opens a payload; operations opens it only to request an approval. */
  PAYLOAD_KEYS: sealingKeys,
  /** The pause between two background jobs for drafts and for accepted writes without an outcome. */
  BACKGROUND_JOB_PAUSE_MS: pauseMs.default(2_000),
  /** The age at which a draft is checked: operations says if it was accepted, and voids it if not. */
  DRAFT_DECIDE_AFTER_MS: pauseMs.default(10_000),
  /** The time without news after which an accepted write is looked up. Later look-ups become less frequent. */
  PENDING_PULL_AFTER_MS: pauseMs.default(30_000),
})
