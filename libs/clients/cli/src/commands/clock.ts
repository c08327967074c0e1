/** `clock`: moves the one clock of a sandbox, which the API and the provider share. */

import { buildRouteMap } from '@stricli/core'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { CliError, wrongUse } from '../failure.ts'
import { type CommonFlags, commonFlags } from '../flags.ts'
import { sandboxControl } from '../sandbox-control.ts'

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function durationMs(given: string): number {
  const [, count, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(given) ?? []
  if (unit === undefined) throw wrongUse('give a number and a unit: 90s, 15m, 12h, 1d')
  return Number(count) * unitsMs[unit as keyof typeof unitsMs]
}

const advance = command({
  docs: {
    brief: 'Move the clock of the sandbox forward (development only)',
    fullDescription:
      'The API and the fake provider move together: tokens, windows of limits, expiry and retries. The clients learn the time from the answers.',
    customUsage: ['1d', '15m'],
  },
  parameters: {
    flags: commonFlags,
    positional: {
      kind: 'tuple',
      parameters: [{ parse: durationMs, brief: 'The time: 90s, 15m, 12h, 1d', placeholder: 'duration' }],
    },
  },
  run: async (cli: Cli, _flags: CommonFlags, byMs: number) => {
    const { name, profile } = await cli.used()
    if (!profile.provider_url)
      throw new CliError(
        'wrongUse',
        'no_sandbox',
        `The profile "${name}" names no sandbox. Give its provider as FINANCIAL_AGENTS_PROVIDER_URL, or sign in with --provider-url.`,
      )
    const control = await sandboxControl(profile.provider_url, cli.signal)
    const { now } = (await control('POST', '/clock', { advance_ms: byMs })) as { now: string }
    cli.output.one({ now }, [['Now', now]])
  },
})

export const clock = buildRouteMap({ routes: { advance }, docs: { brief: 'The clock of a sandbox' } })
