/** Seals the credentials of bindings again, so that an earlier key of CREDENTIAL_KEYS can be dropped. */

import { reencryptCommand } from '@financial-agents/postgres/reencrypt'
import { commandConfig } from '../config.ts'

export const command = reencryptCommand({
  service: 'onboarding',
  sealed: [{ table: 'bindings', column: 'credentials_sealed' }],
  config: commandConfig,
  keysOf: (config) => config.CREDENTIAL_KEYS,
})
