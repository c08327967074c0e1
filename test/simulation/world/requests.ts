/**
 * The clients' requests. There are a few owners, each perhaps with resources from before the seed: a beneficiary, a
 * mandate with limits too small for all payments, intents to confirm. The requests are about these.
 */

import { createHash } from 'node:crypto'
import type { Principal } from '@financial-agents/contract/principal'
import type { ConfirmedAction } from '@financial-agents/contract/schemas/authorization'
import type { Row } from '../virtual/tables.ts'
import { drawCardWrites } from './card-requests.ts'
import { secret } from './invariants.ts'
import { owners, sealedCredentials } from './services.ts'
import { payerName, type ShownCeilings } from './shown-ceilings.ts'
import type { World } from './world.ts'
import { draw, lay, requestOf, type Write } from './write.ts'

type Past = { beneficiaryId: string; mandateId: string }

export function drawRequests(world: World): { writes: Write[]; principals: Principal[]; ceilings: ShownCeilings } {
  const { chance } = world
  const withMandates = chance.happens(0.5)
  const some = owners.slice(0, chance.whole(1, 2))
  const pasts = new Map(some.map(({ owner_id }) => [owner_id, withMandates ? layPast(world, owner_id) : null]))
  for (const owner of owners) layBinding(world, owner)
  const principals = some.flatMap(({ owner_id, binding_id }) =>
    Array.from({ length: chance.whole(1, 2) }, (_, index) => ({
      owner_id,
      subject: `subject-${owner_id}`,
      client_id: `client-${index + 1}`,
      grant_id: `grant-${owner_id}-${index + 1}`,
      binding_id,
      grant_ends_at: world.drawEnd().toISOString(),
    })),
  )
  const ceilings = new Map(
    principals.map((principal) => [payerName(principal), chance.pick([null, null, '60', '70', '100'])]),
  )
  for (const principal of principals) layGrant(world, principal, pasts.get(principal.owner_id))
  const writes = Array.from({ length: chance.whole(2, 5) }, () => {
    const principal = chance.pick(principals)
    const past = pasts.get(principal.owner_id)
    const kind = past
      ? chance.pick(['beneficiary', 'transfer', 'transfer', 'transfer', 'mandate', 'change', 'change'])
      : 'beneficiary'
    if (!past || kind === 'beneficiary') return createBeneficiary(world, principal)
    if (kind === 'change') return changeMandate(world, principal, past)
    const write =
      kind === 'transfer' ? createTransfer(world, principal, past.mandateId) : createMandate(world, principal, past)
    return underCeiling(write, ceilings)
  })
  for (const [owner_id, past] of pasts) {
    if (!past || !chance.happens(0.4)) continue
    const own = principals.filter((principal) => principal.owner_id === owner_id)
    for (let count = chance.whole(1, 3); count > 0; count -= 1)
      writes.push(createWithdrawal(world, chance.pick(own), past.beneficiaryId, ceilings))
  }
  writes.push(...drawCardWrites(world, principals))
  if (chance.happens(0.2)) writes.push(disconnect(world, chance.pick(principals)))
  return { writes, principals, ceilings }
}

/** Makes a different request under the same key. */
export function otherUnderSameKey(write: Write): Write {
  const { body } = write.request
  const other = body === undefined ? body : { ...(body as Row), ...('name' in (body as Row) ? { name: 'Other' } : {}) }
  return {
    ...write,
    hash: `${write.hash}-other`,
    request: {
      ...write.request,
      ...requestOf(write.key, `${write.hash}-other`, write.request.params, other, write.intent),
    },
  }
}

/** Adds the policy of the grant, as the gateway does. */
export function underCeiling(write: Write, ceilings: ShownCeilings): Write {
  const amount = ceilings.get(payerName(write.principal)) ?? null
  const per_day = amount === null ? null : { amount, currency: 'EUR' }
  const policy = { ceilings: { per_payment: null, per_day }, confirmation: [] }
  return { ...write, request: { ...write.request, policy } }
}

function createBeneficiary(world: World, principal: Principal): Write {
  return writeOf(world, principal, 'createBeneficiary', {
    name: `Payee ${world.chance.whole(1, 3)}`,
    country: 'PT',
    currency: 'EUR',
    payout_schema_id: 'sepa',
    details: { iban: secret },
  })
}

export function createTransfer(world: World, principal: Principal, mandateId: string): Write {
  const amount = String(world.chance.pick([10, 25, 40, 60, 61]))
  return writeOf(world, principal, 'createMandateTransfer', { amount, currency: 'EUR' }, mandateId)
}

/** Some withdrawals need a confirmation, as the policy of the grant demands. */
function createWithdrawal(world: World, principal: Principal, beneficiary_id: string, ceilings: ShownCeilings): Write {
  const { chance } = world
  const body = { beneficiary_id, amount: String(chance.pick([10, 25, 40, 60, 61])), currency: 'EUR', memo: 'Rent' }
  const action = chance.happens(0.3) ? 'transfer' : undefined
  const write = underCeiling(writeOf(world, principal, 'createWithdrawal', body, undefined, action), ceilings)
  const confirmation = { intent_id: write.intent, request_hash: write.hash }
  return { ...write, subject: 'rpc.spending.createWithdrawal', request: { ...write.request, confirmation } }
}

function createMandate(world: World, principal: Principal, { beneficiaryId }: Past): Write {
  const caps = { per_payment_max: '60', daily_max: '100', weekly_max: '100', monthly_max: '100', total_cap: '100' }
  const authorized_clients = world.chance.pick([
    ['client-1', 'client-2'],
    [principal.client_id],
    ['client-2', 'client-9'],
  ])
  const expires_at = '2030-06-01T00:00:00Z'
  const body = { beneficiary_id: beneficiaryId, ...caps, payment_count: 5, expires_at, authorized_clients }
  return writeOf(world, principal, 'createMandate', body, undefined, 'mandate_create')
}

