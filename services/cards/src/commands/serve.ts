/** Starts cards. */

import { areaServiceCommand } from '@financial-agents/provider/area-service'
import { cardsConfig } from '../config.ts'
import { startCards } from '../start.ts'

export const command = areaServiceCommand({ name: 'cards', config: cardsConfig, start: startCards })
