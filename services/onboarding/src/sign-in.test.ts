/**
 * Signs in through the fake provider's hosted page, on two replicas over the bus. A sign-in tells the owner, and does
 * nothing else.
 */

import { randomUUID } from 'node:crypto'
import { isTerminal, type OperationState } from '@financial-agents/contract/machine'
import { statement } from '@financial-agents/postgres/database'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { listToFence } from './announcements-store.ts'
import { applyBindings } from './apply.ts'
import { listCurrentBindings, listSealedCredentials } from './bindings-store.ts'
import { listReferencesOfOwners } from './customers-store.ts'
import { declare } from './opened.test-helper.ts'
import { pruneSignIns } from './sign-ins-store.ts'
import { startSigningIn } from './signing-in.test-helper.ts'

const world = await startSigningIn()
const { parts, start, finish, signIn, connect, approve, decide } = world
afterEach(() => world.reset())
afterAll(() => world.close())

const daniel = { display_name: 'Daniel Reyes', locale: 'en-US', timezone: 'America/Phoenix' }
const secrets = ['test-user-daniel-reyes-tucson', 'test-user-ines-carvalho-lisboa', 'dva_']
const current = async (owner_id: string) => (await listCurrentBindings(parts.db, [owner_id]))[0]
const count = async (table: string) => (await parts.db.rows(statement('', `SELECT 1 FROM ${table}`))).length
const disconnect = (owner_id: string, timeoutMs?: number) =>
  world.ask('disconnect', { owner_id, subject: 'subject of the owner' }, timeoutMs)

async function credentialsOf(binding_id: string): Promise<string> {
  const [row] = await listSealedCredentials(parts.db, [binding_id])
  return parts.sealer.open(Buffer.from(row?.credentials_sealed ?? '', 'base64'), binding_id).toString()
}

/** Publishes the provider's outcome of the disconnect under way. */
async function settleDisconnect(owner_id: string, to: OperationState = 'succeeded'): Promise<void> {
  const [row] = await parts.db.rows<{ operation_id: string }>(
    statement(
      '',
      'SELECT pending_operation_id AS operation_id FROM bindings WHERE owner_id = $1 AND pending_operation_id IS NOT NULL',
    ),
    [owner_id],
  )
  if (!row) throw new Error('no disconnect is under way')
  const { operation_id } = row
  const operation = world.operations.operations.get(operation_id)
  if (operation) operation.state = to
  if (!isTerminal(to)) return
  world.publish({ operation_id, kind: 'transfer_grant_revoke', sequence: 3, to, at: new Date().toISOString() })
  await expect.poll(() => current(owner_id)).toMatchObject({ status: 'disconnected' })
}

const mayConnect = (owner_id: string) => world.ask('may-connect', { owner_id })

describe('the first sign-in of a person', () => {
  test('makes an owner, and no binding', async () => {
    const { sign_in_id, url } = await start()
    expect(await finish(sign_in_id)).toEqual({ type: 'pending' })
    await decide(url, { test_user: 'per_daniel', decision: 'approve' })
    const answer = await finish(sign_in_id)
    if (answer.type !== 'signed_in') throw new Error(answer.type)
    expect(answer.owner).toEqual({ ...daniel, owner_id: answer.owner.owner_id })
    expect([await count('bindings'), await count('announcements')]).toEqual([0, 0])
    expect(await mayConnect(answer.owner.owner_id)).toEqual({ type: 'ready', provider_name: 'Fake' })
  })

  test('finished 50 times at once at two replicas makes one owner, and one answer', async () => {
    const sign_in_id = await approve('per_daniel')
    const answers = await Promise.all(Array.from({ length: 50 }, () => finish(sign_in_id)))
    expect(answers[0]).toMatchObject({ type: 'signed_in', owner: daniel })
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect([await count('bindings'), await count('customers'), await count('announcements')]).toEqual([0, 1, 0])
  })

  test('in 50 browsers at once makes one owner', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => approve('per_daniel')))
    const answers = await Promise.all(ids.map(finish))
    expect(answers[0]).toMatchObject({ type: 'signed_in', owner: daniel })
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await count('customers')).toBe(1)
    const owner_id = answers[0]?.type === 'signed_in' ? answers[0].owner.owner_id : ''
    expect(await listReferencesOfOwners(parts.db, [owner_id, randomUUID(), 'nobody'])).toEqual([
      { owner_id, provider: 'fake', reference: 'per_daniel' },
    ])
  })

  test('of a customer who is declared is the sign-in of the declared owner, with the declared binding', async () => {
    const one = declare({ customer_reference: 'per_ines', credentials: 'test-user-ines-carvalho-lisboa' })
    await applyBindings(parts, [one])
    const bound = await current(one.owner_id)
    expect(await signIn('per_ines')).toMatchObject({ owner: { owner_id: one.owner_id } })
    expect(await applyBindings(parts, [one])).toEqual([{ owner_id: one.owner_id, change: 'unchanged' }])
    expect(await current(one.owner_id)).toEqual(bound)
  })
})

