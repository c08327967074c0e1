/** Starts catalog. */

import { runAreaService } from '@financial-agents/provider/area-service'
import { catalogConfig } from './config.ts'
import { startCatalog } from './start.ts'

await runAreaService({ name: 'catalog', config: catalogConfig, start: startCatalog })
