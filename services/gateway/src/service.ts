/** The service's definition: its configuration, its start and its commands. */

import { defineService } from '@financial-agents/service/service'
import { gatewayConfig } from './config.ts'

export const service = defineService({
  name: 'gateway',
  summary: 'The only HTTP ingress: credentials, scope, limits and problem details; then one request on the bus.',
  config: gatewayConfig,
  answersAlone: true,
  start: async (config, opened) => (await import('./start.ts')).startGateway(config, opened),
  commands: {
    smoke: () => import('./commands/smoke.ts'),
  },
})
