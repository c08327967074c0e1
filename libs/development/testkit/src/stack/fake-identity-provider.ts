/** Starts the fake identity provider as a process, for the stack and for the tests of the service that calls it. */

import { randomBytes } from 'node:crypto'
import { startChild } from '@financial-agents/servers/child-process'
import { getFreePort } from '@financial-agents/servers/ports'
import { compileCache } from './compile-cache.ts'
import { waitReady } from './processes.ts'
import { type Bundles, programOf } from './programs.ts'

/** The process of the fake identity provider, and the console's registration there. */
export type FakeIdentityProvider = {
  /** Its issuer, which is also its origin. */
  issuer: string
  clientId: string
  /** The secret for `client_secret_post`. */
  clientSecret: string
  stop: () => Promise<void>
}

/** The redirect URIs of the console, and a listener for each line of the process. */
export type IdentityProviderOptions = {
  redirectUris: readonly string[]
  onLine?: (line: string) => void
  bundles?: Bundles
}

/** Chooses a free port and a new secret. */
export async function describeIdentityProvider(redirectUris: readonly string[]) {
  const port = await getFreePort()
  const client = { clientId: 'ops-console', clientSecret: randomBytes(24).toString('base64url') }
  const environment = {
    PORT: String(port),
    CLIENT_ID: client.clientId,
    CLIENT_SECRET: client.clientSecret,
    REDIRECT_URIS: redirectUris.join(' '),
  }
  return { issuer: `http://127.0.0.1:${port}`, ...client, environment }
}

/** Starts the process and waits until it answers. */
export async function startFakeIdentityProvider(options: IdentityProviderOptions): Promise<FakeIdentityProvider> {
  const { environment, ...described } = await describeIdentityProvider(options.redirectUris)
  const program = programOf('fake-identity-provider', options.bundles)
  const child = await startChild('fake-identity-provider', process.execPath, program.args, {
    ...program.options,
    env: { PATH: process.env['PATH'], ...compileCache, ...environment },
    onLine: options.onLine ?? (() => {}),
  })
  try {
    await waitReady('fake-identity-provider', child, `${described.issuer}/health`)
  } catch (error) {
    await child.stop()
    throw error
  }
  return { ...described, stop: () => child.stop() }
}
