/** What every area with writes takes from the environment, beside what every service takes. */

import { pauseMs } from '@financial-agents/runtime/config'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'

/** To seal what is to be submitted, and how patient the sweeps are. */
export const writesConfig = z.object({
  /** Seal what is to be submitted; the submitter opens it, and operations where it asks for an approval. */
  PAYLOAD_KEYS: sealingKeys,
  /** Pause between two looks for drafts and accepted writes that nothing moved. */
  SWEEP_PAUSE_MS: pauseMs.default(2_000),
  /** A draft this old asks operations whether it was accepted, and is void if not. */
  DRAFT_DECIDE_AFTER_MS: pauseMs.default(10_000),
  /** An accepted write not moved for this long is looked up; later looks come ever more rarely. */
  PENDING_PULL_AFTER_MS: pauseMs.default(30_000),
})
