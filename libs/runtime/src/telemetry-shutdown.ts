/**
 * Connects the preloaded telemetry with the service's frame, so that the last spans are exported before the process
 * ends. The two may be separate bundles that each contain this module; they share a property of `globalThis`.
 */

const key = Symbol.for('financial-agents.telemetry-shutdown')

type Shared = typeof globalThis & { [key]?: () => Promise<void> }

/** Registers the shutdown of telemetry. The preload calls it once. */
export function onShutdown(run: () => Promise<void>): void {
  ;(globalThis as Shared)[key] = run
}

/** Exports the remaining data. An error of telemetry never fails a shutdown. */
export async function shutdownTelemetry(): Promise<void> {
  await (globalThis as Shared)[key]?.().catch(() => {})
}
