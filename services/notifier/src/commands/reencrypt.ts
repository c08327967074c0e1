/**
 * Seals the secrets of subscriptions again with the first key, so that an earlier key of SEALING_KEYS can be removed.
 */

import { reencryptCommand } from '@financial-agents/postgres/reencrypt'
import { reencryptConfig } from '../config.ts'

export const command = reencryptCommand({
  service: 'notifier',
  sealed: [
    { table: 'subscriptions', column: 'secret_sealed' },
    { table: 'subscriptions', column: 'previous_secret_sealed' },
  ],
  config: reencryptConfig,
  keysOf: (config) => config.SEALING_KEYS,
})
