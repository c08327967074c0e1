import type { AcceptRequest, AcceptResult } from '@financial-agents/bus/messages/operations'
import { isTakenKey } from '@financial-agents/postgres/errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AcceptanceApprovals } from './approvals/at-acceptance.ts'
import { pruneExpiredKeys } from './background-job.ts'
import { createDecide } from './calls/decide.ts'
import { createResult } from './calls/result.ts'
import {
  createInstance,
  dayMs,
  hourMs,
  newId,
  newPrincipal,
  newRequest,
  offeredAgain,
  openTestOperations,
  query,
} from './operations.test-helper.ts'
import { findPayloads } from './store/operations.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let one: ReturnType<typeof createInstance>
let other: ReturnType<typeof createInstance>

beforeAll(async () => {
  tables = await openTestOperations()
  one = createInstance(tables.open())
  other = createInstance(tables.open())
})
afterAll(() => tables.close())

const types = (results: readonly AcceptResult[]) => results.map((result) => result.type).toSorted()

function operationOf(result: AcceptResult) {
  if (!('operation' in result)) throw new Error(`the result ${result.type} has no operation`)
  return result.operation
}

function operationsUnder(request: AcceptRequest) {
  const { owner_id } = request.principal
  return query<{ id: string }>(one.db, 'SELECT id FROM operations WHERE owner_id = $1', [owner_id])
}

async function decisionOn(operationId: string) {
  const rows = await query<{ accepted: boolean }>(one.db, 'SELECT accepted FROM decisions WHERE operation_id = $1', [
    operationId,
  ])
  return rows[0]?.accepted
}

describe('acceptance', () => {
  test('an accepted operation is whole: row, history, sealed payload, announcement', async () => {
    const request = newRequest()
    const operation = operationOf(await one.accept(request))
    expect(operation).toEqual({
      id: request.operation_id,
      kind: 'beneficiary_create',
      state: 'accepted',
      submission_uncertain: false,
      failure_code: null,
      failure_detail: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: operation.created_at,
      resource_id: request.resource_id,
      resource_type: 'beneficiary',
      next_reconcile_at: null,
      upstream_reference: null,
    })
    const rows = await query(
      one.db,
      `SELECT encode(o.payload_sealed, 'hex') AS payload, o.binding_id, h.sequence, h.event, h.to_state, h.moved_by
      FROM operations o JOIN moves h ON h.operation_id = o.id WHERE o.id = $1`,
      [request.operation_id],
    )
    expect(rows).toEqual([
      {
        payload: Buffer.from(request.payload_sealed, 'base64').toString('hex'),
        binding_id: request.principal.binding_id,
        sequence: 1,
        event: 'accept',
        to_state: 'accepted',
        moved_by: 'operations',
      },
    ])
    expect(one.announced).toContainEqual({
      id: request.operation_id,
      kind: 'beneficiary_create',
      traceparent: request.traceparent,
    })
  })

  test('offers that arrive together are accepted together', async () => {
    const requests = Array.from({ length: 300 }, () => newRequest())
    const results = await Promise.all(requests.map((request) => one.accept(request)))
    expect(results.map((result) => operationOf(result).id)).toEqual(requests.map(({ operation_id }) => operation_id))
    expect(new Set(types(results))).toEqual(new Set(['accepted']))
  })

  test('one bad offer fails alone, and nothing is accepted under it', async () => {
    const bad = newRequest({ resource_id: 'not-an-id' })
    const requests = [newRequest(), bad, newRequest()]
    const results = await Promise.allSettled(requests.map((request) => one.accept(request)))
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(results[1]).toMatchObject({ reason: { code: 'internal_error' } })
    expect(await operationsUnder(bad)).toEqual([])
    expect(await decisionOn(bad.operation_id)).toBeUndefined()
  })

  test('an offer whose caller has gone before its turn writes nothing', async () => {
    const request = newRequest()
    await expect(one.accept(request, 0.001)).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await decisionOn(request.operation_id)).toBeUndefined()
  })

  test('an offer without a provider binding is refused', async () => {
    const request = newRequest({ principal: { ...newPrincipal(), binding_id: null } })
    await expect(one.accept(request)).rejects.toMatchObject({ code: 'provider_connection_unavailable' })
  })
})

