/**
 * The tokens of one owner's grant. They are renewed by one request at a time, kept in the store, and never shown. When the grant has
 * ended, every call is refused until `signIn` asks the owner again: the client never asks a second time by itself.
 */

import * as oauth from 'oauth4webapi'
import type { Auth, AuthContext } from './auth/profile.ts'
import { OAuthRefusal, type TokenAnswer, tokensFrom } from './auth/token-answer.ts'
import { ClientError } from './client-error.ts'
import { accessEnded, explain, resultOf } from './oauth-failure.ts'
import { type OnOwnerNeeded, tellOwner } from './owner.ts'
import { abortable } from './sleep.ts'
import type { Store } from './store.ts'

type Tokens = { accessToken: string; expiresAtMs: number; refreshToken?: string; scope: string }
type StoredTokens = Tokens | { ended: true }

/** The end of a sign-in: done, or the browser has to go to `url` and come back. */
export type SignIn = { status: 'signed_in'; scopes: string[] } | { status: 'redirect'; url: string }

/** The grant of one owner. */
export type Session = {
  /**
   * Returns a token that stays valid for some seconds more.
   * @throws ClientError, or Unsent if a token may be available later
   */
  token(signal?: AbortSignal): Promise<string>
  /** Called if the API refused this token: the next call obtains another one. */
  refused(token: string): void
  /** True while a renewal waits for the owner to sign in. */
  waitsForOwner(): boolean
  signIn(signal?: AbortSignal): Promise<SignIn>
  complete(answer: URL): Promise<SignIn>
  signOut(): Promise<void>
}

const name = 'session'
const secret = { secret: true }
/** A token is renewed if less than this is left of its lifetime. */
const marginMs = 20_000

/** Creates the session. `contextOf` makes the parts with which the profile works, `now` is the server's time. */
export function createSession(
  auth: Auth,
  store: Store,
  contextOf: (signal?: AbortSignal) => Promise<AuthContext>,
  now: () => number,
): Session {
  let held: Tokens | undefined
  let renewing: Promise<string> | undefined
  const owner = { isAsked: false }
  /**
   * The tokens that the API has refused. The store does not learn of them: it may keep the newer session of another process by now,
   * which a write would replace.
   */
  const refused = new Set<string>()

  const explained = explaining(now)
  const read = async () => (await store.get(name)) as StoredTokens | undefined
  const isGood = ({ accessToken, expiresAtMs }: Tokens) =>
    !refused.has(accessToken) && expiresAtMs > Date.now() + marginMs
  const keep = async (answer: TokenAnswer, before?: Tokens): Promise<Tokens> => {
    held = tokensOf(answer, before)
    await store.set(name, held, secret)
    refused.clear()
    return held
  }
  const begin = async (signal?: AbortSignal): Promise<SignIn> => {
    const answer = await obtained(auth, await contextOf(signal), owner)
    if (!('access_token' in answer)) return { status: 'redirect', url: answer.url }
    return signedIn(await keep(answer))
  }
  const renew = async (): Promise<string> => {
    const kept = await read()
    if (kept && 'ended' in kept) throw accessEnded()
    if (kept && isGood(kept)) return (held = kept).accessToken
    if (kept?.refreshToken !== undefined) return refresh(kept, kept.refreshToken)
    const outcome = await begin()
    if (outcome.status === 'signed_in' && held) return held.accessToken
    return askByRedirect(await contextOf(), (outcome as { url: string }).url)
  }
  const refresh = async (before: Tokens, refreshToken: string): Promise<string> => {
    const answer = await refreshed(auth, await contextOf(), refreshToken).catch((error: unknown) => {
      if (error instanceof OAuthRefusal && resultOf(error) === 'invalid_grant') return error
      throw error
    })
    const kept = await read()
    // Another process has signed in or out meanwhile, or has seen the end of the grant. Its session is the newer one.
    if (!kept || 'ended' in kept || kept.refreshToken !== refreshToken) return renew()
    if (!(answer instanceof OAuthRefusal)) return (await keep(answer, before)).accessToken
    held = undefined
    await store.set(name, { ended: true }, secret)
    throw answer
  }
  return {
    token: async (signal) => {
      if (held && isGood(held)) return held.accessToken
      renewing ??= explained(renew()).finally(() => {
        renewing = undefined
      })
      return abortable(renewing, signal)
    },
    refused: (token) => void refused.add(token),
    waitsForOwner: () => owner.isAsked,
    signIn: (signal) => explained(begin(signal)),
    complete: async (answer) => {
      if (!auth.complete)
        throw new ClientError('invalid_use', `The profile ${auth.profile} needs agent.signIn() alone.`)
      return explained(auth.complete(await contextOf(), answer).then(async (tokens) => signedIn(await keep(tokens))))
    },
    signOut: async () => {
      const kept = (await store.get(name)) as Tokens | undefined
      held = undefined
      await store.delete(name)
      if (kept?.refreshToken !== undefined) await auth.revoke?.(await contextOf(), kept.refreshToken)
    },
  }
}

/** Obtains tokens. `owner.isAsked` is true while the owner has to sign in. */
async function obtained(auth: Auth, context: AuthContext, owner: { isAsked: boolean }) {
  const tell = context.onOwnerNeeded
  const noted: OnOwnerNeeded = (needed) => {
    owner.isAsked = true
    return tell?.(needed)
  }
  try {
    return await auth.obtain({ ...context, onOwnerNeeded: tell && noted })
  } finally {
    owner.isAsked = false
  }
}

async function askByRedirect({ onOwnerNeeded }: AuthContext, url: string): Promise<never> {
  await tellOwner(onOwnerNeeded, { kind: 'sign_in', url, expiresAt: null })
  throw new ClientError('sign_in_needed', 'Nobody has signed in: use agent.signIn(), then agent.completeSignIn().')
}

async function refreshed(auth: Auth, context: AuthContext, refreshToken: string): Promise<TokenAnswer> {
  const { server, client, http, resource } = context
  const as = await server()
  const authentication = await auth.authenticate()
  const more = { ...http, additionalParameters: { resource } }
  return tokensFrom(() => oauth.refreshTokenGrantRequest(as, client(), authentication, refreshToken, more))
}

/** Waits for the work, and explains its error. */
function explaining(now: () => number) {
  return async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      throw explain(error, now())
    }
  }
}

function tokensOf(answer: TokenAnswer, before: Tokens | undefined): Tokens {
  // A refresh keeps the refresh token, so the answer need not contain it.
  const refreshToken = answer.refresh_token ?? before?.refreshToken
  return {
    accessToken: answer.access_token,
    expiresAtMs: Date.now() + (answer.expires_in ?? 300) * 1_000,
    scope: answer.scope ?? before?.scope ?? '',
    ...(refreshToken === undefined ? {} : { refreshToken }),
  }
}

function signedIn({ scope }: Tokens): SignIn {
  return { status: 'signed_in', scopes: scope.split(' ').filter(Boolean) }
}
