/** The owner's approval over the real bus, database and provider, from creation to its outcome and its announcement. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../operations.test-helper.ts'
import { answerAt, createWorld, minuteMs, type World } from './world.test-helper.ts'

let world: World
const patience = { timeout: 120_000 }

beforeAll(async () => {
  world = await createWorld()
  await Promise.all([world.start(), world.start()])
})
afterEach(async () => {
  world.clock.setOffsetMs(0)
  await world.provider.ask('DELETE', '/control/faults')
  await world.provider.ask('PUT', '/control/clock', { offset_ms: 0 })
})
afterAll(() => world.close())

const fault = (script: string, match: object, more: object = {}) =>
  world.provider.ask('POST', '/control/faults', { script, match, ...more })

/** Counts the questions about approvals that the provider receives from now on. Their answers do not change. */
async function countReads(): Promise<() => Promise<number>> {
  await fault('slow', { kind: 'approval_read' }, { options: { delay_ms: 1 } })
  return async () => {
    const { faults } = (await world.provider.ask('GET', '/control/faults')) as { faults: { used: number }[] }
    return faults.reduce((sum, { used }) => sum + used, 0)
  }
}

async function createWaiting() {
  const request = await world.transferOf('daniel')
  return { request, id: request.operation_id, created: await world.create(request) }
}

/** Long enough that anybody may ask the provider again, and too short for any page to expire. */
const laterMs = 2 * minuteMs

describe('creation', () => {
  test('shows where the owner has to decide, and nothing is submitted before', async () => {
    const { request, id, created } = await createWaiting()
    expect(created).toMatchObject({
      state: 'requires_action',
      submission_uncertain: false,
      action_required: { kind: 'grant_approval', poll_after_ms: 2_000, expires_at: expect.any(String) },
    })
    expect(created.action_required?.url).toContain(`${world.provider.url}/hosted/approvals/`)
    expect(await world.get(request)).toEqual(created)
    expect(await world.lookInto(id)).toEqual({ payload: true, action: true, approval: 'waiting', open: true })
    expect(world.timesAnnounced(id)).toBe(0)
    expect(await world.decide(id)).toMatchObject([{ state: 'requires_action', sequence: 1 }])
    await expect
      .poll(() => world.eventsOf(id), patience)
      .toMatchObject([
        {
          sequence: 1,
          from: null,
          to: 'requires_action',
          by: 'operations',
          at: created.created_at,
          resource_id: request.resource_id,
        },
      ])
  })

  test('answers `accepted` where the provider needs no approval after all, and the operation goes to the submitter', async () => {
    const requests = await Promise.all(Array.from({ length: 40 }, () => world.transferOf('amara')))
    const created = await Promise.all(requests.map((request) => world.create(request)))
    expect(new Set(created.map(({ state }) => state))).toEqual(new Set(['accepted']))
    for (const { operation_id: id } of requests) {
      await expect.poll(() => world.timesAnnounced(id), patience).toBe(1)
      expect(await world.historyOf(id)).toEqual([
        '1 new accept_for_approval requires_action operations',
        '2 requires_action approval_granted accepted operations prepare not_needed',
      ])
      expect(await world.lookInto(id)).toEqual({ payload: true, action: false, approval: 'granted', open: false })
      expect(world.eventsOf(id)).toEqual([])
    }
  })

  test('asks by what is transferred: below 500 EUR nothing, above it the owner', async () => {
    expect(await world.create(await world.transferOf('ines', '500'))).toMatchObject({ state: 'accepted' })
    expect(await world.create(await world.transferOf('ines', '500.01'))).toMatchObject({ state: 'requires_action' })
  })

  test('of a mandate asks the owner too', async () => {
    const request = await world.mandateOf('ines')
    const created = await world.create(request)
    expect(created).toMatchObject({ kind: 'mandate_create', state: 'requires_action' })
    await answerAt(created, 'approve')
    expect(await world.poll(request)).toMatchObject({ state: 'accepted' })
    expect(await world.create(await world.mandateOf('amara'))).toMatchObject({ state: 'accepted' })
  })

  test('answers `failed` where the provider will not take it, approved or not', async () => {
    const request = await world.transferOf('tomasz', '5000')
    const { operation_id: id } = request
    expect(await world.create(request)).toMatchObject({ state: 'failed', failure_code: 'provider_rejected_details' })
    expect(await world.lookInto(id)).toEqual({ payload: false, action: false, approval: 'failed', open: false })
    await expect.poll(() => world.eventsOf(id), patience).toMatchObject([{ to: 'failed', event: 'approval_failed' }])
  })

  test('does not wait for a provider that takes its time; what it answers then is shown all the same', async () => {
    const request = await world.transferOf('daniel')
    await fault('slow', { client_reference: request.operation_id, kind: 'approval' }, { options: { delay_ms: 2_500 } })
    // A creation waits at most for half of its time-out.
    const created = await world.create(request, { timeoutMs: 1_000 })
    expect(created).toMatchObject({ state: 'requires_action' })
    expect(created).not.toHaveProperty('action_required')
    world.clock.setOffsetMs(1_000)
    await expect.poll(() => world.get(request), patience).toHaveProperty('action_required')
    // No state has changed meanwhile.
    expect((await world.get(request)).updated_at).toBe(created.updated_at)
  })

  test('repeated with its key answers the live row', async () => {
    const { request, created } = await createWaiting()
    expect(await world.accept({ ...request, operation_id: newId(), resource_id: newId() })).toEqual({
      type: 'replayed',
      operation: created,
    })
  })
})

