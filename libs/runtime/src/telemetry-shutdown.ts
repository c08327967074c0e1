/** Where the preloaded telemetry and the frame of the service meet: the last spans leave before the process does. */

let shutdown: (() => Promise<void>) | undefined

/** Called once by the preload. */
export function onShutdown(run: () => Promise<void>): void {
  shutdown = run
}

/** Exports what is still held; telemetry never fails a shutdown. */
export async function shutdownTelemetry(): Promise<void> {
  await shutdown?.().catch(() => {})
}
