/** The operations service: acceptance, and the customer's view of every operation. */

import { runService } from '@financial-agents/runtime/service'
import { operationsConfig } from './config.ts'
import { startOperations } from './start.ts'

await runService({ name: 'operations', config: operationsConfig, start: startOperations })
