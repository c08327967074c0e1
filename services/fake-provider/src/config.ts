/** The environment variables of the provider. Every variable has a default for use on one machine. */

import { z } from 'zod'

export const fakeProviderConfig = z.object({
  /** The listening address. Use only loopback or a test namespace: the control API needs no credentials. */
  HOST: z.string().default('127.0.0.1'),
  /** 0 chooses a free port, which the log line `listening` shows. */
  PORT: z.coerce.number().int().min(0).max(65535).default(4010),
  /** The minimum duration of every call under /provider/v1, to imitate a distant provider. */
  PROVIDER_LATENCY_MS: z.coerce.number().int().min(0).max(60_000).default(0),
  /** `false`: the provider executes mutations after their deadline, and shows no clock in its searches. */
  REFUSES_AFTER_DEADLINE: z.stringbool().default(true),
  /** The address at which a browser reaches the hosted pages, if it differs from the address that API callers use. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** `true`: an instruction that arrives twice is executed twice, so that a double submission has its full effect. */
  EXECUTES_REPEATS: z.stringbool().default(false),
  /** The control listener of the system around the provider: its clock, its clients, its data. */
  SYSTEM_CONTROL_URL: z.url({ protocol: /^http$/ }).optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})
