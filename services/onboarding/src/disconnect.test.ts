/** Disconnects by a client and at the account page, on two replicas over the bus, with each outcome. */

import { randomUUID } from 'node:crypto'
import { accountPageClient } from '@financial-agents/contract/principal'
import { statement } from '@financial-agents/postgres/database'
import { untilDraftsAreDecidedMs } from '@financial-agents/testkit/test-service'
import { never } from '@financial-agents/writes/testing/stub-operations'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listToAnnounce, listToFence, recordAnnounced, recordFenced } from './announcements-store.ts'
import { applyBindings } from './apply.ts'
import { listCurrentBindings, listSealedCredentials } from './bindings-store.ts'
import { eraseCredentials } from './erase-credentials.ts'
import { declare } from './opened.test-helper.ts'
import { clientOf, problemOf, startSigningIn } from './signing-in.test-helper.ts'

const world = await startSigningIn()
const { parts, disconnectAs, operations, lostAnswers } = world
afterEach(() => world.reset())
afterAll(() => world.close())

const eventually = { timeout: 120_000, interval: 25 }
let owner_id: string
let binding_id: string

beforeEach(async () => {
  const one = declare({ display_name: 'My bank' })
  owner_id = one.owner_id
  await applyBindings(parts, [one])
  binding_id = (await current())?.binding_id ?? ''
  for (const { id } of await listToAnnounce(parts.db, 10)) await recordAnnounced(parts.db, id, parts.clock.now())
})

const current = async () => (await listCurrentBindings(parts.db, [owner_id]))[0]
const statusNow = async () => (await current())?.status
const recorded = statement('test_ends', 'SELECT binding_id FROM announcements WHERE fence ORDER BY id')
/** Bindings that were announced and fenced, confirmed or not. */
const ends = async () => (await parts.db.rows<{ binding_id: string }>(recorded)).map((row) => row.binding_id)
const unconfirmed = async () => [...(await listToFence(parts.db, 100)), ...(await listToAnnounce(parts.db, 100))]
const credentials = async () => (await listSealedCredentials(parts.db, [binding_id])).length
const subject = 'subject of the owner'
const disconnectAtThePage = (timeoutMs?: number) => world.ask('disconnect', { owner_id, subject }, timeoutMs)
/**
 * Time-outs of requests whose fence or announcement is never confirmed. The first is long enough for the acceptance,
 * which a later request does not need.
 */
const unconfirmedMs = 10_000
const unconfirmedAgainMs = 1_000
const newIntent = () => randomUUID()

async function operationIds(): Promise<string[]> {
  return [...operations.operations.values()].filter((each) => each.resource_id === binding_id).map((each) => each.id)
}

async function settle(to: 'succeeded' | 'failed' | 'cancelled'): Promise<void> {
  const [operation_id = ''] = await operationIds()
  world.publish({ operation_id, kind: 'transfer_grant_revoke', sequence: 3, to, at: new Date().toISOString() })
  await expect.poll(statusNow, eventually).toBe('disconnected')
}

