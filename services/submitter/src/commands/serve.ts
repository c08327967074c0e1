/** Starts the submitter. */

import { serviceCommand } from '@financial-agents/runtime/service'
import { submitterConfig } from '../config.ts'
import { startSubmitter } from '../start.ts'

export const command = serviceCommand({
  name: 'submitter',
  config: submitterConfig,
  start: (parts) => startSubmitter(parts),
})
