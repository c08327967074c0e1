/** The facts that a client reads about itself and its owner, requested over the bus as the gateway does. */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call, callRoute, serveCall, serveRoutes } from '@financial-agents/bus/rpc'
import { startTestNats, type TestNats } from '@financial-agents/bus/testing/nats'
import { capabilityConfiguration } from '@financial-agents/contract/capabilities'
import { authorizationRoutes } from '@financial-agents/contract/routes/authorization'
import { identityRoutes } from '@financial-agents/contract/routes/identity'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { revokeGrant } from '../store/grant-status.ts'
import { grantLifetimeMs } from '../store/human-grants.ts'
import { getOwnerIdentity, recordOwner } from '../store/owners.ts'
import { openTestStore, ownerId, serviceOf, spaOf, type TestStore } from '../store/test-store.test-helper.ts'
import { getAuthorization } from './getAuthorization.ts'
import { getIdentity } from './getIdentity.ts'

const log = createLog({ service: 'authz', level: 'silent' })
const { capabilities } = capabilityConfiguration({
  PUBLIC_BASE_URL: 'https://api.example.test',
  ENABLED_CAPABILITIES: ['transfers.execute'],
})
let nats: TestNats
let store: TestStore
let gateway: Bus

const euro = (amount: string) => ({ amount, currency: 'EUR' })
const withPolicy = spaOf({
  policy: {
    withdrawal_confirmation_above: euro('250.00'),
    withdrawal_ceilings: { per_payment: euro('1000.00'), per_day: euro('5000.00') },
  },
})

beforeAll(async () => {
  ;[nats, store] = await Promise.all([startTestNats(), openTestStore()])
  await store.apply([withPolicy, serviceOf()])
  const [authz, edge] = await Promise.all([nats.connect('authz'), nats.connect('gateway')])
  gateway = edge
  const { getSession: _tunnelled, ...routes } = { ...authorizationRoutes, ...identityRoutes }
  const parts = { db: store.db, clock: store.clock, capabilities }
  const handlers = { getAuthorization: getAuthorization(parts), getIdentity: getIdentity(parts) }
  serveRoutes(authz, routes, handlers, { log })
  serveCall(authz, 'int.authz.identity', ({ owner_id }) => getOwnerIdentity(store.db, owner_id), { log })
  await authz.check()
})
afterAll(async () => {
  await nats.stop()
  await store.close()
})

type Principal = { grant_id: string; client_id?: string; owner_id?: string }

async function ask(name: 'getAuthorization' | 'getIdentity', given: Principal) {
  const principal = { owner_id: ownerId, subject: 'pairwise', client_id: 'app', binding_id: null, ...given }
  const context = { requestId: 'request-of-test', traceparent: '', timeoutMs: 60_000, principal }
  const reply = await callRoute(gateway, `rpc.authz.${name}`, { params: {}, query: {} }, context)
  return reply.ok ? reply.data : reply.problem.code
}

describe('GET /v1/authorization', () => {
  test('shows the grant, its client, the effective policy and the capabilities', async () => {
    const policy = { ceilings: { per_payment: euro('99.50'), per_day: null }, confirmation: [] }
    const scopes = ['spending:withdraw', 'operations:read']
    const { grant_id } = await store.consent({ scopes, openid: true, policy })
    expect(await ask('getAuthorization', { grant_id })).toEqual({
      grant: {
        id: grant_id,
        status: 'active',
        created_at: expect.any(String),
        expires_at: expect.any(String),
        scopes: ['operations:read', 'spending:withdraw'],
      },
      client: { id: 'app', name: 'An app', profile: 'spa' },
      policy: {
        ceilings: { per_payment: euro('99.50'), per_day: euro('5000.00') },
        confirmation: [
          { action: 'mandate_create', above: null },
          { action: 'mandate_revoke', above: null },
          { action: 'service_disconnect', above: null },
          { action: 'transfer', above: euro('250.00') },
        ],
      },
      capabilities: expect.objectContaining({
        transfers: { execute: expect.objectContaining({ available: true, reason_code: null }) },
        cards: { reveal: expect.objectContaining({ available: false }) },
      }),
    })
  })

  test('shows the grant of a service account, which has no end of its own', async () => {
    const [row] = await store.read<{ grant_id: string }>(`SELECT grant_id FROM grants WHERE kind = 'service'`)
    const grant_id = row?.grant_id ?? ''
    expect(await ask('getAuthorization', { grant_id, client_id: 'agent' })).toMatchObject({
      grant: { id: grant_id, status: 'active', expires_at: null, scopes: ['beneficiaries:read', 'operations:read'] },
      client: { id: 'agent', name: 'An agent', profile: 'service' },
      policy: { ceilings: { per_payment: null, per_day: null } },
    })
  })

  test('says of a grant that ended how it did', async () => {
    const owner_id = '01980000-0000-7000-8000-000000000009'
    const revoked = await store.consent({ owner_id })
    const why = { reason: 'revoked_by_owner', by: 'owner', request_id: null } as const
    await revokeGrant(store.db, revoked.grant_id, why, store.clock.now())
    const status = (given: Principal) => ask('getAuthorization', { owner_id, ...given })
    expect(await status(revoked)).toMatchObject({ grant: { status: 'revoked' } })
    const expired = await store.consent({ owner_id })
    store.clock.setOffsetMs(grantLifetimeMs + 60_000)
    expect(await status(expired)).toMatchObject({ grant: { status: 'expired' } })
    store.clock.setOffsetMs(0)
  })

  test('shows nothing of a grant of another owner or client', async () => {
    const { grant_id } = await store.consent()
    expect(await ask('getAuthorization', { grant_id, client_id: 'agent' })).toBe('invalid_token')
    const owner_id = '01980000-0000-7000-8000-000000000002'
    expect(await ask('getAuthorization', { grant_id, owner_id })).toBe('invalid_token')
    expect(await ask('getAuthorization', { grant_id: '01980000-0000-7000-8000-00000000ffff' })).toBe('invalid_token')
  })
})

describe('GET /v1/identity', () => {
  test('has defaults for an owner who never signed in, and what the last sign-in reported afterwards', async () => {
    const grant_id = 'any'
    const unknown = { subject: 'pairwise', display_name: null, locale: 'en', timezone: 'UTC' }
    expect(await ask('getIdentity', { grant_id })).toEqual(unknown)
    const owner = { owner_id: ownerId, display_name: 'Ines', locale: 'pt-PT', timezone: 'Europe/Lisbon' }
    await recordOwner(store.db, { ...owner, display_name: 'Ines A.' }, store.clock.now())
    await recordOwner(store.db, owner, store.clock.now())
    const { owner_id: _own, ...shown } = owner
    expect(await ask('getIdentity', { grant_id })).toEqual({ subject: 'pairwise', ...shown })
  })
  test('is reported to onboarding alike, whoever the owner is', async () => {
    const onboarding = await nats.connect('onboarding')
    const ask = (owner_id: string) => call(onboarding, 'int.authz.identity', { owner_id }, newContext(5_000))
    const owner = { owner_id: randomUUID(), display_name: 'Amara', locale: 'en-GB', timezone: 'Europe/London' }
    await recordOwner(store.db, owner, store.clock.now())
    const { owner_id, ...shown } = owner
    expect(await ask(owner_id)).toEqual(shown)
    const unknown = { display_name: null, locale: 'en', timezone: 'UTC' }
    expect(await Promise.all([ask(randomUUID()), ask('nobody')])).toEqual([unknown, unknown])
  })
})