describe('an operation for which the provider may want an approval', () => {
  const recorded: string[] = []
  const approvals: AcceptanceApprovals = {
    mayAsk: (kind) => kind === 'transfer',
    record: async (_tx, ids) => void recorded.push(...ids),
    begin: async (operation) => operation,
  }

  test('begins in requires_action: recorded, not announced, out of the background job; the others beside it are accepted', async () => {
    const asking = createInstance(tables.open(), { approvals, concurrency: 1 })
    const transfer = newRequest({ kind: 'transfer', target_reference: 'payee-7' })
    const plain = newRequest({ target_reference: null })
    const results = await Promise.all([asking.accept(transfer), asking.accept(plain)])
    expect(results.map((result) => operationOf(result).state)).toEqual(['requires_action', 'accepted'])
    expect(types(results)).toEqual(['accepted', 'accepted'])
    expect(recorded).toEqual([transfer.operation_id])
    expect(asking.announced.map(({ id }) => id)).toEqual([plain.operation_id])
    const rows = await query(
      one.db,
      `SELECT accepted_at IS NULL AS waits, target_reference, event, to_state AS to
      FROM operations JOIN moves ON operation_id = id AND moves.sequence = 1 WHERE id = ANY ($1::uuid[])
      ORDER BY target_reference`,
      [[transfer.operation_id, plain.operation_id]],
    )
    expect(rows).toEqual([
      { waits: true, target_reference: 'payee-7', event: 'accept_for_approval', to: 'requires_action' },
      { waits: false, target_reference: null, event: 'accept', to: 'accepted' },
    ])
    const payloads = await findPayloads(one.db, [transfer.operation_id])
    expect(payloads).toEqual([])
    expect(await asking.accept(offeredAgain(transfer))).toMatchObject({
      type: 'replayed',
      operation: { id: transfer.operation_id, state: 'requires_action' },
    })
    expect(recorded).toHaveLength(1)
  })

  test('comes into being only with what its approval needs', async () => {
    const record = async () => {
      throw new Error('the approval was not written')
    }
    const failing = createInstance(tables.open(), { approvals: { ...approvals, record } })
    const transfer = newRequest({ kind: 'transfer' })
    await expect(failing.accept(transfer)).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await operationsUnder(transfer)).toEqual([])
    expect(await decisionOn(transfer.operation_id)).toBeUndefined()
  })
})

