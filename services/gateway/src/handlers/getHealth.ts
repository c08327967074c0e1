/**
 * GET /v1/health: reports if this replica can serve protected requests. It asks no other service, so frequent polling
 * is cheap.
 */

import type { RouteOutput } from '@financial-agents/contract/route'
import type { systemRoutes } from '@financial-agents/contract/routes'
import type { BusState } from '../bus-state.ts'
import type { Grants } from '../grants.ts'

type Health = RouteOutput<(typeof systemRoutes)['getHealth']>

export function getHealth(dependencies: {
  now: () => Date
  busState: BusState
  grants: Pick<Grants, 'isSilent'>
}): Health {
  const checks: Health['checks'] = [
    { name: 'bus', status: dependencies.busState.isConnected() ? 'ok' : 'degraded' },
    { name: 'grant_feed', status: dependencies.grants.isSilent() ? 'degraded' : 'ok' },
  ]
  const status = checks.every((check) => check.status === 'ok') ? 'ok' : 'degraded'
  return { status, time: dependencies.now().toISOString(), checks }
}
