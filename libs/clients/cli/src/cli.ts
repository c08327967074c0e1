/** The parts that a command works with: its output, its profile, its client. */

import { type Agent, ClientError, FinancialAgents, type OwnerNeeded } from '@financial-agents/client'
import { device } from '@financial-agents/client/auth/device'
import { native } from '@financial-agents/client/auth/native'
import { proxyFetch } from '@financial-agents/client/proxy'
import type { CliProcess } from './context.ts'
import { type Ending, exitCodes } from './exit-codes.ts'
import { CliError, wrongUse } from './failure.ts'
import type { CommonFlags } from './flags.ts'
import { createOutput, type Output, type Stream } from './output/output.ts'
import { type Progress, startProgress } from './output/progress.ts'
import { foldersOf, homeOf, type Profile, profileIn, profileName, readConfig } from './profile/config.ts'
import { type KeyStore, keyStore } from './profile/key-store.ts'
import { findKeychain } from './profile/keychain.ts'
import { defaultScopes } from './scopes.ts'

export type Used = { name: string; profile: Profile; folders: { keys: string; writes: string }; store: KeyStore }

export type Cli = {
  readonly process: CliProcess
  readonly output: Output
  readonly home: string
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** True if a person can be asked: stdin and stderr are a terminal, and the output is for people. */
  readonly canAsk: boolean
  used(): Promise<Used>
  /** Makes the client of the profile. It never begins a sign-in by itself. @throws CliError without a base URL or a client id */
  agent(): Promise<Agent>
  /** Makes a client that signs in. `opening` also receives the address of the page. */
  signingIn(used: Used, opening: (url: string) => void): Agent
  storeOf(name: string): KeyStore
  /** Shows progress until the work ends. Pages for the owner are printed above it. */
  during<Result>(text: string, work: () => Promise<Result>): Promise<Result>
  /** The options of the next call: it ends by Ctrl-C, and with the time of `--timeout`. */
  calls(): { signal: AbortSignal; timeoutMs?: number }
  /** Gives the command this time back, because a person has been asked. */
  giveTime(ms: number): void
  /** Sets the exit code of a command that printed its result. */
  end(ending: Ending): void
}

/** Makes the parts. @throws CliError if the flags contradict each other */
export function createCli(process: CliProcess, flags: CommonFlags & { readonly timeout?: number }): Cli {
  const { stdin, stdout, stderr, env, retryForMs = 20_000 } = process
  if (flags.json && flags.jsonl) throw wrongUse('Give --json or --jsonl, not both.')
  const output = createOutput(flags.json ? 'json' : flags.jsonl ? 'jsonl' : 'text', { stdout, stderr, env })
  const home = homeOf(env)
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort(new CliError('interrupted', 'interrupted', 'Interrupted.')))
  const desk = createDesk(output, stderr)
  const { timeout } = flags
  let startedAtMs = Date.now()
  const storeOf = (name: string) => keyStore(foldersOf(home, name), () => findKeychain(env))
  const used = async (): Promise<Used> => {
    const config = await readConfig(home)
    const name = profileName(config, flags.profile, env)
    return { name, profile: profileIn(config, name, env), folders: foldersOf(home, name), store: storeOf(name) }
  }
  return {
    process,
    output,
    home,
    signal: interrupted.signal,
    calls: () => ({
      signal: interrupted.signal,
      // 0 waits for nobody, and does not limit a call.
      ...(timeout !== undefined && {
        timeoutMs: timeout === 0 ? 0 : Math.max(1, startedAtMs + timeout * 1_000 - Date.now()),
      }),
    }),
    giveTime: (ms) => {
      startedAtMs += ms
    },
    canAsk: stdin.isTTY && stderr.isTTY === true && output.format === 'text',
    used,
    storeOf,
    agent: async () => clientOf(await used(), { env, retryForMs, mayObtain: false, onOwnerNeeded: desk.show }),
    signingIn: (given, open) =>
      clientOf(given, {
        env,
        retryForMs,
        mayObtain: true,
        onOwnerNeeded: (needed) => {
          desk.show(needed)
          open(needed.url)
        },
      }),
    during: desk.during,
    end: (ending) => {
      process.exitCode = exitCodes[ending]
    },
  }
}

/** The place where progress and pages for the owner are shown, the pages above the progress. */
function createDesk(output: Output, stderr: Stream) {
  let progress: Progress | undefined
  return {
    show: (needed: OwnerNeeded) => {
      const print = () => output.tell(ownerText(needed))
      if (progress) progress.above(print)
      else print()
    },
    during: async <Result>(text: string, work: () => Promise<Result>): Promise<Result> => {
      progress = startProgress(stderr, text)
      try {
        return await work()
      } finally {
        progress.stop()
        progress = undefined
      }
    },
  }
}

type ClientOptions = {
  env: CliProcess['env']
  retryForMs: number
  mayObtain: boolean
  onOwnerNeeded: (needed: OwnerNeeded) => void
}

/**
 * The registration that the profile names. `redirectUri` is undefined unless the client signs in over loopback.
 * @throws CliError without a base URL or a client id
 */
export function registrationOf({ name, profile }: Used) {
  const { base_url: baseUrl, client_id: clientId, scopes = defaultScopes, method, redirect_uri } = profile
  if (!baseUrl || !clientId)
    throw new CliError(
      'needsOwner',
      'not_configured',
      `The profile "${name}" has no API and no client id. Run: ${loginLine}`,
    )
  const redirectUri = method === 'loopback' ? (redirect_uri ?? defaultRedirectUri) : undefined
  return { baseUrl, clientId, scopes, redirectUri }
}

/** Makes a client of the profile. If `mayObtain` is false, the client needs the tokens of an earlier sign-in. */
function clientOf(used: Used, { env, retryForMs, mayObtain, onOwnerNeeded }: ClientOptions): Agent {
  const { name, store } = used
  const { baseUrl, clientId, scopes, redirectUri } = registrationOf(used)
  const auth = redirectUri === undefined ? device({ scopes }) : native({ scopes, redirectUri })
  const nobody = () => {
    const message = `Nobody has signed in with the profile "${name}". Run: financial-agents login`
    return Promise.reject(new ClientError('sign_in_needed', message))
  }
  return FinancialAgents({
    baseUrl,
    clientId,
    account: name,
    auth: mayObtain ? auth : { ...auth, obtain: nobody },
    store,
    onOwnerNeeded,
    fetch: proxyFetch(env),
    retryForMs,
  })
}

const loginLine = 'financial-agents login --base-url https://… --client-id …'

/** The redirect URI of a loopback client whose profile names none. */
const defaultRedirectUri = 'http://127.0.0.1/callback'

const doings = {
  sign_in: 'sign in and consent',
  confirmation: 'confirm this request',
  approval: 'approve this at the bank',
}

function ownerText({ kind, url, code, expiresAt, summary }: OwnerNeeded): string {
  const until = expiresAt ? `, until ${expiresAt.toLocaleTimeString()}` : ''
  return [
    ...(summary ? [summary, ''] : []),
    `The owner has to ${doings[kind]}${until}:`,
    `  ${url}`,
    ...(code ? [`and enter the code  ${code}`] : []),
  ].join('\n')
}