describe('a client', () => {
  test('disconnects with a confirmation: the operation names the binding, the intent and nothing else', async () => {
    const client = clientOf(owner_id)
    const intent_id = newIntent()
    expect(await disconnectAs(client, intent_id)).toEqual({ ok: true, data: null })
    const [asked, ...more] = operations.asked
    expect(more).toEqual([])
    expect(asked).toMatchObject({
      kind: 'transfer_grant_revoke',
      route: 'DELETE /v1/service-connections/current',
      key: intent_id,
      resource_id: binding_id,
      principal: { ...client, binding_id },
      mandate_id: null,
      target_reference: null,
      confirmation: { action: 'service_disconnect', intent_id },
    })
    const sealed = Buffer.from(asked?.payload_sealed ?? '', 'base64')
    expect(world.payloadSealer.open(sealed, asked?.operation_id ?? '').toString()).toBe('{}')
  })

  test('sees the connection while it is there, and while it is ending', async () => {
    const client = clientOf(owner_id)
    const shown = { id: binding_id, provider_name: 'My bank', connected_at: (await current())?.connected_at }
    expect(await world.read(client)).toEqual({ ok: true, data: { ...shown, status: 'connected' } })
    await disconnectAs(client, newIntent())
    expect(await world.read(client)).toEqual({ ok: true, data: { ...shown, status: 'disconnecting' } })
    await settle('succeeded')
    expect(problemOf(await world.read(client)).code).toBe('service_connection_not_found')
  })

  test('fifty times at once with one intent opens one operation, and is answered 204 each time', async () => {
    const [client, intent_id] = [clientOf(owner_id), newIntent()]
    const answers = await Promise.all(Array.from({ length: 50 }, () => disconnectAs(client, intent_id)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"ok":true,"data":null}']))
    expect(await operationIds()).toHaveLength(1)
    expect(await ends()).toEqual([binding_id])
    expect(await unconfirmed()).toEqual([])
  })

  test.each(['fencing', 'announcing'] as const)(
    'gets 204 only after it is confirmed that nothing more goes over the connection (%s)',
    async (what) => {
      const [client, intent_id] = [clientOf(owner_id), newIntent()]
      world[what].answers = false
      for (let times = 0; times < 2; times += 1)
        expect(problemOf(await disconnectAs(client, intent_id))).toMatchObject({
          code: 'service_unavailable',
          detail: expect.stringMatching(/is ending, which goes on by itself.*same confirmation/),
        })
      expect(await statusNow()).toBe('disconnecting')
      world[what].answers = true
      expect(await disconnectAs(client, intent_id)).toEqual({ ok: true, data: null })
      expect(await unconfirmed()).toEqual([])
      expect(await operationIds()).toHaveLength(1)
    },
  )

  test('gets no 204 while its accepted disconnect cannot be recorded here', async () => {
    const [client, intent_id] = [clientOf(owner_id), newIntent()]
    const run = (text: string) => parts.db.rows(statement('', text))
    await run(`ALTER TABLE bindings ADD CONSTRAINT out_of_order CHECK (status = 'connected') NOT VALID`)
    expect(problemOf(await disconnectAs(client, intent_id)).code).toBe('service_unavailable')
    expect([await statusNow(), await operationIds()]).toEqual(['connected', [expect.any(String)]])
    await run('ALTER TABLE bindings DROP CONSTRAINT out_of_order')
    await expect.poll(() => disconnectAs(client, intent_id), eventually).toEqual({ ok: true, data: null })
    expect([await statusNow(), await ends()]).toEqual(['disconnecting', [binding_id]])
    expect(await operationIds()).toHaveLength(1)
  })

  test('with fifty intents at once opens one operation; the others are notified that it is busy', async () => {
    const client = clientOf(owner_id)
    const answers = await Promise.all(Array.from({ length: 50 }, () => disconnectAs(client, newIntent())))
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    for (const answer of answers) if (!answer.ok) expect(answer.problem.code).toBe('resource_busy')
    expect(await operationIds()).toHaveLength(1)
  })

  test('that repeats the consumed intent is answered 204 again, long after the connection is gone', async () => {
    const [client, intent_id] = [clientOf(owner_id), newIntent()]
    await disconnectAs(client, intent_id)
    expect(await disconnectAs(client, intent_id)).toEqual({ ok: true, data: null })
    await settle('succeeded')
    expect(await disconnectAs(client, intent_id)).toEqual({ ok: true, data: null })
    expect(await operationIds()).toHaveLength(1)
    const other = problemOf(await disconnectAs(client, newIntent()))
    expect(other).toMatchObject({ code: 'service_connection_not_found', refresh_onboarding: true })
  })

  test('that repeats the consumed intent after the owner has connected again is answered 204, and the new connection stays', async () => {
    const first = await world.connect('per_daniel')
    owner_id = first.owner.owner_id
    binding_id = first.binding_id ?? ''
    const [client, intent_id] = [clientOf(owner_id), newIntent()]
    expect(await disconnectAs(client, intent_id)).toEqual({ ok: true, data: null })
    await settle('succeeded')
    const second = await world.connect('per_daniel')
    expect(second.owner.owner_id).toBe(owner_id)
    expect(await disconnectAs(client, intent_id)).toEqual({ ok: true, data: null })
    expect(await current()).toMatchObject({ binding_id: second.binding_id, status: 'connected' })
    expect([second.binding_id === binding_id, await ends()]).toEqual([false, [binding_id]])
  })

  test('is validated over the connection that its disconnect would end, whichever the gateway has named', async () => {
    const [client, intent_id] = [{ ...clientOf(owner_id), binding_id: randomUUID() }, newIntent()]
    expect(await world.validateDisconnect(client)).toEqual({ binding_id })
    operations.validateConfirmation = ({ principal }) =>
      principal.binding_id === binding_id ? 'confirmation_mismatch' : undefined
    expect(problemOf(await disconnectAs(client, intent_id)).code).toBe('confirmation_mismatch')
    expect([await statusNow(), await ends()]).toEqual(['connected', []])
  })

  test('that repeats an intent used more than a day ago is notified that it has expired', async () => {
    const [client, intent_id] = [clientOf(owner_id), newIntent()]
    await disconnectAs(client, intent_id)
    for (const key of operations.keys.values()) key.expired = true
    expect(problemOf(await disconnectAs(client, intent_id)).code).toBe('confirmation_expired')
  })

  test('whose confirmation is not good yet changes nothing, and may send the same one again', async () => {
    const [client, intent_id] = [clientOf(owner_id), newIntent()]
    operations.validateConfirmation = () => 'confirmation_pending'
    expect(problemOf(await disconnectAs(client, intent_id)).code).toBe('confirmation_pending')
    expect([await statusNow(), await ends()]).toEqual(['connected', []])
    operations.validateConfirmation = () => undefined
    expect(await disconnectAs(client, intent_id)).toEqual({ ok: true, data: null })
  })

  test('gets the same refusal in advance, and the connection stays as it is', async () => {
    const client = clientOf(owner_id)
    const refusedAlike = async (code: string, principal = client) => {
      const ahead = await world.validateDisconnect(principal)
      expect(ahead).toMatchObject({ code })
      expect(ahead).toEqual(problemOf(await disconnectAs(principal, newIntent())))
    }
    expect(await world.validateDisconnect(client)).toEqual({ binding_id })
    expect([await statusNow(), await ends()]).toEqual(['connected', []])
    await disconnectAs(client, newIntent())
    await refusedAlike('resource_busy')
    expect(problemOf(await disconnectAs(client, newIntent()))).toMatchObject({ refresh_onboarding: true })
    await settle('succeeded')
    await refusedAlike('service_connection_not_found')
    await refusedAlike('service_connection_not_found', clientOf(randomUUID()))
  })

  test('of an owner without any connection is answered so', async () => {
    for (const owner of [randomUUID(), 'nobody']) {
      expect(problemOf(await disconnectAs(clientOf(owner), newIntent())).code).toBe('service_connection_not_found')
      expect(problemOf(await world.read(clientOf(owner))).code).toBe('service_connection_not_found')
    }
  })
})

describe('the connection', () => {
  test('stays until the operation is accepted, busy; then it is ending, fenced and announced', async () => {
    let answer = () => {}
    operations.beforeAccept = () => new Promise((resolve) => (answer = resolve))
    const answered = disconnectAs(clientOf(owner_id), newIntent())
    await expect.poll(() => operations.asked.length, eventually).toBe(1)
    expect([await statusNow(), await ends()]).toEqual(['connected', []])
    operations.beforeAccept = async () => {}
    expect(problemOf(await disconnectAs(clientOf(owner_id, 'client-two'), newIntent())).code).toBe('resource_busy')
    answer()
    expect(await answered).toEqual({ ok: true, data: null })
    expect([await statusNow(), await ends()]).toEqual(['disconnecting', [binding_id]])
  })

  test.each(['succeeded', 'failed', 'cancelled'] as const)('is gone when the operation %s', async (outcome) => {
    await disconnectAs(clientOf(owner_id), newIntent())
    await settle(outcome)
    expect([await ends(), await credentials()]).toEqual([[binding_id], 1])
  })

  test('is gone, fenced and announced once, if the outcome arrives before the acceptance', async () => {
    operations.beforeAnswer = never
    const unheard = disconnectAs(clientOf(owner_id), newIntent())
    await expect.poll(operationIds, eventually).toHaveLength(1)
    expect(await statusNow()).toBe('connected')
    await settle('succeeded')
    expect(await ends()).toEqual([binding_id])
    lostAnswers.end()
    expect(problemOf(await unheard)).toMatchObject({
      code: 'acceptance_unknown',
      detail: expect.stringContaining('same confirmation'),
    })
  })

  test('stays where operations decides against a draft that was never accepted', async () => {
    operations.beforeAccept = never
    const unheard = disconnectAs(clientOf(owner_id), newIntent())
    await expect.poll(() => operations.asked.length, eventually).toBe(1)
    parts.clock.setOffsetMs(untilDraftsAreDecidedMs + 1_000)
    const state = statement('', `SELECT state FROM writes WHERE owner_id = $1`)
    await expect.poll(() => parts.db.rows(state, [owner_id]), eventually).toEqual([{ state: 'void' }])
    operations.beforeAccept = async () => {}
    expect([await statusNow(), await ends()]).toEqual(['connected', []])
    expect(await disconnectAs(clientOf(owner_id), newIntent())).toEqual({ ok: true, data: null })
    lostAnswers.end()
    expect(problemOf(await unheard).code).toBe('acceptance_unknown')
  })

  test('that the file ends while a revoke is a draft is gone, and the revoke goes on', async () => {
    let answer = () => {}
    operations.beforeAccept = () => new Promise((resolve) => (answer = resolve))
    const answered = disconnectAs(clientOf(owner_id), newIntent())
    await expect.poll(() => operations.asked.length, eventually).toBe(1)
    await applyBindings(parts, [])
    answer()
    operations.beforeAccept = async () => {}
    expect(await answered).toEqual({ ok: true, data: null })
    expect([await statusNow(), await ends()]).toEqual(['disconnected', [binding_id]])
    await confirmFences()
    expect(await eraseAfter(180_000)).toBe(1)
    await settle('succeeded')
    await expect.poll(() => eraseAfter(180_000), eventually).toBe(0)
  })
})

describe('the owner at the account page', () => {
  test('disconnects without a client and without a confirmation, however often the form is sent', async () => {
    world.fencing.answers = false
    const answers = await Promise.all(Array.from({ length: 3 }, () => disconnectAtThePage(unconfirmedMs)))
    expect(answers).toEqual(answers.map(() => ({ disconnected: true, fenced: false })))
    expect(await disconnectAtThePage(unconfirmedAgainMs)).toEqual({ disconnected: true, fenced: false })
    expect(await operationIds()).toHaveLength(1)
    const itself = { owner_id, subject, client_id: accountPageClient, grant_id: accountPageClient }
    expect(operations.asked[0]).toMatchObject({ confirmation: null, principal: { ...itself, binding_id } })
    expect(await ends()).toEqual([binding_id])
    await settle('failed')
    expect(await disconnectAtThePage()).toEqual({ disconnected: false })
  })

  test('learns that nothing goes over the connection any more only after the submitter has fenced it', async () => {
    world.fencing.answers = false
    expect(await disconnectAtThePage(unconfirmedMs)).toEqual({ disconnected: true, fenced: false })
    world.fencing.answers = true
    expect(await disconnectAtThePage()).toEqual({ disconnected: true, fenced: true })
    expect(await unconfirmed()).toEqual([])
    expect(await operationIds()).toHaveLength(1)
  })

  test('and clients at once end it once', async () => {
    const [page, client] = await Promise.all([
      disconnectAtThePage().catch(() => undefined),
      disconnectAs(clientOf(owner_id), newIntent()),
    ])
    expect(page?.disconnected === true || client.ok).toBe(true)
    expect(await operationIds()).toHaveLength(1)
    expect(await ends()).toEqual([binding_id])
  })

  test('is not held up by a client whose disconnect the owner never confirmed', async () => {
    const bogus = newIntent()
    const asked = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    operations.validateConfirmation = ({ key }) => (key === bogus ? 'confirmation_required' : undefined)
    operations.beforeAccept = async ({ key }) => {
      if (key !== bogus) return
      asked.resolve()
      await held.promise
    }
    const client = disconnectAs(clientOf(owner_id), bogus)
    await asked.promise
    const page = disconnectAtThePage()
    setTimeout(held.resolve, 200)
    expect(problemOf(await client)).toMatchObject({ code: 'confirmation_required' })
    expect(await page).toEqual({ disconnected: true, fenced: true })
  })

  test('without a connection, or nobody, changes nothing', async () => {
    for (const nobody of ['01990000-0000-7000-8000-00000000000a', 'nobody', ''])
      expect(await world.ask('disconnect', { owner_id: nobody, subject })).toEqual({ disconnected: false })
  })

  test('against 50 connects of the same owner leaves at most one connection, and each that ended fenced', async () => {
    const connected = await world.connect('per_daniel')
    owner_id = connected.owner.owner_id
    const ids = await Promise.all(Array.from({ length: 50 }, () => world.approve('per_daniel')))
    await Promise.all(
      ids.flatMap((id) => [
        world.finish(id).then(() => world.ask('connect', { owner_id })),
        disconnectAtThePage().catch(() => undefined),
      ]),
    )
    const all = statement('', 'SELECT id, status FROM bindings WHERE owner_id = $1 ORDER BY id')
    const rows = await parts.db.rows<{ id: string; status: string }>(all, [owner_id])
    expect(rows.filter(({ status }) => status === 'connected').length).toBeLessThanOrEqual(1)
    const ended = rows.filter(({ status }) => status !== 'connected').map(({ id }) => id)
    expect((await ends()).toSorted()).toEqual(ended)
  })
})

async function confirmFences(): Promise<void> {
  for (const { id } of await listToFence(parts.db, 100)) await recordFenced(parts.db, id, parts.clock.now())
}

/** Runs the erase background job at that time. Returns the number of credentials left of the binding. */
async function eraseAfter(offsetMs: number): Promise<number> {
  const clock = { ...parts.clock, now: () => new Date(Date.now() + offsetMs), nowMs: () => Date.now() + offsetMs }
  await eraseCredentials({ db: parts.db, bus: world.bus, log: world.log, clock, afterMs: 120_000 })
  return credentials()
}

describe('credentials', () => {
  test('stay until the fence is confirmed, two minutes have passed and no operation needs them; then they go', async () => {
    await disconnectAs(clientOf(owner_id), newIntent())
    await confirmFences()
    expect(await eraseAfter(86_400_000)).toBe(1)
    expect(world.askedUnsettled).toEqual([])
    await settle('succeeded')
    expect(await eraseAfter(60_000)).toBe(1)
    expect(world.askedUnsettled).toEqual([])
    world.unsettled.add(binding_id)
    expect(await eraseAfter(180_000)).toBe(1)
    expect(world.askedUnsettled).toEqual([[binding_id]])
    world.unsettled.clear()
    // The background job skips the binding for a while.
    expect(await eraseAfter(180_000)).toBe(1)
    expect(await eraseAfter(300_000)).toBe(0)
    expect(await eraseAfter(86_400_000)).toBe(0)
    expect(world.askedUnsettled).toEqual([[binding_id], [binding_id]])
  })

  test('of a connection that the file ended stay until its fence is confirmed', async () => {
    await applyBindings(parts, [])
    expect(await eraseAfter(180_000)).toBe(1)
    expect(world.askedUnsettled).toEqual([])
    await confirmFences()
    expect(await eraseAfter(180_000)).toBe(0)
  })

  test('of a connection that is there, or ending, are never looked at', async () => {
    expect(await eraseAfter(86_400_000)).toBe(1)
    await disconnectAs(clientOf(owner_id), newIntent())
    await confirmFences()
    expect(await eraseAfter(86_400_000)).toBe(1)
    expect(world.askedUnsettled).toEqual([])
  })
})
