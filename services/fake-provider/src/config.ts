/** What the provider takes from the environment; every variable has a default that suits one machine. */

import { z } from 'zod'

export const fakeProviderConfig = z.object({
  /** Where it listens. Not beyond loopback or a test namespace: the control API asks for no credentials. */
  HOST: z.string().default('127.0.0.1'),
  /** 0 takes a free one; the log's `listening` line says which. */
  PORT: z.coerce.number().int().min(0).max(65535).default(4010),
  /** What every call under /provider takes at least, as a far provider's would. */
  PROVIDER_LATENCY_MS: z.coerce.number().int().min(0).max(60_000).default(0),
  /** Where a browser reaches the hosted pages, where that is another address than the API's callers use. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})
