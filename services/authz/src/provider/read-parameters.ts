/**
 * Corrects the parameters of a request at the moment when the library reads them, which is before it calls any of our code: `max_age`
 * (`max-age.ts`) and the code that a person enters.
 */

import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { keepMaxAgeApart } from './max-age.ts'

/**
 * Full-width letters of the code become plain ones, and spaces, other dashes and characters that nobody sees are removed. The library then
 * ignores case and hyphens.
 */
function cleanUserCode(params: Record<string, unknown>): void {
  const { user_code: code } = params
  if (typeof code === 'string') params['user_code'] = plainForm(code) || undefined
}

/** NFKC turns each form of a letter into the letter itself (Unicode, UAX 15). */
function plainForm(code: string): string {
  return code.normalize('NFKC').replace(/[^A-Za-z0-9-]/g, '')
}

export type Parameters = Record<string, unknown>

/** The routes that read parameters from a client or a person. The others read stored ones. */
const corrections: Readonly<Record<string, (params: Parameters) => void>> = {
  authorization: keepMaxAgeApart,
  pushed_authorization_request: keepMaxAgeApart,
  device_authorization: keepMaxAgeApart,
  code_verification: cleanUserCode,
}

/** From now on, the library's requests are instances of this class. */
export function correctParameters(provider: Provider): void {
  const correcting = class extends provider.OIDCContext {
    constructor(ctx: KoaContextWithOIDC) {
      super(ctx)
      let params: Parameters | undefined
      const set = (read: Parameters) => {
        params = read
        corrections[this.route]?.(read)
      }
      Object.defineProperty(this, 'params', { get: () => params, set, enumerable: true })
    }
  }
  Object.defineProperty(provider, 'OIDCContext', { value: correcting })
}
