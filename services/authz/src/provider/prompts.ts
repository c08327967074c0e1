/**
 * The rules for prompting an owner. They are the library's rules, without those for features that are not offered. We add rules
 * for `max_age` without `openid`, for a program that cannot be known, and for a suspended grant. A suspended grant is replaced
 * only by a sign-in after the suspension and a new consent, never by `prompt=none`. The rule stays if anybody but the
 * owner ends the suspended grant.
 *
 * The first consent needs no extra rule: without a grant, every scope is missing. A device needs consent each time. Its code
 * may belong to a stranger, and a client without a key of its own proves nothing about the device's holder.
 */

import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { findSuspensionOfRequest } from './grant-of-request.ts'
import { signedInTooLongAgo } from './max-age.ts'

const { Check } = interactionPolicy

export function createPrompts(): ReturnType<typeof interactionPolicy.base> {
  const prompts = interactionPolicy.base()
  const login = prompts.get('login')
  const consent = prompts.get('consent')
  // The parameters `claims` and `authorization_details` are not supported.
  for (const reason of ['claims_id_token_sub_value', 'essential_acrs', 'essential_acr']) login?.checks.remove(reason)
  for (const reason of ['op_claims_missing', 'rar_prompt']) consent?.checks.remove(reason)
  // Ours does not ask for a native application that an https address identifies, and refuses with `consent_required`.
  consent?.checks.remove('native_client_prompt')
  login?.checks.add(
    new Check('grant_suspended', 'the grant was suspended after the owner signed in', 'login_required', (ctx) =>
      signedInBeforeSuspension(ctx) ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  )
  login?.checks.add(
    new Check('max_age_alone', 'the owner signed in longer ago than max_age allows', 'login_required', (ctx) =>
      signedInTooLongAgo(ctx) ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  )
  consent?.checks.add(
    new Check('unknown_program', 'the program that asks cannot be known', 'consent_required', (ctx) =>
      isUnknownProgram(ctx) && !ctx.oidc.result?.consent ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  )
  consent?.checks.add(
    new Check('device', 'a device was not consented to', ({ oidc }) =>
      oidc.entities.DeviceCode && !oidc.result?.consent ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  )
  return prompts
}

/**
 * Any program of a computer can listen at a loopback address or claim a private scheme, and pretend to be the native
 * application that the owner consented to (RFC 8252, section 8.6). Its own keys prove nothing, because it brings them.
 */
function isUnknownProgram({ oidc: { client, params } }: KoaContextWithOIDC): boolean {
  const redirect = URL.parse(String(params?.['redirect_uri']))
  const isKnown = redirect?.protocol === 'https:' && !loopback.test(redirect.hostname)
  return client?.applicationType === 'native' && !isKnown
}

/** The names of the loopback address. By its number, the library accepts it only with http. */
const loopback = /^(.+\.)?localhost\.?$/

function signedInBeforeSuspension(ctx: KoaContextWithOIDC): boolean {
  const suspendedAt = findSuspensionOfRequest(ctx)
  if (!suspendedAt) return false
  const { session, result } = ctx.oidc
  const signedInMs = Number(result?.login?.['authenticated_at_ms'] ?? (session?.loginTs ?? 0) * 1_000)
  return signedInMs <= suspendedAt.getTime()
}
