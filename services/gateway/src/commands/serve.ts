/** The only HTTP ingress. A request passes its checks here and becomes one request on the bus. */

import { connectBus } from '@financial-agents/bus/connect'
import { serviceCommand } from '@financial-agents/runtime/service'
import { gatewayConfig } from '../config.ts'
import { startGateway } from '../gateway.ts'

export const command = serviceCommand({
  name: 'gateway',
  config: gatewayConfig,
  start: async ({ config, log, clock }) => {
    const bus = await connectBus({ config, name: 'gateway', log })
    const gateway = await startGateway({ config, bus, clock, log })
    log.info({ url: gateway.url }, 'listening')
    return {
      checks: gateway.checks,
      stop: async () => {
        await gateway.stop()
        await bus.drain()
      },
    }
  },
})
