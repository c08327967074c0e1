/**
 * GET /v1/onboarding shows the owner and what the owner lacks, from stored data alone. It never asks the provider, and
 * makes no later read due.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { isUnanswered } from '@financial-agents/bus/errors'
import { contextWithin, type MessageContext } from '@financial-agents/bus/headers'
import type { OwnerIdentity } from '@financial-agents/bus/messages/authority'
import { call, type Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import type { Queryable } from '@financial-agents/postgres/database'
import { findStanding, type Standing } from '../kyc-store.ts'
import { canVerify } from '../kyc-words.ts'

type Dependencies = { db: Queryable; bus: Bus }

const identityPatienceMs = 2_000

export function getOnboarding({ db, bus }: Dependencies): Handlers<typeof onboardingRoutes>['getOnboarding'] {
  return async (_input, context) => {
    const { owner_id, subject } = context.principal
    const [standing, identity] = await Promise.all([findStanding(db, owner_id), getIdentity(bus, owner_id, context)])
    return { customer: { subject, ...identity }, ...readinessOf(standing) }
  }
}

async function getIdentity(bus: Bus, owner_id: string, context: MessageContext): Promise<OwnerIdentity> {
  try {
    return await call(bus, 'int.authz.identity', { owner_id }, contextWithin(context, identityPatienceMs))
  } catch (cause) {
    throw isUnanswered(cause) ? new Problem('service_unavailable', { cause }) : cause
  }
}

function readinessOf({ binding, kyc }: Standing) {
  const connection = connectionOf(binding)
  const kyc_status = kyc?.status ?? 'not_started'
  const missing = [
    ...(connection === 'connected' ? [] : ['provider_connection' as const]),
    ...(kyc_status === 'verified' ? [] : ['identity_verification' as const]),
  ]
  const kyc_session_available = connection === 'connected' && canVerify(kyc_status)
  return { connection, kyc_status, kyc_session_available, ready: missing.length === 0, missing }
}

/** A connection that is ending can no longer be used. */
function connectionOf(binding: Standing['binding']) {
  if (binding === null) return 'none' as const
  return binding.status === 'connected' ? ('connected' as const) : ('disconnected' as const)
}
