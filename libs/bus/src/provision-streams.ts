/** Creates or updates the streams and their consumers. Idempotent; runs as the provisioner, the only user allowed to. */

import type { Bus } from './connect.ts'
import { type StreamOptions, streamPlans } from './streams.ts'

/** Makes the streams and their consumers what the tables say; may be run again at any time. */
export async function provisionStreams(bus: Bus, options: StreamOptions): Promise<void> {
  const manager = await bus.connection.jetstreamManager()
  for (const { config, consumers } of streamPlans(options)) {
    const exists = await manager.streams.info(config.name).then(
      () => true,
      () => false,
    )
    if (exists) await manager.streams.update(config.name, config)
    else await manager.streams.add(config)
    for (const consumer of consumers) await manager.consumers.add(config.name, consumer)
  }
}