describe('the idempotency contract', () => {
  test('1: a replay of an equal request returns the live row, and its own offer never happens', async () => {
    const request = newRequest()
    await one.accept(request)
    await query(
      one.db,
      `UPDATE operations SET state = 'submitted', sequence = 3, payload_sealed = NULL WHERE id = $1`,
      [request.operation_id],
    )
    const again = offeredAgain(request)
    const result = await other.accept(again)
    expect(result).toMatchObject({ type: 'replayed', operation: { id: request.operation_id, state: 'submitted' } })
    expect(await operationsUnder(request)).toHaveLength(1)
    expect(await decisionOn(again.operation_id)).toBe(false)
  })

  test('3: a key used again within its window for another request is a conflict', async () => {
    const request = newRequest()
    await one.accept(request)
    const different = { ...offeredAgain(request), request_hash: 'another' }
    expect(await other.accept(different)).toEqual({ type: 'conflict' })
    expect(await decisionOn(different.operation_id)).toBe(false)
  })

  test('4: a key presented after its window is expired, for an equal and for a changed request', async () => {
    const now = createInstance(tables.open())
    const request = newRequest()
    await now.accept(request)
    now.clock.setOffsetMs(dayMs - 60_000)
    expect((await now.accept(offeredAgain(request))).type).toBe('replayed')
    now.clock.setOffsetMs(dayMs + 1_000)
    const equal = offeredAgain(request)
    const changed = { ...offeredAgain(request), request_hash: 'another' }
    expect(await now.accept(equal)).toEqual({ type: 'expired' })
    expect(await now.accept(changed)).toEqual({ type: 'expired' })
    expect([await decisionOn(equal.operation_id), await decisionOn(changed.operation_id)]).toEqual([false, false])
    expect(await operationsUnder(request)).toHaveLength(1)
  })

  test('6: owner, client and route are part of the identity of a key', async () => {
    const request = newRequest()
    const principal = request.principal
    const others = [
      newRequest({ key: request.key }),
      newRequest({ key: request.key, principal: { ...principal, client_id: 'client-two' } }),
      newRequest({ key: request.key, principal, route: 'POST /v1/cards', kind: 'card_create' }),
    ]
    const results = await Promise.all([request, ...others].map((offer) => one.accept(offer)))
    expect(new Set(types(results))).toEqual(new Set(['accepted']))
  })

  test('the window is stamped when the key is written: another configuration does not move it', async () => {
    const long = createInstance(tables.open(), { keyWindowMs: 2 * dayMs })
    const short = createInstance(tables.open(), { keyWindowMs: dayMs })
    const [issuedLong, issuedShort] = [newRequest(), newRequest()]
    await long.accept(issuedLong)
    await short.accept(issuedShort)
    for (const { clock } of [long, short]) clock.setOffsetMs(dayMs + hourMs)
    expect((await short.accept(offeredAgain(issuedLong))).type).toBe('replayed')
    expect((await long.accept(offeredAgain(issuedShort))).type).toBe('expired')
  })

  test('a key older than 30 days is expired until the prune, and reads as new after it', async () => {
    const later = createInstance(tables.open())
    const request = newRequest()
    await later.accept(request)
    later.clock.setOffsetMs(31 * dayMs)
    expect((await later.accept(offeredAgain(request))).type).toBe('expired')
    while (await pruneExpiredKeys(later)) {}
    const again = offeredAgain(request)
    expect(await later.accept(again)).toMatchObject({ type: 'accepted', operation: { id: again.operation_id } })
    expect(await operationsUnder(request)).toHaveLength(2)
  })

  test('a key that is pruned between the lost insert and the look-up is validated anew', async () => {
    const request = newRequest()
    const db = tables.open()
    // This record has no operation, so the look-up does not see it. It stands for a record that a prune has removed.
    // The test removes it before the second attempt.
    await query(db, `INSERT INTO idempotency_keys VALUES ($1, $2, $3, $4, 'hash', $5, now(), now())`, [
      request.principal.owner_id,
      request.principal.client_id,
      request.key,
      request.route,
      newId(),
    ])
    let attempts = 0
    const pruning = createInstance({
      ...db,
      transaction: async (work) => {
        attempts += 1
        return db.transaction(work).catch(async (error: unknown) => {
          await query(db, 'DELETE FROM idempotency_keys WHERE key = $1', [request.key])
          throw error
        })
      },
    })
    expect((await pruning.accept(request)).type).toBe('accepted')
    expect(attempts).toBe(2)
  })

  test('the result alone says the same and writes nothing', async () => {
    const moved = createInstance(tables.open())
    const result = createResult(moved.db, moved.clock)
    const request = newRequest()
    expect(await result(request)).toEqual({ type: 'new' })
    await moved.accept(request)
    expect(await result(request)).toMatchObject({ type: 'replayed', operation: { id: request.operation_id } })
    expect(await result({ ...request, request_hash: 'another' })).toEqual({ type: 'conflict' })
    moved.clock.setOffsetMs(dayMs + 1)
    expect(await result({ ...request, request_hash: 'another' })).toEqual({ type: 'expired' })
  })
})

