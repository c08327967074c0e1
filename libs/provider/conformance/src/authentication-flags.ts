/**
 * The options with which the kit authenticates itself: the variables of the adapter `http`, as options of a command.
 *
 * Invariant: keys and certificates are named by their files. No secret is an argument of a process.
 */

import { readFile } from 'node:fs/promises'
import type { Authentication } from '@financial-agents/provider-http/authentication'
import { AuthenticationError, readAuthentication } from '@financial-agents/provider-http/authentication-variables'
import { UsageError } from '@financial-agents/runtime/command'

const flags = {
  'tls-certificate': ['TLS_CERTIFICATE', 'file', 'mutual TLS: the client certificate (PEM)'],
  'tls-key': ['TLS_KEY', 'file', 'mutual TLS: its key (PEM)'],
  'tls-authorities': ['TLS_AUTHORITIES', 'file', 'the authorities of the provider’s certificate (PEM)'],
  'token-issuer': ['TOKEN_ISSUER', 'address', 'the authorization server of the provider'],
  'token-endpoint': ['TOKEN_ENDPOINT', 'address', 'its token endpoint; tokens are bound by DPoP'],
  'token-client-id': ['TOKEN_CLIENT_ID', 'name', 'the client there (private_key_jwt)'],
  'token-client-key': ['TOKEN_CLIENT_KEY', 'file', 'its P-256 key (PEM)'],
  'token-client-key-id': ['TOKEN_CLIENT_KEY_ID', 'name', 'the kid of that key'],
  'token-scope': ['TOKEN_SCOPE', 'text', 'the scope of tokens'],
  'signature-key': ['SIGNATURE_KEY', 'file', 'signed requests (RFC 9421): the Ed25519 or P-256 key (PEM)'],
  'signature-key-id': ['SIGNATURE_KEY_ID', 'name', 'the name of that key'],
} as const satisfies Record<string, readonly [variable: string, value: string, meaning: string]>

type Flag = keyof typeof flags
const names = Object.keys(flags) as Flag[]

export const authenticationFlags = Object.fromEntries(names.map((name) => [name, { type: 'string' }])) as {
  readonly [Name in Flag]: { readonly type: 'string' }
}

export const authenticationMeanings = names.map((name): [string, string] => [
  `--${name} <${flags[name][1]}>`,
  flags[name][2],
])

/**
 * Reads the options; undefined if none is given.
 * @throws UsageError that names the option, without its value
 */
export async function readFlags(
  given: Readonly<Partial<Record<Flag, string | undefined>>>,
): Promise<Authentication | undefined> {
  const variables: Record<string, string> = {}
  for (const name of names) {
    const value = given[name]
    if (value !== undefined) variables[flags[name][0]] = flags[name][1] === 'file' ? await fileOf(name, value) : value
  }
  try {
    return readAuthentication(variables)
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error
    throw new UsageError(names.toSorted(longestFirst).reduce(named, error.message))
  }
}

/** Sorts longer names first. A name that begins with another name is then replaced before that name is. */
const longestFirst = (one: Flag, other: Flag) => other.length - one.length

/** The message with the option in place of the variable. */
const named = (message: string, name: Flag) => message.replaceAll(flags[name][0], `--${name}`)

async function fileOf(name: Flag, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    throw new UsageError(`--${name}: there is no such file`)
  }
}
