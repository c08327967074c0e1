/**
 * `max_age` without `openid`. The library takes it only for ID tokens, and refuses it before it asks anything of ours: so it
 * is kept under a name of ours, from the moment that a request is read until its owner is asked, also in a pushed request.
 *
 * Invariant: nobody sets it by that name from outside; it is taken out of what a client sent.
 */

import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'

export const maxAgeAlone = 'max_age_alone'

type Parameters = Record<string, unknown>

/** The endpoints that read the parameters of an authorization from a client; elsewhere they are what was kept. */
const readFromClient: ReadonlySet<string> = new Set([
  'authorization',
  'pushed_authorization_request',
  'device_authorization',
])

/** Makes the library keep it: its requests are instances of this class from now on. */
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

/** One that was sent twice stays where it is: the library refuses that. */
function keepApart(params: Parameters): void {
  const { scope, max_age } = params
  const apart = typeof max_age === 'string' && !String(scope).split(' ').includes('openid')
  if (maxAgeAlone in params || apart) params[maxAgeAlone] = apart ? max_age : undefined
  if (apart) params['max_age'] = undefined
}

/**
 * As the library judges it beside `openid`.
 * @throws InvalidRequest
 */
export function checkMaxAgeAlone(_ctx: KoaContextWithOIDC, value: string | undefined): void {
  if (value === undefined) return
  const seconds = Number(value)
  if (!Number.isSafeInteger(seconds) || seconds < 0)
    throw new errors.InvalidRequest('max_age must be a whole number of seconds, 0 or more')
}

/** Whether the sign-in is older than allowed; after 0 s each one is, but that of this authorization. */
export function signedInTooLongAgo({ oidc }: KoaContextWithOIDC): boolean {
  const maxAge = oidc.params?.[maxAgeAlone]
  if (maxAge === undefined || oidc.result?.login) return false
  return Number(maxAge) === 0 || (oidc.session?.past(Number(maxAge)) ?? true)
}
