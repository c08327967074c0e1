/** The time limit of a call. Its attempts, pauses and look-ups, and the calls of which a verb is made, end by it together. */

import type { CallOptions } from './call-options.ts'

/** Options with the end of the call, as the parts of the call get them. */
export type Limited<Options extends CallOptions = CallOptions> = Options & { endsAtMs: number }

/** Begins to count the time of a call. A part of a call keeps the end of the whole. */
export function limited<Options extends CallOptions>(options: Options): Limited<Options> {
  const { endsAtMs, timeoutMs } = options as Options & { endsAtMs?: number }
  return { ...options, endsAtMs: endsAtMs ?? (timeoutMs ? Date.now() + timeoutMs : Number.POSITIVE_INFINITY) }
}

/** Begins to count the time of several calls in a row. Returns the option of the next one: the time that is left. */
export function timeLeft({ timeoutMs }: Pick<CallOptions, 'timeoutMs'>): () => Pick<CallOptions, 'timeoutMs'> {
  if (timeoutMs === undefined) return () => ({})
  const endsAtMs = Date.now() + timeoutMs
  // 0 would set no limit.
  return () => ({ timeoutMs: timeoutMs === 0 ? 0 : Math.max(1, endsAtMs - Date.now()) })
}
