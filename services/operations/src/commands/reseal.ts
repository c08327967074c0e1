/**
 * Seals the references of transfers again with the first key, so that an earlier key of PAYLOAD_KEYS can be removed.
 */

import { resealCommand } from '@financial-agents/postgres/reseal'
import { resealConfig } from '../config.ts'

export const command = resealCommand({
  service: 'operations',
  sealed: [{ table: 'transfers', column: 'reference_sealed' }],
  config: resealConfig,
  keysOf: (config) => config.PAYLOAD_KEYS,
})
