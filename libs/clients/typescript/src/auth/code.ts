/**
 * The authorization code flow of the three profiles with a browser: PKCE, a code bound to the DPoP key, `state`, and
 * `nonce` with the scope `openid` (contract, "Authorization-code rules"). The store keeps the values that the answer
 * must match until the answer comes.
 */

import * as oauth from 'oauth4webapi'
import { ClientError } from '../client-error.ts'
import type { KnownScope } from '../generated/types.ts'
import type { AuthContext } from './profile.ts'

/** The parameters of an authorization request. */
/** The scopes of a sign-in in a browser: `openid` adds an ID token. */
export type CodeScope = KnownScope | 'openid'

export type CodeRequest = { scopes: readonly CodeScope[]; redirectUri: string; parameters?: Record<string, string> }

type Begun = { verifier: string; nonce?: string; redirectUri: string }

const nameOf = (state: string) => `sign-in/${state}`

/** Begins an authorization request; returns the address for the owner's browser. `pushAs` pushes it first (PAR). */
export async function beginCode(
  context: AuthContext,
  request: CodeRequest,
  pushAs?: oauth.ClientAuth,
): Promise<string> {
  const { server, client, http, resource, store } = context
  const as = await server()
  const { scopes, redirectUri } = request
  const state = oauth.generateRandomState()
  const verifier = oauth.generateRandomCodeVerifier()
  const nonce = scopes.includes('openid') ? { nonce: oauth.generateRandomNonce() } : {}
  const parameters = new URLSearchParams({
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    resource,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    dpop_jkt: await http.DPoP.calculateThumbprint(),
    ...nonce,
    ...request.parameters,
  })
  const begun: Begun = { verifier, redirectUri, ...nonce }
  await store.set(nameOf(state), begun, { secret: true })
  const url = new URL(as.authorization_endpoint ?? '')
  if (!pushAs) {
    for (const [name, value] of parameters) url.searchParams.set(name, value)
  } else {
    const pushed = await withNonce(async () => {
      const answer = await oauth.pushedAuthorizationRequest(as, client(), pushAs, parameters, http)
      return oauth.processPushedAuthorizationResponse(as, client(), answer)
    })
    url.searchParams.set('request_uri', pushed.request_uri)
  }
  url.searchParams.set('client_id', client().client_id)
  return url.href
}

/**
 * Redeems the answer of the owner's browser.
 * @throws ClientError if this store holds no sign-in that the answer belongs to
 */
export async function redeemCode(context: AuthContext, answer: URL, authentication: oauth.ClientAuth) {
  const { server, client, http, resource, store } = context
  const as = await server()
  const state = answer.searchParams.get('state') ?? ''
  const begun = (await store.get(nameOf(state))) as Begun | undefined
  if (!begun)
    throw new ClientError(
      'sign_in_needed',
      'This answer belongs to no sign-in that this store began, or it was used before. Begin again with agent.signIn().',
    )
  // An answer is redeemed only once, because its code is.
  await store.delete(nameOf(state))
  const parameters = oauth.validateAuthResponse(as, client(), answer, state)
  return withNonce(async () => {
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client(),
      authentication,
      parameters,
      begun.redirectUri,
      begun.verifier,
      { ...http, additionalParameters: { resource } },
    )
    return oauth.processAuthorizationCodeResponse(as, client(), response, {
      expectedNonce: begun.nonce ?? oauth.expectNoNonce,
    })
  })
}

/**
 * Sends a request to the server; sends it again if the server first wants its nonce in the proof.
 * @throws whatever `send` throws otherwise
 */
async function withNonce<Result>(send: () => Promise<Result>): Promise<Result> {
  try {
    return await send()
  } catch (error) {
    if (oauth.isDPoPNonceError(error)) return send()
    throw error
  }
}
