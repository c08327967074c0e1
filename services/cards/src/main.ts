/** Starts cards. */

import { runAreaService } from '@financial-agents/provider/area-service'
import { cardsConfig } from './config.ts'
import { startCards } from './start.ts'

await runAreaService({ name: 'cards', config: cardsConfig, start: startCards })