function changeMandate(world: World, principal: Principal, { mandateId }: Past): Write {
  return world.chance.happens(0.5)
    ? writeOf(world, principal, 'suspendMandate', undefined, mandateId)
    : writeOf(world, principal, 'revokeMandate', undefined, mandateId, 'mandate_revoke')
}

/** The confirmation is the idempotency key. */
function disconnect(world: World, principal: Principal): Write {
  const hash = 'disconnect'
  const intent = layIntent(world, principal, 'service_disconnect', hash)
  const confirmation = { intent_id: intent, request_hash: hash }
  const request = { params: {}, query: {}, confirmation }
  return { subject: 'rpc.onboarding.disconnectService', principal, key: intent, hash, intent, request }
}

function writeOf(
  world: World,
  principal: Principal,
  route: string,
  body: Row | undefined,
  mandateId?: string,
  action?: ConfirmedAction,
): Write {
  const key = `key-${draw()}`
  const text = JSON.stringify([route, mandateId, body])
  const hash = createHash('sha256').update(text).digest('base64url')
  const intent = action ? layIntent(world, principal, action, hash) : null
  const params: Record<string, string> = mandateId === undefined ? {} : { mandate_id: mandateId }
  return {
    subject: `rpc.beneficiaries.${route}`,
    principal,
    key,
    hash,
    intent,
    request: requestOf(key, hash, params, body, intent),
  }
}

/**
 * Adds an intent that the owner has not confirmed yet. It is bound to the owner's connection; if there is none, to one that has
 * ended.
 */
function layIntent(world: World, principal: Principal, action: ConfirmedAction, request_hash: string): string {
  const id = draw()
  const { owner_id, client_id, grant_id } = principal
  lay(world, 'operations', 'confirmation_intents', id, {
    id,
    owner_id,
    client_id,
    grant_id,
    action,
    request_hash,
    binding_id: world.connectionOf(owner_id) ?? draw(),
    summary: 'A summary.',
    facts: { client: [], owner: [] },
    quoted_sealed: Buffer.from('quoted'),
    status: 'pending',
    created_at: world.date(0),
    expires_at: world.date(600_000),
    decided_at: null,
    authenticated_at: null,
    consumed_operation_id: null,
  })
  return id
}

/** Adds a grant given before the seed. The earlier mandate may have been confirmed for it. */
function layGrant(world: World, principal: Principal, past: Past | null | undefined): void {
  const { owner_id, client_id, grant_id, grant_ends_at = null } = principal
  const grant = world.grants.add(
    { owner_id, client_id },
    grant_id,
    world.date(-86_400_000).toISOString(),
    grant_ends_at,
  )
  if (!past || !(client_id === 'client-1' || world.chance.happens(0.6))) return
  const mandate_id = past.mandateId
  const key = [mandate_id, client_id, grant_id].map((part) => `${part}\u0001`).join('')
  const row = { mandate_id, client_id, grant_id, how: 'confirmed', given_at: world.date(-86_400_000) }
  lay(world, 'beneficiaries', 'mandate_authorities', key, row)
  world.grants.agree(mandate_id, grant)
}

function layBinding(world: World, { owner_id, binding_id }: (typeof owners)[number]): void {
  lay(world, 'onboarding', 'bindings', binding_id, {
    id: binding_id,
    owner_id,
    provider: 'fake',
    display_name: null,
    status: 'connected',
    source: 'declared',
    credentials_sealed: sealedCredentials.get(binding_id),
    connected_at: world.date(-86_400_000),
    updated_at: world.date(-86_400_000),
    disconnecting_at: null,
    disconnected_at: null,
    pending_operation_id: null,
    erase_check_at: world.date(-86_400_000),
  })
}

/** Adds an active beneficiary and an active mandate, whose operations ended before the seed. */
function layPast(world: World, owner_id: string): Past {
  const [beneficiaryId, mandateId] = [draw(), draw()]
  const [created_at, updated_at] = [world.date(-86_400_000), world.date(-86_400_000)]
  const client_id = 'client-1'
  lay(world, 'beneficiaries', 'beneficiaries', beneficiaryId, {
    id: beneficiaryId,
    operation_id: world.settledBefore(),
    owner_id,
    created_at,
    updated_at,
    name: 'Payee',
    nickname: null,
    country: 'PT',
    currency: 'EUR',
    payout_schema_id: 'sepa',
    is_external: false,
    purpose_code: null,
    masked_details: {},
    state: 'active',
    upstream_reference: 'up-beneficiary',
  })
  lay(world, 'beneficiaries', 'mandates', mandateId, {
    id: mandateId,
    operation_id: world.settledBefore(),
    owner_id,
    client_id,
    created_at,
    updated_at,
    grant_id: `grant-${owner_id}-1`,
    beneficiary_id: beneficiaryId,
    currency: 'EUR',
    authorized_clients: ['client-1', 'client-2'],
    authorized_rules: [],
    per_payment_max: '60',
    daily_max: '100',
    weekly_max: '100',
    monthly_max: '100',
    total_cap: '100',
    payment_count: 4,
    expires_at: world.drawEnd(),
    state: 'active',
    suspend_operation_id: null,
    revoke_operation_id: null,
    upstream_reference: 'up-mandate',
    reserved_total: '0',
    reserved_count: 0,
    lost_total: '0',
    lost_count: 0,
  })
  return { beneficiaryId, mandateId }
}
