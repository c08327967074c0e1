/**
 * When an owner is asked something: the library's rules, less those about what is not offered, and ours about `max_age`
 * without `openid` and about a suspended grant: only a sign-in after the suspension and a new consent replace it, never
 * `prompt=none`.
 *
 * First consent needs no rule of its own: without a grant every scope is missing. A device is consented to each time: its
 * code may be a stranger's, and the client, which has no key of its own, proves nothing about who holds it.
 */

import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { findGrantOfRequest } from './grant-of-request.ts'
import { signedInTooLongAgo } from './max-age.ts'

const { Check } = interactionPolicy

export function createPrompts(): ReturnType<typeof interactionPolicy.base> {
  const prompts = interactionPolicy.base()
  const login = prompts.get('login')
  const consent = prompts.get('consent')
  // `claims` is not a parameter here, nor are `authorization_details`.
  for (const reason of ['claims_id_token_sub_value', 'essential_acrs', 'essential_acr']) login?.checks.remove(reason)
  for (const reason of ['op_claims_missing', 'rar_prompt']) consent?.checks.remove(reason)
  // Consent is remembered for native applications too.
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
    new Check('device', 'a device was not consented to', ({ oidc }) =>
      oidc.entities.DeviceCode && !oidc.result?.consent ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  )
  return prompts
}

function signedInBeforeSuspension(ctx: KoaContextWithOIDC): boolean {
  const grant = findGrantOfRequest(ctx)
  if (grant?.status !== 'suspended') return false
  const { session, result } = ctx.oidc
  const signedInMs = Number(result?.login?.['authenticated_at_ms'] ?? (session?.loginTs ?? 0) * 1_000)
  return signedInMs <= grant.status_changed_at.getTime()
}
