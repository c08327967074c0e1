/** Starts spending. */

import { runAreaService } from '@financial-agents/provider/area-service'
import { spendingConfig } from './config.ts'
import { startSpending } from './start.ts'

await runAreaService({ name: 'spending', config: spendingConfig, start: startSpending })
