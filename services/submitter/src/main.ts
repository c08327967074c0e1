/** Starts the submitter. */

import { runService } from '@financial-agents/runtime/service'
import { submitterConfig } from './config.ts'
import { startSubmitter } from './start.ts'

await runService({ name: 'submitter', config: submitterConfig, start: (parts) => startSubmitter(parts) })
