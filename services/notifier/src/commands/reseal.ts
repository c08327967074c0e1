/**
 * Seals the secrets of subscriptions again with the first key, so that an earlier key of SEALING_KEYS can be removed.
 */

import { resealCommand } from '@financial-agents/postgres/reseal'
import { resealConfig } from '../config.ts'

export const command = resealCommand({
  service: 'notifier',
  sealed: [
    { table: 'subscriptions', column: 'secret_sealed' },
    { table: 'subscriptions', column: 'previous_secret_sealed' },
  ],
  config: resealConfig,
  keysOf: (config) => config.SEALING_KEYS,
})
