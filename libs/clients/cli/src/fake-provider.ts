/** The control API of a fake provider on this machine. If the API is in production, nothing is sent to the provider. */

import type { Cli } from './cli.ts'
import { CliError } from './failure.ts'
import { loopbackUrl } from './flags.ts'

/** Asks the control API; resolves with the parsed answer. */
export type Control = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

/** @throws CliError if there is none, or if the API is in production */
export async function fakeProvider(cli: Cli): Promise<Control> {
  const { name, profile } = await cli.used()
  const { environment } = await (await cli.agent()).system.metadata({ signal: cli.signal })
  if (environment === 'production')
    throw new CliError(
      'wrongUse',
      'not_in_production',
      `${profile.base_url} is the environment "${environment}": faults and test users belong to the fake provider of a development stack.`,
    )
  if (!profile.provider_url)
    throw new CliError(
      'wrongUse',
      'no_fake_provider',
      `The profile "${name}" names no fake provider. \`dev\` prints its address: give it as FINANCIAL_AGENTS_PROVIDER_URL, or sign in with --provider-url.`,
    )
  const origin = new URL(loopbackUrl(profile.provider_url)).origin
  return async (method, path, body) => {
    const answer = await fetch(origin + path, {
      method,
      signal: AbortSignal.any([cli.signal, AbortSignal.timeout(10_000)]),
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }).catch((error: unknown) => {
      cli.signal.throwIfAborted()
      throw new CliError(
        'unavailable',
        'provider_away',
        `The fake provider at ${origin} does not answer. Is \`dev\` running, and is that its address?`,
        { cause: error },
      )
    })
    if (answer.status === 204) return undefined
    const text = await answer.text()
    const parsed = /^application[/]json/.test(answer.headers.get('content-type') ?? '')
      ? (JSON.parse(text) as unknown)
      : undefined
    if (answer.ok && parsed !== undefined) return parsed
    const { error } = (parsed ?? {}) as { error?: { where?: { path: string; message: string }[] } }
    if (error?.where)
      throw new CliError(
        'wrongUse',
        'fault_refused',
        error.where.map(({ path: at, message }) => `${at}: ${message}`).join('; '),
      )
    throw new CliError(
      'wrongUse',
      'no_fake_provider',
      `${origin} is no fake provider: it answered ${answer.status} to ${method} ${path}.`,
    )
  }
}