describe('two instances on one database', () => {
  test('200 equal requests at once: one accepted, 199 replayed, one operation', async () => {
    const request = newRequest()
    const offers = [request, ...Array.from({ length: 199 }, () => offeredAgain(request))]
    const results = await Promise.all(offers.map((offer, index) => (index % 2 ? one : other).accept(offer)))
    expect(types(results)).toEqual(['accepted', ...Array<string>(199).fill('replayed')])
    expect(new Set(results.map((result) => operationOf(result).id)).size).toBe(1)
    expect(await operationsUnder(request)).toHaveLength(1)
    const losers = offers.filter((offer) => offer.operation_id !== operationOf(results[0] as AcceptResult).id)
    const decisions = await query<{ accepted: boolean }>(
      one.db,
      'SELECT DISTINCT accepted FROM decisions WHERE operation_id = ANY ($1::uuid[])',
      [losers.map((offer) => offer.operation_id)],
    )
    expect(decisions).toEqual([{ accepted: false }])
  })

  test('200 requests that joined one draft: exactly one learns that it was accepted', async () => {
    const request = newRequest()
    const offers = Array.from({ length: 200 }, (_, index) => (index % 2 ? one : other).accept(request))
    expect(types(await Promise.all(offers))).toEqual(['accepted', ...Array<string>(199).fill('replayed')])
    expect(await operationsUnder(request)).toHaveLength(1)
    expect(await decisionOn(request.operation_id)).toBe(true)
  })

  test('the same keys and ids in opposite orders never deadlock', async () => {
    const failures: unknown[] = []
    const watched = (db: typeof one.db): typeof one.db => ({
      ...db,
      transaction: (work) =>
        db.transaction(work).catch((error: unknown) => {
          // The other replica decided the id first. The batch is then run again.
          if (!isTakenKey(error)) failures.push(error)
          throw error
        }),
    })
    const [left, right] = [createInstance(watched(tables.open())), createInstance(watched(tables.open()))]
    const decide = createDecide(tables.open(), one.clock)
    for (let round = 0; round < 20; round++) {
      const joined = round % 2 === 0
      const requests = Array.from({ length: 100 }, () => newRequest())
      const rivals = (joined ? requests : requests.map(offeredAgain)).toReversed()
      const voided = joined ? requests.slice(0, 20).map((request) => request.operation_id) : []
      const [, ...results] = await Promise.all([
        decide({ operation_ids: voided.toReversed() }),
        ...requests.map((request) => left.accept(request)),
        ...rivals.map((request) => right.accept(request)),
      ])
      const accepted = results.flatMap((result) => (result.type === 'accepted' ? result.operation.id : []))
      expect(new Set(accepted).size).toBe(accepted.length)
      expect(accepted.length).toBeGreaterThanOrEqual(100 - voided.length)
      expect(accepted.length).toBeLessThanOrEqual(100)
    }
    expect(failures).toEqual([])
  })

  test('a different request racing for the key is a conflict, and its id is void for good', async () => {
    for (let round = 0; round < 50; round++) {
      const request = newRequest()
      const rival = { ...offeredAgain(request), request_hash: 'another' }
      const results = await Promise.all([one.accept(request), other.accept(rival)])
      expect(types(results)).toEqual(['accepted', 'conflict'])
      const loser = results[0].type === 'accepted' ? rival : request
      expect(await decisionOn(loser.operation_id)).toBe(false)
    }
  })
})

