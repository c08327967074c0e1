/**
 * Two replicas of onboarding on one schema in front of a real fake provider whose calls are counted. The bindings of
 * the owners are declared, and a test decides the result of a person's verification. The test plays authz on the bus.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { serveCall } from '@financial-agents/bus/rpc'
import { startTestNats } from '@financial-agents/bus/testing/nats'
import type { Principal } from '@financial-agents/contract/principal'
import { kycRoutes } from '@financial-agents/contract/routes/kyc'
import { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import type { kycSession, onboarding } from '@financial-agents/contract/schemas/kyc'
import { statement } from '@financial-agents/postgres/database'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { createSealer } from '@financial-agents/runtime/sealing'
import { startFakeProvider } from '@financial-agents/testkit/fake-provider'
import { createRouteClient, dataOf, newPrincipal } from '@financial-agents/testkit/test-service'
import type { z } from 'zod'
import { applyBindings } from './apply.ts'
import type { RegisteredBinding } from './bindings-file.ts'
import { listCurrentBindings } from './bindings-store.ts'
import type { Kyc } from './kyc-store.ts'
import { declare, openTestParts } from './opened.test-helper.ts'
import { testPauses } from './signing-in.test-helper.ts'
import { startOnboarding } from './start.ts'

/** At first the provider does not know Tomasz; Ines is verified, and Daniel is under review. */
export const credentials = {
  tomasz: 'test-user-tomasz-zielinski-gdansk',
  ines: 'test-user-ines-carvalho-lisboa',
  daniel: 'test-user-daniel-reyes-tucson',
}

export type Session = z.output<typeof kycSession>
export type Onboarding = z.output<typeof onboarding>

export async function startVerifying({ readTimeoutMs = 60_000 } = {}) {
  const parts = { ...(await openTestParts()), clock: createFrozenClock() }
  const nats = await startTestNats()
  const fake = await startFakeProvider()
  const lines: string[] = []
  const log = createLog({ service: 'onboarding', level: 'debug', destination: { write: (line) => lines.push(line) } })
  const adapter = createHttpAdapter({ baseUrl: fake.url, connections: 8, connectTimeoutMs: 10_000 })
  const calls = { identityStatus: 0, startIdentityCheck: 0 }
  /** An answer of any shape that replaces the provider's. */
  const instead: { identity?: unknown } = {}
  let held: Promise<void> | undefined
  const provider: typeof adapter = {
    ...adapter,
    identityStatus: async (request) => {
      calls.identityStatus += 1
      await held
      if (instead.identity !== undefined) return { type: 'ok', data: instead.identity as never }
      return adapter.identityStatus(request)
    },
    startIdentityCheck: async (request) => {
      calls.startIdentityCheck += 1
      await held
      return adapter.startIdentityCheck(request)
    },
  }
  const identities = new Map<string, { display_name: string | null; locale: string; timezone: string }>()
  const unknown = { display_name: null, locale: 'en', timezone: 'UTC' }
  const authz = await nats.connect('authz')
  serveCall(authz, 'int.authz.identity', async ({ owner_id }) => identities.get(owner_id) ?? unknown, { log })

  const startReplica = async () => {
    const db = parts.open()
    const bus = await nats.connect('onboarding')
    const payloadSealer = createSealer([{ id: 'payload', key: randomBytes(32) }])
    const opened = { ...parts, db, bus, log, provider, payloadSealer }
    const service = startOnboarding({ ...opened, readTimeoutMs, authentication: null, pauses: testPauses })
    return async () => {
      await service.stop()
      await bus.drain()
      await db.close()
    }
  }
  const stops = [await startReplica(), await startReplica()]
  const gateway = await nats.connect('gateway')
  const route = createRouteClient(gateway, { ...kycRoutes, ...onboardingRoutes })
  /** Sends as the gateway does: over the owner's connection, unless the client acts over its own. */
  const send = async (name: Parameters<typeof route>[0], principal: Principal) => {
    const [binding] = principal.binding_id === null ? await listCurrentBindings(parts.db, [principal.owner_id]) : []
    return route(name, { ...principal, binding_id: binding?.binding_id ?? principal.binding_id })
  }

  const declared: RegisteredBinding[] = []
  const apply = () => applyBindings(parts, declared)
  const started = await adapter.startIdentityCheck({
    credentials: credentials.tomasz,
    timeoutMs: 60_000,
    reference: randomUUID(),
    returnUrl: null,
  })
  if (started.type !== 'started') throw new Error('the provider opened no check')

  const end = async (url: string, ending: Ending) => {
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ ending }) })
    if (!response.ok) throw new Error(`the page answered ${response.status}`)
  }
  return {
    ...parts,
    log,
    lines,
    calls,
    instead,
    provider,
    identities,
    newOwner: (changes: Partial<Principal> = {}) => newPrincipal({ binding_id: null, ...changes }),
    connect: async ({ owner_id }: Principal, as: string = credentials.tomasz) => {
      const known = declared.findIndex((entry) => entry.owner_id === owner_id)
      if (known >= 0) declared.splice(known, 1)
      declared.push(declare({ owner_id, credentials: as }))
      await apply()
    },
    disconnect: async ({ owner_id }: Principal) => {
      declared.splice(
        declared.findIndex((entry) => entry.owner_id === owner_id),
        1,
      )
      await apply()
    },
    getKyc: (principal: Principal) => send('getKyc', principal),
    openSession: (principal: Principal) => send('createKycSession', principal),
    getOnboarding: (principal: Principal) => send('getOnboarding', principal),
    kycOf: async (principal: Principal) => dataOf(await send('getKyc', principal)) as Record<string, unknown>,
    sessionOf: async (principal: Principal) => dataOf(await send('createKycSession', principal)) as Session,
    onboardingOf: async (principal: Principal) => dataOf(await send('getOnboarding', principal)) as Onboarding,
    /** Ends the visit at this page. */
    end,
    /** Ends Tomasz's own visit. */
    tomasz: (ending: Ending) => end(started.hostedUrl, ending),
    fault: (script: string, kind: string, options = {}, times?: number) =>
      fake.ask('POST', '/control/faults', { script, match: { kind }, options, ...(times ? { times } : {}) }),
    clearFaults: () => fake.ask('DELETE', '/control/faults'),
    /** Makes the provider silent until the test releases it. */
    holdProvider: () => {
      const gate = Promise.withResolvers<void>()
      held = gate.promise
      return () => {
        held = undefined
        gate.resolve()
      }
    },
    stored: async ({ owner_id }: Principal) => {
      const [row] = await parts.db.rows<Kyc>(statement('test_kyc', 'SELECT * FROM kyc WHERE owner_id = $1'), [owner_id])
      return row
    },
    changesOf: ({ owner_id }: Principal) =>
      parts.db.rows<{ status: string; reason_code: string | null }>(
        statement('test_changes', 'SELECT status, reason_code FROM kyc_changes WHERE owner_id = $1 ORDER BY id'),
        [owner_id],
      ),
    sessionsOf: ({ owner_id }: Principal) =>
      parts.db.rows<{ id: string; client_id: string; expires_at: Date | null }>(
        statement('test_sessions', 'SELECT * FROM kyc_sessions WHERE owner_id = $1 ORDER BY created_at, id'),
        [owner_id],
      ),
    stopAuthz: () => authz.drain(),
    close: async () => {
      for (const stop of stops) await stop()
      await nats.stop()
      await adapter.close()
      await fake.stop()
      await parts.close()
    },
  }
}

export type Ending = 'pass' | 'review' | 'refuse' | 'leave' | 'expire'
export type Verifying = Awaited<ReturnType<typeof startVerifying>>
