/**
 * POST /v1/kyc/sessions opens a visit to the provider's page where the owner proves their identity. The visit is
 * committed before the provider is asked. The address goes only to the client, never into a table or a log.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { kycRoutes } from '@financial-agents/contract/routes/kyc'
import type { ReadContext } from '@financial-agents/provider-client/reader'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { KycDependencies, KycReads } from '../kyc-reads.ts'
import { getSession } from '../kyc-session.ts'
import { recordSessionExpiry } from '../kyc-sessions-store.ts'
import { findStanding } from '../kyc-store.ts'

type Dependencies = KycDependencies & { reads: KycReads }

const pollAfterMs = 5_000

export function createKycSession(dependencies: Dependencies): Handlers<typeof kycRoutes>['createKycSession'] {
  const { db, reads } = dependencies
  return async (_input, context) => {
    const { owner_id, client_id, binding_id } = context.principal
    const endsAt = performance.now() + context.timeoutMs
    const { binding, kyc: known } = await findStanding(db, owner_id)
    // A service account whose connection ended does not act over the owner's new connection.
    if (binding?.status !== 'connected' || binding.id !== binding_id)
      throw new Problem('provider_connection_unavailable')
    await reads.get({ ownerId: owner_id, bindingId: binding.id, known, traceparent: context.traceparent })
    failpoint('kyc_session.before_commit')
    const id = await getSession(dependencies, { owner_id, client_id, binding_id: binding.id })
    failpoint('kyc_session.after_commit')
    const { hostedUrl, expiresAt } = await openPage(
      dependencies,
      {
        principal: { binding_id: binding.id },
        traceparent: context.traceparent,
        timeoutMs: endsAt - performance.now(),
      },
      id,
    )
    failpoint('kyc_session_opened.before_commit')
    await recordSessionExpiry(db, id, expiresAt)
    failpoint('kyc_session_opened.after_commit')
    const expires_at = expiresAt.toISOString()
    return { id, action_required: { kind: 'kyc_session', url: hostedUrl, expires_at, poll_after_ms: pollAfterMs } }
  }
}

async function openPage(dependencies: Dependencies, asked: ReadContext, reference: string) {
  const { db, clock, provider, reader } = dependencies
  const started = await reader.ask(
    asked,
    (call) => provider.startIdentityCheck({ ...call, reference, returnUrl: null }),
    'identity_check',
  )
  if (started.type === 'started') return started
  // The provider refused the connection, not this person.
  if (started.failureCode === 'provider_authentication_failed') throw reader.failureOf(asked, started.failureCode)
  // A reference that was refused stays refused. Another reference may succeed later.
  await recordSessionExpiry(db, reference, clock.now())
  throw new Problem('kyc_session_unavailable', { cause: new Error(started.failureCode) })
}