describe('connecting', () => {
  test('makes a connected binding of the sign-in, with sealed credentials and an announcement', async () => {
    const { owner, binding_id = '' } = await connect('per_daniel')
    expect(await current(owner.owner_id)).toMatchObject({
      binding_id,
      status: 'connected',
      source: 'sign_in',
      provider_name: 'Fake',
    })
    expect(await credentialsOf(binding_id)).toBe('test-user-daniel-reyes-tucson')
    const recorded = statement('', 'SELECT owner_id, binding_id, fence FROM announcements')
    expect(await parts.db.rows(recorded)).toEqual([{ owner_id: owner.owner_id, binding_id, fence: false }])
  })

  test('50 times at once after 50 sign-ins makes one binding, and every answer is that there is one', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => approve('per_daniel')))
    const [first] = await Promise.all(ids.map(finish))
    if (first?.type !== 'signed_in') throw new Error(first?.type)
    const { owner_id } = first.owner
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.ask('connect', { owner_id })))
    for (const answer of answers) expect(answer).toEqual({ type: 'connected' })
    expect([await count('bindings'), await count('announcements')]).toEqual([1, 1])
  })

  test('takes a sign-in that has not expired, and no credentials stay behind', async () => {
    const { owner } = await signIn('per_daniel')
    parts.clock.setOffsetMs(11 * 60_000)
    expect(await mayConnect(owner.owner_id)).toEqual({ type: 'sign_in_again' })
    expect(await world.ask('connect', owner)).toEqual({ type: 'sign_in_again' })
    parts.clock.setOffsetMs(0)
    await signIn('per_daniel')
    expect(await world.ask('connect', owner)).toEqual({ type: 'connected' })
    const kept = statement('', 'SELECT 1 FROM sign_ins WHERE credentials_sealed IS NOT NULL')
    expect(await parts.db.rows(kept)).toEqual([])
  })

  test.each(['01990000-0000-7000-8000-00000000000a', 'nobody', ''])('as %j connects nobody', async (owner_id) => {
    for (const name of ['may-connect', 'connect'] as const)
      expect(await world.ask(name, { owner_id })).toEqual({ type: 'sign_in_again' })
    expect(await count('bindings')).toBe(0)
  })

  test('takes no sign-in from before the disconnect: that one is used up, or may have ended with the connection', async () => {
    const sign_in_id = await approve('per_daniel')
    const { owner } = await connect('per_daniel')
    await disconnect(owner.owner_id)
    await finish(sign_in_id)
    await settleDisconnect(owner.owner_id)
    expect(await mayConnect(owner.owner_id)).toEqual({ type: 'sign_in_again' })
    expect(await world.ask('connect', owner)).toEqual({ type: 'sign_in_again' })
  })

  test.each<[OperationState, number, boolean]>([
    ['accepted', 30, false],
    ['submitting', 30, false],
    ['submitted', 9, false],
    ['indeterminate', 9, false],
    ['submitted', 11, true],
    ['indeterminate', 11, true],
    ['succeeded', 11, true],
  ])('while the revoke is %s after %i minutes connects anew: %s', async (state, minutes, connects) => {
    const one = declare({ customer_reference: 'per_daniel', credentials: 'for-the-revoke' })
    await applyBindings(parts, [one])
    const ending = await current(one.owner_id)
    await disconnect(one.owner_id)
    for (const operation of world.operations.operations.values()) operation.state = state
    await parts.db.rows(
      statement('', `UPDATE bindings SET disconnecting_at = disconnecting_at - $1 * interval '1 minute'`),
      [minutes],
    )
    await signIn('per_daniel')
    expect((await mayConnect(one.owner_id)).type).toBe(connects ? 'ready' : 'ending')
    const { type, binding_id } = await connect('per_daniel')
    expect(type).toBe(connects ? 'connected' : 'ending')
    expect(binding_id !== ending?.binding_id).toBe(connects)
    expect(await current(one.owner_id)).toMatchObject({ binding_id, status: connects ? 'connected' : 'disconnecting' })
    // The old connection keeps the credentials that its reads need.
    expect(await credentialsOf(ending?.binding_id ?? '')).toBe('for-the-revoke')
  })
})

