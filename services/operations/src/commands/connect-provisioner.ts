/** Connects to the bus as the provisioner, the only user that may manage and read the streams. */

import { type Bus, connectBus } from '@financial-agents/bus/connect'
import type { busConfig } from '@financial-agents/runtime/config'
import { createLog } from '@financial-agents/runtime/log'
import type { z } from 'zod'

export function connectProvisioner(config: z.output<typeof busConfig>): Promise<Bus> {
  const log = createLog({ service: 'provisioner', level: 'silent' })
  return connectBus({ config, name: 'provisioner', log, waits: false })
}