describe('an approval that was granted', () => {
  test('is learnt of by a poll: the operation is accepted once, with its payload and without its page', async () => {
    const { request, id, created } = await createWaiting()
    expect(await world.poll(request)).toEqual(created)
    expect(await answerAt(created, 'approve')).toBe(`https://api.example.test/approval/return/${id}`)
    world.clock.setOffsetMs(laterMs)
    const polled = await world.poll(request)
    expect(polled).toMatchObject({ state: 'accepted', failure_code: null })
    expect(polled).not.toHaveProperty('action_required')
    expect(polled.updated_at >= created.updated_at).toBe(true)
    await expect.poll(() => world.timesAnnounced(id), patience).toBe(1)
    await expect
      .poll(() => world.eventsOf(id).map(({ sequence, to }) => `${sequence} ${to}`), patience)
      .toEqual(['1 requires_action', '2 accepted'])
    expect(await world.poll(request)).toEqual(polled)
    expect(await world.historyOf(id)).toEqual([
      '1 new accept_for_approval requires_action operations',
      '2 requires_action approval_granted accepted operations poll granted',
    ])
    expect(await world.lookInto(id)).toEqual({ payload: true, action: false, approval: 'granted', open: false })
    expect(world.timesAnnounced(id)).toBe(1)
  })

  test('is announced again by the background job until it is claimed, as the wait for it is: a lost message is only late', async () => {
    const { request, id, created } = await createWaiting()
    const heard = () => world.eventsOf(id).map(({ to }) => to)
    await expect.poll(heard, patience).toEqual(['requires_action'])
    world.clock.setOffsetMs(laterMs)
    const repeating = await world.start({ APPROVAL_JOB_PAUSE_MS: '50', BACKGROUND_JOB_PAUSE_MS: '50' })
    await expect.poll(() => heard().length, patience).toBeGreaterThan(1)
    await answerAt(created, 'approve')
    world.clock.setOffsetMs(2 * laterMs)
    await expect.poll(() => world.get(request), patience).toMatchObject({ state: 'accepted' })
    world.clock.setOffsetMs(3 * laterMs)
    await expect.poll(() => heard().filter((to) => to === 'accepted').length, patience).toBeGreaterThan(1)
    await repeating.stop()
  })

  test('is learnt of by the owner’s return', async () => {
    const { request, id, created } = await createWaiting()
    await answerAt(created, 'approve')
    expect(await world.comeBack(id)).toBe(null)
    await expect.poll(() => world.get(request), patience).toMatchObject({ state: 'accepted' })
    expect((await world.historyOf(id))[1]).toContain('return granted')
  })

  test('is learnt of by the background job where nobody polls', async () => {
    const { request, id, created } = await createWaiting()
    await answerAt(created, 'approve')
    world.clock.setOffsetMs(laterMs)
    const repeating = await world.start({ APPROVAL_JOB_PAUSE_MS: '50' })
    await expect.poll(() => world.get(request), patience).toMatchObject({ state: 'accepted' })
    expect((await world.historyOf(id))[1]).toContain('background_job granted')
    await repeating.stop()
  })

  test('enqueues once and writes one line of history, however many poll, return and background job at two replicas', async () => {
    const { request, id, created } = await createWaiting()
    await answerAt(created, 'approve')
    const reads = await countReads()
    const answers = await Promise.all([
      ...Array.from({ length: 50 }, () => world.poll(request)),
      ...Array.from({ length: 10 }, () => world.comeBack(id)),
    ])
    // A poll returns the state that it reads. This may still be the state before the provider's answer.
    const reported = new Set(answers.map((answer) => answer?.state ?? null))
    expect([...reported].filter((state) => ![null, 'requires_action', 'accepted'].includes(state))).toEqual([])
    await expect.poll(() => world.get(request), patience).toMatchObject({ state: 'accepted' })
    expect(await world.historyOf(id)).toHaveLength(2)
    await expect.poll(() => world.timesAnnounced(id), patience).toBe(1)
    expect(await reads()).toBe(1)
  })

  test('is asked about where polls and a return meet: whoever has the turn uses it', async () => {
    const { request, id, created } = await createWaiting()
    await answerAt(created, 'approve')
    const some = <Answer>(ask: () => Promise<Answer>) => Array.from({ length: 8 }, ask)
    await Promise.all([
      ...some(() => world.poll(request)),
      ...some(() => world.comeBack(id)),
      ...some(() => world.poll(request)),
    ])
    await expect.poll(() => world.get(request), patience).toMatchObject({ state: 'accepted' })
    expect((await world.historyOf(id))[1]).toMatch(/(return|poll) granted/)
  })

  test('is asked about soon after an owner’s return, although an older question is still under way', async () => {
    const { request, id, created } = await createWaiting()
    await fault('slow', { kind: 'approval_read' }, { options: { delay_ms: 500 } })
    const reads = async () =>
      ((await world.provider.ask('GET', '/control/faults')) as { faults: { used: number }[] }).faults[0]?.used
    const polling = world.poll(request)
    await expect.poll(reads, patience).toBe(1)
    await answerAt(created, 'approve')
    await world.comeBack(id)
    expect(await polling).toMatchObject({ state: 'requires_action' })
    await expect.poll(() => world.isAskedNext(id), patience).toBe(true)
  })

  test('waits for the next question where it came too soon after the last, and the background job asks then', async () => {
    const { request, id, created } = await createWaiting()
    const reads = await countReads()
    await world.poll(request)
    await answerAt(created, 'approve')
    await world.comeBack(id)
    expect(await world.poll(request)).toMatchObject({ state: 'requires_action' })
    expect(await reads()).toBe(1)
    world.clock.setOffsetMs(1_100)
    const repeating = await world.start({ APPROVAL_JOB_PAUSE_MS: '50' })
    await expect.poll(() => world.get(request), patience).toMatchObject({ state: 'accepted' })
    await repeating.stop()
  })
})

