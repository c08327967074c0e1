/** Starts catalog. */

import { areaServiceCommand } from '@financial-agents/provider/area-service'
import { catalogConfig } from '../config.ts'
import { startCatalog } from '../start.ts'

export const command = areaServiceCommand({ name: 'catalog', config: catalogConfig, start: startCatalog })
