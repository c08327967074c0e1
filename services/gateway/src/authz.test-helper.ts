/** authz as a gateway sees it, played by the test: keys and tokens, grants, origins, carried requests, and the feed. */

import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { GrantFeedMessage, GrantView } from '@financial-agents/bus/messages/authority'
import type { TunnelledRequest, TunnelledResponse } from '@financial-agents/bus/messages/http'
import { serveCall } from '@financial-agents/bus/rpc'
import type { TestNats } from '@financial-agents/bus/testing/nats'
import type { ProofMaker } from '@financial-agents/dpop/make-proof'
import { createLog } from '@financial-agents/runtime/log'
import { exportJWK, SignJWT } from 'jose'
import type { Gateway } from './start.ts'

export const baseUrl = 'https://api.example.test'
export const log = createLog({ service: 'test', level: process.env.TEST_LOG_LEVEL ?? 'silent' })
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export const grant: GrantView = {
  grant_id: 'grant-1',
  client_id: 'client-1',
  owner_id: 'owner-1',
  subject: 'subject-1',
  status: 'active',
  is_service: false,
  scopes: ['operations:read', 'beneficiaries:read', 'beneficiaries:write'],
  policy: { ceilings: { per_payment: null, per_day: null }, confirmation: [] },
  binding_id: 'binding-1',
  expires_at: null,
}

/** The answer to GET /v1/session if nobody is signed in. */
export const nobody = { authenticated: false, display_name: null, csrf_token: null, expires_at: null }

type Claims = Record<string, unknown>

/** Tests may change the parts of authz. */
export async function startAuthz(nats: TestNats) {
  const bus = await nats.connect('authz')
  const signing = await createSigning()
  const { grants, state } = serveAuthz(bus, signing.keys)
  await bus.check()
  const feed = startFeed(bus)
  return {
    bus,
    ...signing,
    grants,
    state,
    ...feed,
    heard: async (gateway: Gateway) => {
      while (
        await gateway.checks.grant_feed?.().then(
          () => false,
          () => true,
        )
      )
        await pause(10)
    },
  }
}

async function createSigning() {
  const signers = new Map<string, KeyObject>()
  const keys: Record<string, unknown>[] = []
  const publishKey = async (kid: string) => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    signers.set(kid, privateKey)
    keys.push({ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' })
  }
  await publishKey('key-1')
  const token = (maker: ProofMaker, claims: Claims = {}, header: Record<string, unknown> = {}) => {
    const nowS = Math.floor(Date.now() / 1_000)
    return new SignJWT({
      iss: baseUrl,
      aud: baseUrl,
      sub: 'subject-1',
      client_id: 'client-1',
      grant_id: 'grant-1',
      scope: grant.scopes.join(' '),
      jti: randomUUID(),
      iat: nowS,
      exp: nowS + 300,
      cnf: { jkt: maker.jkt },
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'key-1', ...header })
      .sign(signers.get(String(header['kid'])) ?? (signers.get('key-1') as KeyObject))
  }
  return { keys, publishKey, token }
}

function serveAuthz(bus: Bus, keys: Record<string, unknown>[]) {
  const grants = new Map<string, GrantView>([[grant.grant_id, grant]])
  const state = {
    reads: 0,
    /** The number of requests for the signing keys. */
    keyReads: 0,
    keysAway: false,
    origins: ['https://app.example.test'],
    beforeGrant: async () => {},
    http: async (request: TunnelledRequest): Promise<TunnelledResponse> => {
      const body = request.target === '/v1/session' ? Buffer.from(JSON.stringify(nobody)).toString('base64') : ''
      return { status: 200, headers: [], body }
    },
  }
  serveCall(
    bus,
    'rpc.authz.keys',
    async () => {
      state.keyReads += 1
      if (state.keysAway) throw new Error('authz is out of reach')
      return { keys }
    },
    { log },
  )
  serveCall(bus, 'rpc.authz.origins', async () => ({ origins: state.origins }), { log })
  serveCall(bus, 'rpc.authz.http', (request) => state.http(request), { log })
  serveCall(
    bus,
    'rpc.authz.grant',
    async ({ grant_id }) => {
      state.reads += 1
      const view = grants.get(grant_id) ?? null
      await state.beforeGrant()
      return view
    },
    { log },
  )
  return { grants, state }
}

function startFeed(bus: Bus) {
  const publisher = randomUUID()
  let sequence = 0
  const publish = (change: GrantFeedMessage['change'], skip = 0) => {
    sequence += 1 + skip
    const message: GrantFeedMessage = { publisher, sequence, change }
    bus.publish('evt.grants', JSON.stringify(message))
  }
  let beating = setInterval(() => publish(null), 50)
  return {
    publish,
    silence: () => clearInterval(beating),
    speak: () => {
      clearInterval(beating)
      beating = setInterval(() => publish(null), 50)
    },
  }
}
