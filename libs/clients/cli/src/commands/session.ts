/** `login`, `logout`, `whoami`, `profiles`: the client and the owner for which this command line acts. */

import type { KnownScope } from '@financial-agents/client'
import { buildRouteMap } from '@stricli/core'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { CliError, wrongUse } from '../failure.ts'
import { argument, type CommonFlags, commonFlags, loopbackUrl, textFlag, waitFlags } from '../flags.ts'
import { openInBrowser } from '../open-in-browser.ts'
import { shortTime } from '../output/time.ts'
import { type Profile, profileName, readConfig, type SignInMethod, writeConfig } from '../profile/config.ts'
import { defaultScopes } from '../scopes.ts'

type LoginFlags = CommonFlags & {
  readonly baseUrl?: string
  readonly clientId?: string
  readonly method?: SignInMethod
  readonly redirectUri?: string
  readonly scopes?: string
  readonly providerUrl?: string
  readonly timeout: number
}

export const login = command({
  docs: {
    brief: 'Sign in: the owner consents on a page, and this profile may act',
    fullDescription:
      'The address of the API and the client id are needed once; the profile keeps them. With the method "device" the owner opens an address anywhere and enters a code; with "loopback" the browser of this machine comes back by itself. The keys and tokens go to the keychain of the system, or to a file that only you can read.',
  },
  parameters: {
    flags: {
      ...commonFlags,
      timeout: { ...waitFlags.timeout, brief: 'Seconds to wait for the owner' },
      baseUrl: textFlag("The API's origin", 'url'),
      clientId: textFlag('The registered client id', 'id'),
      method: {
        kind: 'enum',
        values: ['device', 'loopback'],
        brief: 'The way to sign in: device (the first time), loopback',
        optional: true,
      },
      redirectUri: textFlag('The registered redirect, loopback only (http://127.0.0.1/callback)', 'url'),
      scopes: textFlag('The scopes to ask for, separated by commas', 'a,b'),
      providerUrl: {
        kind: 'parsed',
        parse: loopbackUrl,
        brief: 'The fake provider, for trigger and test users',
        placeholder: 'url',
        optional: true,
      },
    },
  },
  run: async (cli: Cli, flags: LoginFlags) => {
    const used = await cli.used()
    const profile: Profile = {
      ...used.profile,
      ...(flags.baseUrl && { base_url: flags.baseUrl }),
      ...(flags.clientId && { client_id: flags.clientId }),
      ...(flags.method && { method: flags.method }),
      ...(flags.redirectUri && { redirect_uri: flags.redirectUri }),
      // The server says which of them it does not know.
      ...(flags.scopes && { scopes: flags.scopes.split(/[\s,]+/).filter(Boolean) as KnownScope[] }),
      ...(flags.providerUrl && { provider_url: flags.providerUrl }),
    }
    const agent = cli.signingIn({ ...used, profile }, (url) => {
      if (profile.method === 'loopback' && cli.canAsk) openInBrowser(url)
    })
    const limit = AbortSignal.timeout(Math.max(1, flags.timeout) * 1_000)
    const signedIn = await cli
      .during('Waiting for the owner.', () => agent.signIn({ signal: AbortSignal.any([cli.signal, limit]) }))
      .catch((error: unknown) => {
        if (limit.aborted && (error as Error).name === 'TimeoutError')
          throw new CliError(
            'needsOwner',
            'sign_in_declined',
            'The owner did not sign in in time. Run the command again for a new code.',
          )
        throw withScopes(error, profile)
      })
    const config = await readConfig(cli.home)
    const current = Object.keys(config.profiles).length === 0 ? used.name : config.current
    await writeConfig(cli.home, { current, profiles: { ...config.profiles, [used.name]: profile } })
    const scopes = signedIn.status === 'signed_in' ? signedIn.scopes : []
    const keys = await used.store.place()
    cli.output.one({ profile: used.name, base_url: profile.base_url, client_id: profile.client_id, scopes, keys }, [
      ['Signed in', `${profile.client_id} at ${profile.base_url}`],
      ['Profile', used.name],
      ['Scopes', scopes.join(' ')],
      [
        'Keys',
        keys === 'keychain' ? 'sealed by the keychain of the system' : `in ${used.folders.keys}, for this user alone`,
      ],
    ])
  },
})