describe('a later sign-in', () => {
  test('of the same person is the same owner, and changes nothing of the connection', async () => {
    const first = await connect('per_daniel')
    expect((await signIn('per_daniel')).owner).toEqual(first.owner)
    expect(await current(first.owner.owner_id)).toMatchObject({ binding_id: first.binding_id, status: 'connected' })
    expect(await count('announcements')).toBe(1)
    expect(await mayConnect(first.owner.owner_id)).toEqual({ type: 'connected' })
  })

  test('of another person is another owner', async () => {
    const [one, other] = [await signIn('per_daniel'), await signIn('per_tomasz')]
    expect(other.owner.owner_id).not.toBe(one.owner.owner_id)
    expect(other.owner).toMatchObject({ locale: 'pl-PL', timezone: 'Europe/Warsaw' })
  })

  test('refreshes credentials that changed, in place', async () => {
    const one = declare({ customer_reference: 'per_daniel', credentials: 'stale' })
    await applyBindings(parts, [one])
    await signIn('per_daniel')
    expect(await credentialsOf((await current(one.owner_id))?.binding_id ?? '')).toBe('test-user-daniel-reyes-tucson')
    expect(await count('bindings')).toBe(1)
  })

  test('leaves a connection with another provider as it is declared', async () => {
    const { owner } = await connect('per_daniel')
    const elsewhere = declare({ owner_id: owner.owner_id, provider: 'other', credentials: 'of-the-other' })
    await applyBindings(parts, [elsewhere])
    await signIn('per_daniel')
    expect(await credentialsOf((await current(owner.owner_id))?.binding_id ?? '')).toBe('of-the-other')
  })

  test('after a disconnect connects nothing, however often: only connecting does, and the old binding stays fenced', async () => {
    const first = await connect('per_daniel')
    const { owner_id } = first.owner
    world.fencing.answers = false
    // The fence is asked for until the caller's time is over.
    expect(await disconnect(owner_id, 10_000)).toEqual({ disconnected: true, fenced: false })
    await settleDisconnect(owner_id)
    for (let time = 0; time < 3; time += 1) expect((await signIn('per_daniel')).owner).toEqual(first.owner)
    expect(await current(owner_id)).toMatchObject({ binding_id: first.binding_id, status: 'disconnected' })
    expect(await count('bindings')).toBe(1)
    expect(await world.ask('connect', { owner_id })).toEqual({ type: 'connected' })
    expect((await current(owner_id))?.binding_id).not.toBe(first.binding_id)
    expect((await listToFence(parts.db, 10)).map((row) => row.binding_id)).toEqual([first.binding_id])
  })

  test('while the connection is ending signs the owner in, connects nothing and touches no credentials', async () => {
    const one = declare({ customer_reference: 'per_daniel', credentials: 'for-the-revoke' })
    await applyBindings(parts, [one])
    const { binding_id = '' } = (await current(one.owner_id)) ?? {}
    await disconnect(one.owner_id)
    expect((await connect('per_daniel')).type).toBe('ending')
    expect(await current(one.owner_id)).toMatchObject({ binding_id, status: 'disconnecting' })
    expect(await credentialsOf(binding_id)).toBe('for-the-revoke')
    await settleDisconnect(one.owner_id)
    expect((await connect('per_daniel')).binding_id).not.toBe(binding_id)
  })
})

