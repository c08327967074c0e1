/** The area services, played by the test. Every route that they serve gets an answer. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Reply, RouteRequest } from '@financial-agents/bus/rpc'
import type { TestNats } from '@financial-agents/bus/testing/nats'
import { routes } from '@financial-agents/contract/routes'
import { log } from './authz.test-helper.ts'

export type Seen = RouteRequest & { principal: unknown; requestId: string; traceparent: string; timeoutMs: number }
export type Area = (request: Seen) => Reply<unknown> | Promise<Reply<unknown>>

export const allAreas = [
  'authz',
  'beneficiaries',
  'cards',
  'catalog',
  'notifier',
  'onboarding',
  'operations',
  'spending',
] as const

/** The areas that most tests use. */
export const usualAreas = ['operations', 'beneficiaries'] as const

/** A route without an answer from the test returns its own input. */
export async function startAreas(
  nats: TestNats,
  users: readonly (typeof allAreas)[number][],
  areas: Map<string, Area>,
): Promise<void> {
  for (const user of users) await serveArea(await nats.connect(user), user, areas)
}

async function serveArea(bus: Bus, user: (typeof allAreas)[number], areas: Map<string, Area>): Promise<void> {
  for (const [name, { service }] of Object.entries(routes)) {
    if (service !== user) continue
    bus.respond(`rpc.${user}.${name}`, user, {
      handler: async (data, { principal, requestId, traceparent, timeoutMs }) => {
        const request = JSON.parse(data) as RouteRequest
        const area = areas.get(name) ?? (() => ({ ok: true, data: { asked: name } }))
        return JSON.stringify(await area({ ...request, principal, requestId, traceparent, timeoutMs }))
      },
      maxInFlight: 10_000,
      busy: '',
      onError: (error) => log.error({ err: error }, 'the test could not answer'),
    })
  }
  await bus.check()
}