describe('an approval that was not granted', () => {
  test('because the owner declined cancels: payload and page are gone, and the areas hear of it', async () => {
    const { request, id, created } = await createWaiting()
    await answerAt(created, 'decline')
    const polled = await world.poll(request)
    expect(polled).toMatchObject({ state: 'cancelled', failure_code: 'approval_declined' })
    expect(polled).not.toHaveProperty('action_required')
    expect(await world.lookInto(id)).toEqual({ payload: false, action: false, approval: 'declined', open: false })
    await expect.poll(() => world.eventsOf(id), patience).toHaveLength(2)
    expect(world.eventsOf(id)).toMatchObject([
      { sequence: 1, to: 'requires_action' },
      {
        sequence: 2,
        from: 'requires_action',
        to: 'cancelled',
        by: 'operations',
        failure_code: 'approval_declined',
        at: polled.updated_at,
        resource_id: request.resource_id,
        target_reference: request.target_reference,
        binding_id: request.principal.binding_id,
      },
    ])
    expect(await world.decide(id)).toMatchObject([{ state: 'cancelled', sequence: 2 }])
    expect(world.timesAnnounced(id)).toBe(0)
    expect(await world.poll(request)).toEqual(polled)
  })

  test('gives back what it had reserved of the day, once, whoever learns of it', async () => {
    const { request, created } = await createWaiting()
    expect(await world.reservedFor(request)).toEqual(['1'])
    await answerAt(created, 'decline')
    await Promise.all([world.poll(request), world.comeBack(request.operation_id), world.poll(request)])
    await expect.poll(() => world.get(request), patience).toMatchObject({ state: 'cancelled' })
    expect(await world.reservedFor(request)).toEqual(['0'])
    const refused = await world.transferOf('tomasz', '5000')
    expect(await world.create(refused)).toMatchObject({ state: 'failed' })
    expect(await world.reservedFor(refused)).toEqual(['0'])
    const granted = await world.transferOf('amara')
    expect(await world.create(granted)).toMatchObject({ state: 'accepted' })
    expect(await world.reservedFor(granted)).toEqual(['1'])
  })

  test('in the provider’s time cancels', async () => {
    const { request, created } = await createWaiting()
    await world.provider.ask('PUT', '/control/clock', { offset_ms: 11 * minuteMs })
    expect(await world.poll(request)).toMatchObject({ state: 'cancelled', failure_code: 'approval_expired' })
    await answerAt(created, 'approve')
    expect(await world.poll(request)).toMatchObject({ state: 'cancelled' })
  })

  test('in our time cancels by the background job, also where the provider still waits', async () => {
    const { request, id } = await createWaiting()
    world.clock.setOffsetMs(60 * minuteMs)
    const repeating = await world.start({ APPROVAL_JOB_PAUSE_MS: '50' })
    await expect.poll(() => world.get(request), patience).toMatchObject({ failure_code: 'approval_expired' })
    expect((await world.historyOf(id))[1]).toContain('approval_expired cancelled operations background_job pending')
    await repeating.stop()
  })

  test.each([true, false])('under a fence cancels without a question (the fence is reported: %s)', async (tells) => {
    const { request, id, created } = await createWaiting()
    const other = await createWaiting()
    const reads = await countReads()
    const repeating = await world.start({ APPROVAL_JOB_PAUSE_MS: '50' })
    world.fence(request.principal.grant_id, { tells })
    if (!tells) world.clock.setOffsetMs(laterMs)
    const cancelled = { state: 'cancelled', failure_code: 'authority_withdrawn' }
    await expect.poll(() => world.get(request), patience).toMatchObject(cancelled)
    expect((await world.historyOf(id))[1]).toBe('2 requires_action approval_expired cancelled operations fence')
    if (tells) expect(await reads()).toBe(0)
    await expect.poll(() => world.eventsOf(id).at(-1)?.to, patience).toBe('cancelled')
    expect(await world.lookInto(id)).toMatchObject({ payload: false, open: false })
    await answerAt(created, 'approve')
    await world.comeBack(id)
    expect(await world.get(request)).toMatchObject(cancelled)
    expect(await world.get(other.request)).toMatchObject({ state: 'requires_action' })
    await repeating.stop()
  })

  test('nor anything else, for want of an answer, is asked about for as long as it takes; granted wins', async () => {
    const { request, created } = await createWaiting()
    await answerAt(created, 'approve')
    await fault('drop_before_accept', { kind: 'approval_read' })
    world.clock.setOffsetMs(60 * minuteMs)
    expect(await world.poll(request)).toEqual(created)
    const repeating = await world.start({ APPROVAL_JOB_PAUSE_MS: '50' })
    world.clock.setOffsetMs(90 * minuteMs)
    expect(await world.poll(request)).toEqual(created)
    await world.provider.ask('DELETE', '/control/faults')
    world.clock.setOffsetMs(120 * minuteMs)
    await expect.poll(() => world.get(request), patience).toMatchObject({ state: 'accepted' })
    await repeating.stop()
  })

  test('because the provider will not take it after all fails, with its reason', async () => {
    const { request, id } = await createWaiting()
    await fault('fail', { kind: 'approval_read' })
    expect(await world.poll(request)).toMatchObject({
      state: 'failed',
      failure_code: 'provider_rejected_details',
      failure_detail: expect.stringContaining('account_closed'),
    })
    expect(await world.lookInto(id)).toEqual({ payload: false, action: false, approval: 'failed', open: false })
    expect((await world.historyOf(id))[1]).toContain('approval_failed failed operations poll failed')
  })
})

