/**
 * Where the preloaded telemetry and the frame of the service meet: the last spans leave before the process does. They may
 * come from two bundles, of which each has a copy of this module; what they share is a name on `globalThis`.
 */

const key = Symbol.for('financial-agents.telemetry-shutdown')

type Shared = typeof globalThis & { [key]?: () => Promise<void> }

/** Called once by the preload. */
export function onShutdown(run: () => Promise<void>): void {
  ;(globalThis as Shared)[key] = run
}

/** Exports what is still held; telemetry never fails a shutdown. */
export async function shutdownTelemetry(): Promise<void> {
  await (globalThis as Shared)[key]?.().catch(() => {})
}
