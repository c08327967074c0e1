/**
 * Corrects the parameters of a request at the moment when the library reads them, which is before it calls any of our code: `max_age`
 * (`max-age.ts`) and the code that a person enters (`user-code.ts`).
 */

import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { keepMaxAgeApart } from './max-age.ts'
import { cleanUserCode } from './user-code.ts'

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
