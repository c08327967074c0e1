/**
 * The folder of the command line, and the profiles in its `config.json`. A profile is one client at one API, for one owner. It holds
 * no secret: keys and tokens are in `key-store.ts`.
 */

import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { KnownScope } from '@financial-agents/client'
import { CliError, wrongUse } from '../failure.ts'

export type Env = Readonly<Record<string, string | undefined>>

export type SignInMethod = 'device' | 'loopback'

/** A profile as it is kept. */
export type Profile = {
  base_url?: string
  client_id?: string
  method?: SignInMethod
  /** The registered redirect of a loopback client. */
  redirect_uri?: string
  scopes?: readonly KnownScope[]
  /** The control API of a fake provider. */
  provider_url?: string
}

type Config = { current: string; profiles: Record<string, Profile> }

/** The folder of everything that the command line keeps. */
export function homeOf(env: Env): string {
  if (env['FINANCIAL_AGENTS_HOME']) return env['FINANCIAL_AGENTS_HOME']
  const base = process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME']
  return join(base || join(homedir(), '.config'), 'financial-agents')
}

const pathOf = (home: string) => join(home, 'config.json')

/** Reads the profiles. If there is no file, there are no profiles. */
export async function readConfig(home: string): Promise<Config> {
  const path = pathOf(home)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  try {
    const { current = 'default', profiles = {} } = JSON.parse(text) as Partial<Config>
    return { current, profiles }
  } catch (error) {
    throw new CliError(
      'wrongUse',
      'config_invalid',
      `${path} is not JSON. Correct it, or delete it and sign in again.`,
      { cause: error },
    )
  }
}

/** Writes the profiles in one step: a crash leaves the old file or the new one. */
export async function writeConfig(home: string, config: Config): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 })
  const beside = join(home, `.${randomUUID()}.tmp`)
  await writeFile(beside, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
  await rename(beside, pathOf(home))
}

/** Names the profile to use: the flag, then the environment, then the current one of the file. */
export function profileName(config: Config, flag: string | undefined, env: Env): string {
  const name = flag ?? env['FINANCIAL_AGENTS_PROFILE'] ?? config.current
  if (!/^[\w-]{1,40}$/.test(name)) throw wrongUse(`--profile ${name}: use letters, digits, _ and - only, at most 40.`)
  return name
}

/** A profile with the variables of the environment on top. */
export function profileIn(config: Config, name: string, env: Env): Profile {
  const variables = {
    base_url: env['FINANCIAL_AGENTS_BASE_URL'],
    client_id: env['FINANCIAL_AGENTS_CLIENT_ID'],
    provider_url: env['FINANCIAL_AGENTS_PROVIDER_URL'],
  }
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value))
  return { ...config.profiles[name], ...given }
}

export function foldersOf(home: string, name: string): { keys: string; writes: string } {
  const folder = join(home, 'profiles', name)
  return { keys: join(folder, 'keys'), writes: join(folder, 'writes') }
}
