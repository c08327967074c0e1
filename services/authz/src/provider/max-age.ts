/**
 * `max_age` without `openid`. The library accepts `max_age` only for ID tokens and refuses it before it calls any of
 * our code. The value is therefore kept under a name of ours from the moment a request is read (`read-parameters.ts`) until
 * its owner is asked, also in a pushed request.
 *
 * Invariant: a client cannot set a value under that name. It is removed from the client's parameters.
 */

import { errors, type KoaContextWithOIDC } from 'oidc-provider'

export const maxAgeAlone = 'max_age_alone'

/**
 * Puts a value that the library would refuse without `openid`, or take although it is not written in digits, under our name. A
 * parameter that was sent twice stays in its place, and the library refuses it.
 */
export function keepMaxAgeApart(params: Record<string, unknown>): void {
  const { scope, max_age } = params
  const apart = typeof max_age === 'string' && !(isDigits(max_age) && String(scope).split(' ').includes('openid'))
  if (maxAgeAlone in params || apart) params[maxAgeAlone] = apart ? max_age : undefined
  if (apart) params['max_age'] = undefined
}

function isDigits(value: string): boolean {
  return /^[0-9]+$/.test(value)
}

/** Checks the value, which the library does only together with `openid`. @throws InvalidRequest */
export function checkMaxAgeAlone(_ctx: KoaContextWithOIDC, value: string | undefined): void {
  if (value === undefined) return
  if (!isDigits(value) || !Number.isSafeInteger(Number(value)))
    throw new errors.InvalidRequest('max_age must be a whole number of seconds in digits, 0 or more')
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
