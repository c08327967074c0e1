/**
 * Seals the references of transfers again with the first key, so that an earlier key of PAYLOAD_KEYS can be removed.
 */

import { reencryptCommand } from '@financial-agents/postgres/reencrypt'
import { reencryptConfig } from '../config.ts'

export const command = reencryptCommand({
  service: 'operations',
  sealed: [{ table: 'transfers', column: 'reference_sealed' }],
  config: reencryptConfig,
  keysOf: (config) => config.PAYLOAD_KEYS,
})