describe('a provider that could not be asked', () => {
  test('is asked to prepare by the next poll', async () => {
    const request = await world.transferOf('daniel')
    await fault('drop_before_accept', { kind: 'approval' }, { times: 1 })
    const created = await world.create(request)
    expect(created).toMatchObject({ state: 'requires_action' })
    expect(created).not.toHaveProperty('action_required')
    world.clock.setOffsetMs(laterMs)
    const polled = await world.poll(request)
    expect(polled).toMatchObject({ state: 'requires_action', action_required: { kind: 'grant_approval' } })
    await answerAt(polled, 'approve')
    expect(await world.poll(request)).toMatchObject({ state: 'accepted' })
  })

  test('is asked to prepare by the background job, and prepares the same approval where its answer was lost', async () => {
    const request = await world.transferOf('daniel')
    await fault('accept_drop_reply', { kind: 'approval' }, { times: 1 })
    expect(await world.create(request)).not.toHaveProperty('action_required')
    world.clock.setOffsetMs(laterMs)
    const repeating = await world.start({ APPROVAL_JOB_PAUSE_MS: '50' })
    await expect.poll(() => world.get(request), patience).toHaveProperty('action_required')
    await repeating.stop()
  })
})

describe('polling', () => {
  test('finds only what is the reader’s own', async () => {
    const { request, id } = await createWaiting()
    const { principal } = request
    for (const [asked, reader] of [
      [id, { ...principal, owner_id: newId() }],
      [id, { ...principal, subject: 'somebody else' }],
      [id, { ...principal, client_id: 'another-client' }],
      [newId(), principal],
      ['nonsense', principal],
    ] as const)
      expect(await world.askPoll(asked, reader)).toMatchObject({ ok: false, problem: { code: 'operation_not_found' } })
  })

  test('of what needs nothing from the owner answers the live row and asks nobody', async () => {
    const request = await world.transferOf('amara')
    const created = await world.create(request)
    await fault('fail', { kind: 'approval_read' })
    world.clock.setOffsetMs(laterMs)
    expect(await world.poll(request)).toEqual(created)
  })

  test('by a return of a made-up id changes nothing and says nothing', async () => {
    for (const id of [newId(), 'nonsense', '']) expect(await world.comeBack(id)).toBe(null)
  })
})

test('operations parks no event of its own, and no log line has a page, a payload or credentials', async () => {
  expect(await world.parked()).toEqual([])
  const text = world.lines.join('')
  for (const secret of ['/hosted/approvals/', 'With thanks', 'testUser-']) expect(text.includes(secret)).toBe(false)
})
