/** Starts spending. */

import { areaServiceCommand } from '@financial-agents/provider/area-service'
import { spendingConfig } from '../config.ts'
import { startSpending } from '../start.ts'

export const command = areaServiceCommand({ name: 'spending', config: spendingConfig, start: startSpending })