describe('a sign-in', () => {
  test('that was declined stays declined, and makes nobody an owner', async () => {
    const { sign_in_id, url } = await start()
    await decide(url, { decision: 'decline' })
    for (let time = 0; time < 2; time += 1) expect(await finish(sign_in_id)).toEqual({ type: 'declined' })
    expect(await count('customers')).toBe(0)
  })

  test('whose answer is read again asks the provider nothing more', async () => {
    const sign_in_id = await approve('per_daniel')
    const answer = await finish(sign_in_id)
    await world.fault('drop_before_accept', 'device_authentication_read')
    expect(await finish(sign_in_id)).toEqual(answer)
  })

  test('is expired after its time, finished or not, and unknown ids are too', async () => {
    const [finished, approved] = [await approve('per_daniel'), await approve('per_daniel')]
    await finish(finished)
    parts.clock.setOffsetMs(10 * 60_000)
    for (const id of [finished, approved, 'nobodys', '', '\u0000'])
      expect(await finish(id)).toEqual({ type: 'expired' })
  })

  test('is expired when the provider says so', async () => {
    await world.fault('expire', 'device_authentication')
    const { sign_in_id } = await start()
    expect(await finish(sign_in_id)).toEqual({ type: 'expired' })
  })

  test('can be finished after the provider was out of reach', async () => {
    const sign_in_id = await approve('per_daniel')
    await world.fault('slow', 'device_authentication_read', { delay_ms: 30_000 })
    expect(await world.ask('finish-sign-in', { sign_in_id }, 5_000)).toEqual({ type: 'unreachable' })
    await world.clearFaults()
    expect(await finish(sign_in_id)).toMatchObject({ type: 'signed_in' })
  })

  test('cannot be started while the provider is out of reach', async () => {
    await world.fault('drop_before_accept', 'device_authentication')
    expect(await world.ask('start-sign-in', { return_url: 'http://127.0.0.1:4000/r' })).toEqual({ type: 'unreachable' })
    expect(await count('sign_ins')).toBe(0)
  })
})

