/** The profile of a command line or a device (RFC 8628): the owner signs in elsewhere, and enters a code. */

import * as oauth from 'oauth4webapi'
import { ClientError } from '../client-error.ts'
import type { KnownScope } from '../generated/types.ts'
import { isUndecided, resultOf } from '../oauth-failure.ts'
import { tellOwner } from '../owner.ts'
import { sleep } from '../sleep.ts'
import type { Auth } from './profile.ts'
import { jsonFrom, OAuthRefusal, tokensFrom } from './token-answer.ts'

/** A device client. Its `onOwnerNeeded` gets the address and the code. */
export function device({ scopes }: { scopes: readonly KnownScope[] }): Auth {
  return {
    profile: 'device',
    authenticate: () => oauth.None(),
    obtain: async (context) => {
      const { server, client, http, resource, now, signal } = context
      const as = await server()
      const parameters = { scope: scopes.join(' '), resource }
      const answer = await oauth.deviceAuthorizationRequest(as, client(), oauth.None(), parameters, http)
      const started = await jsonFrom<oauth.DeviceAuthorizationResponse>(answer)
      if (typeof started.device_code !== 'string' || !(started.expires_in > 0))
        throw new OAuthRefusal(answer, { error: 'no_device_code' })
      const endsAtMs = now() + started.expires_in * 1_000
      await tellOwner(context.onOwnerNeeded, {
        kind: 'sign_in',
        url: started.verification_uri,
        code: started.user_code,
        expiresAt: new Date(endsAtMs),
      })
      let pauseS = started.interval ?? 5
      while (now() < endsAtMs) {
        await sleep(pauseS * 1_000, signal)
        const send = () => oauth.deviceCodeGrantRequest(as, client(), oauth.None(), started.device_code, http)
        const tokens = await tokensFrom(send).catch((error: unknown) => {
          const result = resultOf(error)
          if (result === 'slow_down') pauseS += 5
          else if (result !== 'authorization_pending' && !isUndecided(error)) throw error
          return undefined
        })
        if (tokens) return tokens
      }
      throw new ClientError('sign_in_declined', 'The code was not used in time. Call agent.signIn() for a new one.')
    },
  }
}
