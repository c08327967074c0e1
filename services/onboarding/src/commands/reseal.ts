/** Seals the credentials of bindings again, so that an earlier key of CREDENTIAL_KEYS can be dropped. */

import { resealCommand } from '@financial-agents/postgres/reseal'
import { commandConfig } from '../config.ts'

export const command = resealCommand({
  service: 'onboarding',
  sealed: [{ table: 'bindings', column: 'credentials_sealed' }],
  config: commandConfig,
  keysOf: (config) => config.CREDENTIAL_KEYS,
})