describe('decisions on operation ids', () => {
  test('void and accept of one id racing 200 times: never both', async () => {
    const decide = createDecide(other.db, other.clock)
    const outcomes = { accepted: 0, void: 0 }
    const race = async () => {
      const request = newRequest()
      const [result, decisions] = await Promise.all([
        one.accept(request),
        decide({ operation_ids: [request.operation_id] }),
      ])
      const rows = await operationsUnder(request)
      if (result.type === 'accepted') {
        expect(decisions).toEqual([
          {
            operation_id: request.operation_id,
            state: 'accepted',
            sequence: 1,
            upstream_reference: null,
            resource: null,
          },
        ])
        expect(rows).toHaveLength(1)
      } else {
        expect(result).toEqual({ type: 'void' })
        expect(decisions).toEqual([
          { operation_id: request.operation_id, state: 'void', sequence: 0, upstream_reference: null, resource: null },
        ])
        expect(rows).toEqual([])
        const keys = await query(one.db, 'SELECT 1 FROM idempotency_keys WHERE key = $1', [request.key])
        expect(keys).toEqual([])
      }
      outcomes[result.type as 'accepted' | 'void'] += 1
    }
    for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 10 }, race))
    expect(outcomes.accepted + outcomes.void).toBe(200)
  })

  test('a void key is free: the same request under another id is accepted', async () => {
    const request = newRequest()
    await createDecide(one.db, one.clock)({ operation_ids: [request.operation_id] })
    expect(await one.accept(request)).toEqual({ type: 'void' })
    expect((await one.accept(offeredAgain(request))).type).toBe('accepted')
  })

  test('an accept whose id is void is a replay where the equal request won meanwhile', async () => {
    const request = newRequest()
    await createDecide(one.db, one.clock)({ operation_ids: [request.operation_id] })
    const winner = offeredAgain(request)
    await other.accept(winner)
    expect(await one.accept(request)).toMatchObject({ type: 'replayed', operation: { id: winner.operation_id } })
  })

  test('deciding tells the live state of what was accepted, and of a tombstone that it is void', async () => {
    const request = newRequest()
    await one.accept(request)
    const lost = offeredAgain(request)
    await one.accept(lost)
    const answers = await createDecide(one.db, one.clock)({ operation_ids: [request.operation_id, lost.operation_id] })
    expect(answers).toEqual([
      { operation_id: request.operation_id, state: 'accepted', sequence: 1, upstream_reference: null, resource: null },
      { operation_id: lost.operation_id, state: 'void', sequence: 0, upstream_reference: null, resource: null },
    ])
  })

  test('an expired key of the offered operation itself is a problem, not a result: the id was accepted', async () => {
    const later = createInstance(tables.open())
    const request = newRequest()
    await later.accept(request)
    later.clock.setOffsetMs(dayMs + 1_000)
    await expect(later.accept(request)).rejects.toMatchObject({ code: 'idempotency_key_expired' })
    expect(await decisionOn(request.operation_id)).toBe(true)
  })

  test('the equal offer of an accepted id succeeds after its key was pruned', async () => {
    const later = createInstance(tables.open())
    const request = newRequest()
    await later.accept(request)
    later.clock.setOffsetMs(31 * dayMs)
    while (await pruneExpiredKeys(later)) {}
    expect(await later.accept(request)).toMatchObject({ type: 'replayed', operation: { id: request.operation_id } })
  })

  test('one operation id offered for two requests is never accepted twice', async () => {
    const request = newRequest()
    const stranger = newRequest({ operation_id: request.operation_id })
    const results = await Promise.allSettled([one.accept(request), one.accept(stranger)])
    expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const rows = await query(one.db, 'SELECT 1 FROM operations WHERE id = $1', [request.operation_id])
    expect(rows).toHaveLength(1)
    const keys = await query(one.db, 'SELECT 1 FROM idempotency_keys WHERE operation_id = $1', [request.operation_id])
    expect(keys).toHaveLength(1)
  })

  test('after all of this, no key is without an operation and no operation without its accepting decision', async () => {
    const orphans = await query(
      one.db,
      `SELECT 1 FROM idempotency_keys k WHERE NOT EXISTS (SELECT FROM operations o WHERE o.id = k.operation_id)
      UNION ALL
      SELECT 1 FROM operations o WHERE NOT EXISTS (
        SELECT FROM decisions d WHERE d.operation_id = o.id AND d.accepted)
      UNION ALL
      SELECT 1 FROM decisions d WHERE d.accepted AND NOT EXISTS (SELECT FROM operations o WHERE o.id = d.operation_id)`,
    )
    expect(orphans).toEqual([])
  })
})
