/**
 * Wraps every adapter. If the store fails, the client gets 503 and the cause is logged. A call that the model does not
 * support is a bug.
 */

import { oauthUnavailable } from '@financial-agents/pages/tunnel/oauth-unavailable'
import type { Log } from '@financial-agents/runtime/log'
import { type Adapter, errors } from 'oidc-provider'

export function guarded(adapter: Partial<Adapter>, log: Log): Adapter {
  const guard = <Args extends unknown[], Result>(work?: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      if (!work) throw new Error('the library asked for storage that this model does not have')
      try {
        return await work(...args)
      } catch (error) {
        if (error instanceof errors.OIDCProviderError) throw error
        log.error({ err: error }, 'the store failed')
        throw temporarilyUnavailable()
      }
    }
  }
  return {
    upsert: guard(adapter.upsert),
    find: guard(adapter.find),
    findByUid: guard(adapter.findByUid),
    findByUserCode: guard(adapter.findByUserCode),
    consume: guard(adapter.consume),
    destroy: guard(adapter.destroy),
    revokeByGrantId: guard(adapter.revokeByGrantId),
  }
}

/** The error of a request that met a part out of reach. */
function temporarilyUnavailable(): errors.OIDCProviderError {
  const error = new errors.CustomOIDCProviderError(oauthUnavailable.error, oauthUnavailable.error_description)
  return Object.assign(error, { status: 503, statusCode: 503, expose: true })
}
