/** The operations service: acceptance, and the customer's view of every operation. */

import { serviceCommand } from '@financial-agents/runtime/service'
import { operationsConfig } from '../config.ts'
import { startOperations } from '../start.ts'

export const command = serviceCommand({ name: 'operations', config: operationsConfig, start: startOperations })
