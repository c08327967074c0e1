/** A schema of its own with two pools, as two replicas have, and registered clients of every profile. */

import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { type Database, openDatabase, statement } from '@financial-agents/postgres/database'
import { createTestDatabase, patient } from '@financial-agents/postgres/testing/database'
import { createClock, type MovableClock } from '@financial-agents/runtime/clock'
import { createSealer, type Sealer, sealingKeys } from '@financial-agents/runtime/sealing'
import { migrations } from '../migrations.ts'
import { applyRegistrations } from '../registration/apply-registrations.ts'
import { pairwiseSubject } from '../registration/pairwise-subject.ts'
import { type Registration, registration } from '../registration/registration.ts'
import { type Consent, grantLifetimeMs, recordConsent } from './human-grants.ts'

export const ownerId = '01980000-0000-7000-8000-000000000001'
export const dayMs = 86_400_000

export type TestStore = {
  db: Database
  /** The pool of the other replica. */
  other: Database
  connectionString: string
  schema: string
  /** Opens another pool whose connections have a name of their own. */
  open: (maxConnections?: number, applicationName?: string) => Database
  clock: MovableClock
  sealer: Sealer
  pairwiseKey: Buffer
  apply: (registrations: readonly Registration[]) => Promise<string[]>
  consent: (given?: Partial<Consent>, db?: Database) => Promise<{ grant_id: string; created: boolean }>
  /** Runs a statement given as text, and returns its rows. */
  read: <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>
  close: () => Promise<void>
}

export async function openTestStore({ clock = createClock() }: { clock?: MovableClock } = {}): Promise<TestStore> {
  const database = await createTestDatabase({ service: 'authz', migrations })
  const opened: Database[] = []
  const open = (maxConnections = 10, applicationName = 'authz-store') => {
    const { connectionString, schema } = database
    const options = { connectionString, schema, maxConnections, applicationName, onError: () => {} }
    opened.push(openDatabase({ ...options, ...patient }))
    return opened.at(-1) as Database
  }
  const [db, other] = [open(), open()]
  const pairwiseKey = randomBytes(32)
  return {
    db,
    other,
    connectionString: database.connectionString,
    schema: database.schema,
    open,
    clock,
    sealer: createSealer(sealingKeys.parse(`a:${randomBytes(32).toString('base64')}`)),
    pairwiseKey,
    apply: (registrations) => applyRegistrations(db, registrations, { pairwiseKey, now: clock.now() }),
    consent: (given = {}, on = db) => {
      const sector = given.client_id === 'cli' ? 'client:cli' : 'app.example'
      const subject = pairwiseSubject(pairwiseKey, sector, given.owner_id ?? ownerId)
      return recordConsent(on, consentOf(clock, { subject, ...given }), clock.now())
    },
    read: (text, values) => db.rows(statement(`test_${randomUUID()}`, text), values),
    close: async () => {
      await Promise.all(opened.map((one) => one.close().catch(() => {})))
      await database.close()
    },
  }
}

function consentOf(clock: MovableClock, given: Partial<Consent> = {}): Consent {
  return {
    owner_id: ownerId,
    client_id: 'app',
    subject: 'subject-of-app',
    scopes: ['operations:read'],
    openid: false,
    policy: { ceilings: { per_payment: null, per_day: null }, confirmation: [] },
    mandate_ids: [],
    authenticated_at: clock.now(),
    expires_at: new Date(clock.nowMs() + grantLifetimeMs),
    request_id: 'request-of-test',
    ...given,
  }
}

/** A browser client, named `app` by default. */
export function spaOf(members: Record<string, unknown> = {}): Registration {
  return registration.parse({
    client_id: 'app',
    name: 'An app',
    profile: 'spa',
    redirect_uris: ['https://app.example/'],
    origins: ['https://app.example'],
    scopes: ['openid', 'operations:read', 'beneficiaries:read', 'beneficiaries:write', 'spending:withdraw'],
    ...members,
  })
}

export function deviceOf(members: Record<string, unknown> = {}): Registration {
  const given = { client_id: 'cli', name: 'A tool', profile: 'device', scopes: ['operations:read'] }
  return registration.parse({ ...given, ...members })
}

export function serviceOf(members: Record<string, unknown> = {}): Registration {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return registration.parse({
    client_id: 'agent',
    name: 'An agent',
    profile: 'service',
    jwks: { keys: [publicKey.export({ format: 'jwk' })] },
    scopes: ['operations:read', 'beneficiaries:read'],
    service_owner: ownerId,
    ...members,
  })
}
