/**
 * The language that a reader chose on the pages: a parameter of an address chooses, and a cookie keeps the choice. The pages of authz and
 * of the gateway share it.
 */

import { type CookieJar, cookieJar, hostCookieName } from './cookie-jar.ts'

/** The name of the parameter by which a reader chooses a language. */
export const languageParameter = 'language'

/** A year. */
export const languageChoiceS = 365 * 86_400

export function languageCookie(baseUrl: string): CookieJar {
  return cookieJar(baseUrl, hostCookieName(baseUrl, 'language'))
}
