/** The control listener of a sandbox on this machine: its clock and its clients. The fake provider tells its address. */

import { CliError } from './failure.ts'
import { loopbackUrl } from './flags.ts'

export type SandboxControl = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>

/** @throws CliError if the provider belongs to no sandbox, or does not answer */
export async function sandboxControl(providerUrl: string, signal: AbortSignal): Promise<SandboxControl> {
  const origin = new URL(loopbackUrl(providerUrl)).origin
  const ask = async (method: string, url: string, body?: object): Promise<unknown> => {
    const answer = await fetch(url, {
      method,
      signal,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }).catch((cause: unknown) => {
      signal.throwIfAborted()
      throw new CliError('unavailable', 'sandbox_away', `The sandbox at ${origin} does not answer. Is it running?`, {
        cause,
      })
    })
    const parsed = (await answer.json().catch(() => ({}))) as { error?: unknown }
    if (answer.ok) return parsed
    const reason = typeof parsed.error === 'string' ? parsed.error : `${origin} is no sandbox.`
    throw new CliError('wrongUse', 'sandbox_refused', reason)
  }
  const { control_url } = (await ask('GET', `${origin}/control/system`)) as { control_url: string }
  const control = new URL(loopbackUrl(control_url)).origin
  return (method, path, body) => ask(method, control + path, body)
}
