/** Helpers for the tests of this service: a schema with the tables, instances on it, and requests to accept. */

import { randomBytes } from 'node:crypto'
import type { OperationTransition } from '@financial-agents/bus/messages/events'
import type { AcceptRequest, Payment } from '@financial-agents/bus/messages/operations'
import { isPaymentKind } from '@financial-agents/contract/kinds'
import { type Database, openDatabase, statement } from '@financial-agents/postgres/database'
import { createTestDatabase, patient } from '@financial-agents/postgres/testing/database'
import { createClock, type MovableClock } from '@financial-agents/runtime/clock'
import { createSealer } from '@financial-agents/runtime/sealing'
import { countingWitness } from '@financial-agents/witness/testing/witness'
import { type AcceptorOptions, createAcceptor } from './accept.ts'
import type { Announced } from './announce.ts'
import type { Asking } from './intents/asking.ts'
import { migrations } from './migrations.ts'
import { type NewIntent, recordDecision, recordIntent } from './store/confirmation-intents.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** `months`: makes the months, as `migrate` does. A service that starts would otherwise move the rows of the first test. */
export async function openTestOperations({ months = false } = {}) {
  const database = await createTestDatabase({ service: 'operations', migrations, months })
  const opened = new Set<Database>()
  const open = (connectionString = database.connectionString): Database => {
    const db = openDatabase({
      connectionString,
      applicationName: 'operations test',
      schema: database.schema,
      ...patient,
      maxConnections: 6,
      onError: () => {},
    })
    opened.add(db)
    return { ...db, close: async () => void (opened.delete(db) && (await db.close())) }
  }
  return {
    ...database,
    open,
    close: async () => {
      await Promise.all(Array.from(opened, (db) => db.close()))
      await database.close()
    },
  }
}

/** The variables that a process needs to hash the requests of intents and to ask about approvals. */
export const requestVariables = {
  PUBLIC_BASE_URL: 'https://api.example.test',
  REQUEST_HASH_KEY: randomBytes(32).toString('base64'),
  PAYLOAD_KEYS: `test:${randomBytes(32).toString('base64')}`,
  CREDENTIAL_KEYS: `test:${randomBytes(32).toString('base64')}`,
  CURSOR_KEY: randomBytes(32).toString('base64'),
  /** Nothing listens here. Tests of approvals start a provider. */
  PROVIDER_URL: 'http://127.0.0.1:9',
}

/** The connection that a disconnect would end. */
export const endedConnection = newId()

/** Areas that refuse no write. */
export const willingAreas = {
  validateDisconnect: async () => ({ binding_id: endedConnection }),
  validateMandateCreate: async () => null,
  validateMandateRevoke: async () => null,
  validateWithdrawal: async () => null,
} satisfies Partial<Asking>

export const sealer = createSealer([{ id: 'test', key: randomBytes(32) }])

export function query<Row>(db: Database, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return db.rows<Row>(statement('', text), values)
}

/** An acceptor like that of a process, with a clock to move and a list of its announcements. */
export function createInstance(
  db: Database,
  { clock = createClock(), ...options }: Partial<AcceptorOptions> & { clock?: MovableClock } = {},
) {
  const announced: Announced[] = []
  const accept = createAcceptor({
    db,
    witness: countingWitness(db),
    clock,
    announce: async (operations) => {
      announced.push(...operations)
    },
    maxItems: 128,
    concurrency: 2,
    keyWindowMs: dayMs,
    backgroundJobAfterMs: 5_000,
    ...options,
  })
  return { db, clock, announced, accept: (request: AcceptRequest, timeoutMs = 0) => accept(request, timeoutMs) }
}

/** A new UUID, version 7. */
export function newId(atMs = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(atMs, 0, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export function newPrincipal() {
  return {
    owner_id: newId(),
    subject: `subject-${newId()}`,
    client_id: 'client-one',
    grant_id: newId(),
    binding_id: newId(),
  }
}

/** A request to accept, of a new owner with a new key unless `over` says otherwise. */
export function newRequest(over: Partial<AcceptRequest> = {}): AcceptRequest {
  const pays = over.kind !== undefined && isPaymentKind(over.kind)
  return {
    principal: newPrincipal(),
    route: 'POST /v1/beneficiaries',
    key: `key-${newId()}`,
    request_hash: randomBytes(32).toString('base64url'),
    operation_id: newId(),
    kind: 'beneficiary_create',
    resource_id: newId(),
    mandate_id: null,
    mandate_ends_at: null,
    target_reference: null,
    confirmation: null,
    payment: pays ? newPayment() : null,
    payload_sealed: randomBytes(300).toString('base64'),
    traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
    ...over,
  }
}

export const noCeilings: Payment['ceilings'] = { per_payment: null, per_day: null }

export function newPayment(over: Partial<Payment> = {}): Payment {
  return {
    beneficiary_id: newId(),
    amount: '1',
    currency: 'EUR',
    rule: null,
    reference_sealed: null,
    ceilings: noCeilings,
    ...over,
  }
}

/** The same client request as an area offers it again, with another id for operation and resource. */
export function offeredAgain(request: AcceptRequest): AcceptRequest {
  return { ...request, operation_id: newId(), resource_id: newId() }
}

/** Stores an intent that the owner confirmed for exactly this request. Returns the request with the intent's id. */
export async function newConfirmed(
  db: Database,
  now: Date,
  request = newRequest(),
  over: Partial<NewIntent> = {},
): Promise<AcceptRequest & { confirmation: { intent_id: string } }> {
  const { principal, request_hash } = request
  const { owner_id, client_id, grant_id } = principal
  const binding_id = String(principal.binding_id)
  const id = newId()
  const action = 'transfer'
  const expires_at = new Date(now.getTime() + 600_000)
  const intent = {
    id,
    owner_id,
    client_id,
    grant_id,
    action,
    request_hash,
    binding_id,
    summary: 'words',
    facts: { client: [], owner: [] },
    created_at: now,
    expires_at,
  }
  await recordIntent(db, { ...intent, action, ...over })
  const decision = { id, owner_id: over.owner_id ?? owner_id, status: 'confirmed', authenticated_at: now } as const
  await recordDecision(db, decision, now)
  return { ...request, confirmation: { action, intent_id: id } }
}

/** The submitter's transition that moves an accepted request. */
export function moveOf(request: AcceptRequest, over: Partial<OperationTransition> = {}): OperationTransition {
  const { operation_id, kind, resource_id, principal, traceparent } = request
  return {
    ...principal,
    binding_id: String(principal.binding_id),
    operation_id,
    kind,
    resource_id,
    traceparent,
    sequence: 2,
    from: 'accepted',
    event: 'claim',
    to: 'submitting',
    by: 'submitter',
    at: new Date().toISOString(),
    failure_code: null,
    failure_detail: null,
    upstream_reference: null,
    target_reference: null,
    resource: null,
    next_reconcile_at: null,
    reason: null,
    evidence: null,
    ...over,
  }
}
