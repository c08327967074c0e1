/** Connects the preloaded telemetry with the service's frame, so that the last spans are exported before the process ends. */

import { perInstance } from './instance.ts'

const current = perInstance('telemetry-shutdown', (): { run?: () => Promise<void> } => ({}))

/** Registers the shutdown of telemetry. The preload calls it once. */
export function onShutdown(run: () => Promise<void>): void {
  current().run = run
}

/** Exports the remaining data. An error of telemetry never fails a shutdown. */
export async function shutdownTelemetry(): Promise<void> {
  await current()
    .run?.()
    .catch(() => {})
}