describe('the declared bindings', () => {
  test('disconnect only what was declared: a connection that a sign-in made stays', async () => {
    const { owner, binding_id } = await connect('per_daniel')
    expect(await applyBindings(parts, [])).toEqual([])
    expect(await current(owner.owner_id)).toMatchObject({ binding_id, status: 'connected' })
  })

  test('take over a connection that a sign-in made once it is declared, and then end it', async () => {
    const { owner, binding_id } = await connect('per_daniel')
    const entry = declare({ owner_id: owner.owner_id, credentials: 'test-user-daniel-reyes-tucson' })
    expect(await applyBindings(parts, [entry])).toMatchObject([{ change: 'updated' }])
    expect(await applyBindings(parts, [entry])).toMatchObject([{ change: 'unchanged' }])
    expect(await current(owner.owner_id)).toMatchObject({ binding_id })
    expect(await applyBindings(parts, [])).toEqual([{ owner_id: owner.owner_id, change: 'disconnected' }])
  })

  test('never connect an owner who disconnected: the file applied again leaves it, until the owner connects', async () => {
    const one = declare({ customer_reference: 'per_daniel', credentials: 'test-user-daniel-reyes-tucson' })
    await applyBindings(parts, [one])
    await disconnect(one.owner_id)
    expect(await applyBindings(parts, [one])).toEqual([{ owner_id: one.owner_id, change: 'disconnecting' }])
    await settleDisconnect(one.owner_id)
    for (const declared of [[one], [], [one]]) await applyBindings(parts, declared)
    expect(await applyBindings(parts, [one])).toEqual([{ owner_id: one.owner_id, change: 'disconnected by the owner' }])
    expect(await current(one.owner_id)).toMatchObject({ status: 'disconnected' })
    const { binding_id } = await connect('per_daniel')
    expect(await applyBindings(parts, [one])).toEqual([{ owner_id: one.owner_id, change: 'updated' }])
    expect(await current(one.owner_id)).toMatchObject({ binding_id, status: 'connected', source: 'declared' })
  })

  test('never give a customer another owner, nor an owner another customer, and then change nothing at all', async () => {
    const { owner } = await connect('per_daniel')
    const stranger = declare({ customer_reference: 'per_daniel' })
    await expect(applyBindings(parts, [declare(), stranger])).rejects.toThrow(
      /customer_reference: .*neither ever changes/,
    )
    const moved = declare({ owner_id: owner.owner_id, customer_reference: 'per_tomasz' })
    await expect(applyBindings(parts, [moved])).rejects.toThrow(/customer_reference: .*neither ever changes/)
    expect(await count('bindings')).toBe(1)
  })

  test('applied while people sign in leave one owner with at most one connection, and refuse where the sign-in came first', async () => {
    const one = declare({ customer_reference: 'per_ines', credentials: 'test-user-ines-carvalho-lisboa' })
    const ids = await Promise.all(Array.from({ length: 30 }, () => approve('per_ines')))
    const applying = Promise.allSettled(Array.from({ length: 10 }, () => applyBindings(parts, [one])))
    const answers = await Promise.all(ids.map(finish))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const declaredFirst = answers[0]?.type === 'signed_in' && answers[0].owner.owner_id === one.owner_id
    for (const { status } of await applying) expect(status).toBe(declaredFirst ? 'fulfilled' : 'rejected')
    // A sign-in makes no connection.
    expect(await count('bindings')).toBe(declaredFirst ? 1 : 0)
  })
})

describe('what is kept', () => {
  test('is pruned once it has expired, and only then', async () => {
    const old = await approve('per_daniel')
    await finish(old)
    await start()
    expect(await pruneSignIns(parts.db, parts.clock.now(), 10)).toBe(0)
    parts.clock.setOffsetMs(11 * 60_000)
    await start().catch(() => {})
    expect(await pruneSignIns(parts.db, parts.clock.now(), 1)).toBe(1)
    expect(await pruneSignIns(parts.db, parts.clock.now(), 10)).toBeGreaterThanOrEqual(1)
    expect(await pruneSignIns(parts.db, parts.clock.now(), 10)).toBe(0)
  })

  test('holds no sign-in id, no secret of the provider and no credentials that could be read; nor does the log', async () => {
    const { sign_in_id } = await start()
    const approved = await approve('per_daniel')
    await signIn('per_daniel')
    const rows = await parts.db.rows<{ row: string }>(
      statement('', `SELECT sign_ins::text AS row FROM sign_ins UNION ALL SELECT bindings::text FROM bindings`),
    )
    const stored = rows.map(({ row }) =>
      row.replace(/\\\\x([0-9a-f]+)/g, (_, hex) => Buffer.from(hex, 'hex').toString('latin1')),
    )
    const everything = [...stored, ...world.lines].join('\n')
    for (const secret of [...secrets, sign_in_id, approved]) expect(everything).not.toContain(secret)
    // The sealing key's name is found, so the search does cover the stored bytes.
    expect(stored.filter((row) => row.includes('test'))).toHaveLength(3)
  })
})
