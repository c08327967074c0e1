/** `doctor`: checks everything that a request needs, from the profile to a signed request, and says what to do. */

import { lookup } from 'node:dns/promises'
import { stat } from 'node:fs/promises'
import type { Agent } from '@financial-agents/client'
import type { Cli, Used } from '../cli.ts'
import { command } from '../command.ts'
import { failureOf } from '../failure.ts'
import { type CommonFlags, commonFlags } from '../flags.ts'
import { plain } from '../output/plain.ts'
import { version } from '../version.ts'

type Status = 'ok' | 'warning' | 'failed' | 'skipped'
type Result = { check: string; status: Status; found: string }
type Looked = readonly [status: Status, found: string]

export const doctor = command({
  docs: {
    brief: 'Look for what is wrong: version, profile, DNS, API, clock, keys, sign-in',
    fullDescription: 'Each check says what it found, and what to do. The exit code is 1 if one failed.',
  },
  parameters: { flags: commonFlags },
  run: async (cli: Cli, _flags: CommonFlags) => {
    const used = await cli.used()
    const agent = await cli.agent().catch(() => undefined)
    const results: Result[] = []
    const check = async (name: string, look: () => Promise<Looked> | Looked) => {
      const [status, found] = await looked(cli, look)
      const result = { check: name, status, found }
      results.push(result)
      if (cli.output.format === 'text') cli.output.line(lineOf(cli, result))
      return status
    }
    await check('version', () => ofVersion())
    await check('profile', () => ofProfile(used))
    if (agent) await checkApi(cli, used, agent, check)
    await check('keys', () => ofKeys(used))
    if (agent) await check('sign-in', () => ofSignIn(cli, agent, used))
    if (cli.output.format === 'json') cli.output.one({ checks: results }, [])
    if (cli.output.format === 'jsonl') for (const result of results) cli.output.line(result)
    cli.end(results.some(({ status }) => status === 'failed') ? 'failed' : 'done')
  },
})

type Check = (name: string, look: () => Promise<Looked> | Looked) => Promise<Status>

/**
 * Checks the API. If the name cannot be resolved or the API does not answer, the later checks of the API are left out.
 */
async function checkApi(cli: Cli, { profile }: Used, agent: Agent, check: Check): Promise<void> {
  const { signal } = cli
  const base = profile.base_url ?? ''
  if ((await check('dns', () => ofDns(base))) === 'failed') return
  const atMs = Date.now()
  let date: string | null = null
  const reached = await check('api', async () => {
    const { status } = await agent.system.health({
      signal,
      retryForMs: 0,
      onResponse: ({ headers }) => {
        date = headers.get('date')
      },
    })
    return [status === 'ok' ? 'ok' : 'warning', `${base} answers: ${status}`]
  })
  if (reached === 'failed') return
  await check('clock', () => ofClock(date, atMs))
  await check('metadata', async () => {
    const { issuer, version: offered, environment } = await agent.system.metadata({ signal, retryForMs: 0 })
    return issuer === new URL(base).origin
      ? ['ok', `API ${offered}, environment ${environment}`]
      : ['failed', `The issuer is ${issuer}, not ${base}. Sign in with its --base-url.`]
  })
}

async function looked(cli: Cli, look: () => Promise<Looked> | Looked): Promise<Looked> {
  try {
    return await look()
  } catch (error) {
    cli.signal.throwIfAborted()
    return ['failed', failureOf(error).message]
  }
}

function lineOf({ output: { paint } }: Cli, { check, status, found }: Result): string {
  const painted = status === 'ok' ? paint.good : status === 'failed' ? paint.bad : paint.bold
  return `${painted(status.padEnd(8))}${check.padEnd(10)}${plain(found)}`
}

function ofVersion(): Looked {
  return ['ok', `financial-agents ${version}, Node ${process.versions.node}`]
}

function ofProfile({ name, profile }: Used): Looked {
  const { base_url, client_id, method = 'device' } = profile
  return base_url && client_id
    ? ['ok', `${name}: ${client_id} at ${base_url}, sign-in by ${method}`]
    : ['failed', `${name} has no API and no client id. Run: financial-agents login --base-url … --client-id …`]
}

async function ofDns(base: string): Promise<Looked> {
  const { hostname } = new URL(base)
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  return addresses.length > 0
    ? ['ok', `${hostname} is ${addresses.map(({ address }) => address).join(', ')}`]
    : ['failed', `${hostname} is not found. Is the name right, and is this machine online?`]
}

/** The client corrects a wrong clock by itself; other programs on this machine do not. */
function ofClock(date: string | null, atMs: number): Looked {
  if (date === null) return ['skipped', 'the answer has no Date']
  const offMs = Date.parse(date) + 500 - (atMs + Date.now()) / 2
  const seconds = Math.round(Math.abs(offMs) / 1_000)
  if (seconds <= 5) return ['ok', 'right within 5 s']
  return [
    'warning',
    `${seconds} s ${offMs > 0 ? 'behind' : 'ahead'} of the API. It works all the same; set the clock of this machine.`,
  ]
}

async function ofKeys({ store, folders }: Used): Promise<Looked> {
  const place = await store.place()
  if (place === undefined) return ['skipped', 'no keys yet']
  if (place === 'keychain') return ['ok', 'sealed by the keychain of the system']
  const { mode } = await stat(folders.keys)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    return ['failed', `others can read ${folders.keys}. Run: chmod -R go= ${folders.keys}, then sign in again.`]
  return ['ok', `in ${folders.keys}, for this user alone; there is no keychain`]
}

/** Checks token, key, proof and nonce together, with one signed request. */
async function ofSignIn({ signal }: Cli, agent: Agent, { store }: Used): Promise<Looked> {
  if ((await store.place()) === undefined) return ['skipped', 'nobody has signed in. Run: financial-agents login']
  const answer = await agent.fetch('/v1/operations?limit=1', { signal })
  await answer.body?.cancel()
  const nonce = answer.headers.has('dpop-nonce') ? 'with a fresh nonce' : 'without a nonce'
  if (answer.status === 200) return ['ok', `a signed request is accepted, ${nonce}`]
  return ['failed', `a signed request is refused: HTTP ${answer.status}. Run: financial-agents login`]
}