/** A client that is not registered for the scopes can ask for fewer. */
function withScopes(error: unknown, { scopes = defaultScopes }: Profile): unknown {
  if (!/invalid_scope/.test((error as Error).message)) return error
  return new CliError(
    'wrongUse',
    'invalid_scope',
    `The client is not registered for all of these scopes: ${scopes.join(',')}. Name those that it has: --scopes a,b`,
    { cause: error },
  )
}

export const logout = command({
  docs: {
    brief: 'Forget the keys and tokens of the profile',
    fullDescription:
      'The keys and tokens of this machine are deleted. The grant itself lasts: the owner ends it on the page that is printed. The records of unfinished writes stay, so that no payment is made twice after the next sign-in.',
  },
  parameters: { flags: commonFlags },
  run: async (cli: Cli, _flags: CommonFlags) => {
    const { name, profile, store } = await cli.used()
    await store.forget()
    const page = profile.base_url === undefined ? null : `${profile.base_url}/account`
    cli.output.one({ profile: name, signed_in: false, account_page: page }, [
      ['Signed out', name],
      ['To end the grant', page ? `the owner opens ${page}` : '–'],
    ])
  },
})

export const whoami = command({
  docs: { brief: 'Show the owner, the client, its scopes and its limits' },
  parameters: { flags: commonFlags },
  run: async (cli: Cli, _flags: CommonFlags) => {
    const agent = await cli.agent()
    const { name, profile } = await cli.used()
    const { signal } = cli
    const { grant, client, policy } = await agent.authorization.get({ signal })
    const owner = grant.scopes.includes('identity:read') ? await agent.identity.get({ signal }) : null
    const { per_payment, per_day } = policy.ceilings
    const money = (given: { amount: string; currency: string } | null) =>
      given ? `${given.amount} ${given.currency}` : 'none'
    cli.output.one({ profile: name, base_url: profile.base_url, owner, client, grant, policy }, [
      ['Profile', `${name} at ${profile.base_url}`],
      ['Owner', owner?.display_name ?? owner?.subject],
      ['Client', `${client.name} (${client.id}, ${client.profile})`],
      ['Grant', `${grant.status}${grant.expires_at ? `, until ${shortTime(grant.expires_at)}` : ''}`],
      ['Scopes', grant.scopes.join(' ')],
      ['Highest payment', money(per_payment)],
      ['Highest day', money(per_day)],
      ...policy.confirmation.map(
        ({ action, above }) => [`Confirms ${action}`, above ? `above ${money(above)}` : 'always'] as const,
      ),
    ])
  },
})

type Listed = { name: string; current: boolean; base_url: string | null; client_id: string | null; keys: string | null }

const list = command({
  docs: { brief: 'List the profiles' },
  parameters: { flags: commonFlags },
  run: async (cli: Cli, _flags: CommonFlags) => {
    const config = await readConfig(cli.home)
    async function* items(): AsyncIterable<Listed> {
      for (const [name, { base_url = null, client_id = null }] of Object.entries(config.profiles)) {
        const keys = (await cli.storeOf(name).place()) ?? null
        yield { name, current: name === config.current, base_url, client_id, keys }
      }
    }
    await cli.output.list(
      items(),
      [
        ['', ({ current }) => (current ? '*' : '')],
        ['Profile', ({ name }) => name],
        ['API', ({ base_url }) => base_url],
        ['Client', ({ client_id }) => client_id],
        ['Keys', ({ keys }) => keys],
      ],
      { limit: Infinity, empty: 'No profile. Run: financial-agents login' },
    )
  },
})

const use = command({
  docs: { brief: 'Make a profile the current one' },
  parameters: { flags: commonFlags, positional: { kind: 'tuple', parameters: [argument('The profile', 'name')] } },
  run: async (cli: Cli, _flags: CommonFlags, given: string) => {
    const config = await readConfig(cli.home)
    const name = profileName(config, given, {})
    if (!config.profiles[name])
      throw wrongUse(
        `There is no profile "${name}". There are: ${Object.keys(config.profiles).join(', ') || 'none; run financial-agents login'}.`,
      )
    await writeConfig(cli.home, { ...config, current: name })
    cli.output.one({ current: name }, [['Current profile', name]])
  },
})

export const profiles = buildRouteMap({
  routes: { list, use },
  docs: { brief: 'Several owners, clients and environments' },
})
