/**
 * `max_age` without `openid`. The library accepts `max_age` only for ID tokens and refuses it before it calls any of
 * our code. The value is therefore kept under a name of ours from the moment a request is read until its owner is
 * asked, also in a pushed request.
 *
 * Invariant: a client cannot set a value under that name. It is removed from the client's parameters.
 */

import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'

export const maxAgeAlone = 'max_age_alone'

type Parameters = Record<string, unknown>

/** The endpoints that read the parameters of an authorization from a client. The others read the stored ones. */
const readFromClient: ReadonlySet<string> = new Set([
  'authorization',
  'pushed_authorization_request',
  'device_authorization',
])

/** Makes the library keep the value: from now on, its requests are instances of this class. */
export function acceptMaxAgeAlone(provider: Provider): void {
  const accepting = class extends provider.OIDCContext {
    constructor(ctx: KoaContextWithOIDC) {
      super(ctx)
      let params: Parameters | undefined
      const set = (read: Parameters) => {
        params = read
        if (readFromClient.has(this.route)) keepApart(read)
      }
      Object.defineProperty(this, 'params', { get: () => params, set, enumerable: true })
    }
  }
  Object.defineProperty(provider, 'OIDCContext', { value: accepting })
}

/** A parameter that was sent twice stays in its place, and the library refuses it. */
function keepApart(params: Parameters): void {
  const { scope, max_age } = params
  const apart = typeof max_age === 'string' && !String(scope).split(' ').includes('openid')
  if (maxAgeAlone in params || apart) params[maxAgeAlone] = apart ? max_age : undefined
  if (apart) params['max_age'] = undefined
}

/** Checks the value as the library does together with `openid`. @throws InvalidRequest */
export function checkMaxAgeAlone(_ctx: KoaContextWithOIDC, value: string | undefined): void {
  if (value === undefined) return
  const seconds = Number(value)
  if (!Number.isSafeInteger(seconds) || seconds < 0)
    throw new errors.InvalidRequest('max_age must be a whole number of seconds, 0 or more')
}

/**
 * Returns true if the sign-in is older than allowed. With 0 s, every sign-in is too old, except the one of this
 * authorization.
 */
export function signedInTooLongAgo({ oidc }: KoaContextWithOIDC): boolean {
  const maxAge = oidc.params?.[maxAgeAlone]
  if (maxAge === undefined || oidc.result?.login) return false
  return Number(maxAge) === 0 || (oidc.session?.past(Number(maxAge)) ?? true)
}
