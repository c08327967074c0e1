/** The tables of calls, and their service on a real bus. */

import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcilerCalls } from './calls/reconciler.ts'
import { type CallHandlers, call as callRow, type WriteCaller } from './calls/row.ts'
import { spendingCalls } from './calls/spending.ts'
import { submitterCalls } from './calls/submitter.ts'
import { callRows, callsOf } from './calls.ts'
import type { Bus } from './connect.ts'
import { newContext } from './headers.ts'
import type { Confirmation } from './messages/events.ts'
import { call, notify } from './rpc.ts'
import { serveCalls } from './serve-calls.ts'
import { startTestNats } from './testing/nats.ts'
import { type UserPlan, users } from './topology.ts'

describe('the tables', () => {
  test('have each row in the table of the service that its subject names, once', () => {
    const subjects = Object.entries(callsOf).flatMap(([service, rows]) =>
      Object.keys(rows).map((subject) => [service, subject] as const),
    )
    for (const [service, subject] of subjects)
      expect(subject).toMatch(service === 'gateway' ? /^edge\./ : new RegExp(`^(int|rpc)\\.${service}\\.[a-z-]+$`))
    expect(Object.keys(callRows)).toHaveLength(subjects.length)
  })

  test('let the gateway ask across the edge, and nobody else there', () => {
    for (const [subject, { askedBy }] of Object.entries(callRows)) {
      expect(askedBy.length, subject).toBeGreaterThan(0)
      if (subject.startsWith('int.')) expect(askedBy, subject).not.toContain('gateway')
      else expect(askedBy, subject).toEqual(['gateway'])
    }
  })

  test('give each service the right to send its rows, and no other call', () => {
    for (const [service, plan] of Object.entries<UserPlan>(users)) {
      if (service === 'gateway') continue
      const sent = [...plan.calls, ...plan.publishes].filter((subject) => subject.startsWith('int.'))
      const named = Object.keys(callRows).filter((subject) => callRows[subject]?.askedBy.includes(service as never))
      expect(sent.toSorted()).toEqual(named.toSorted())
    }
  })
})

describe('serveCalls', () => {
  const log = createLog({ service: 'test', level: 'silent' })
  let nats: Awaited<ReturnType<typeof startTestNats>>
  beforeAll(async () => {
    nats = await startTestNats()
  })
  afterAll(() => nats.stop())

  test('hears a call or a notice at every replica if its row says so, otherwise at one', async () => {
    const heard: string[] = []
    const note = (subject: string) => async () => void heard.push(subject)
    const submitters = [await nats.connect('submitter'), await nats.connect('submitter')]
    for (const bus of submitters) {
      const handlers: CallHandlers<typeof submitterCalls> = {
        'int.submitter.fence': async () => (heard.push('fence'), { open_operation_ids: [] }),
        'int.submitter.unfence': async () => null,
        'int.submitter.stopped': async () => [],
        'int.submitter.witness': async () => null,
        'int.submitter.set-ends': async (given) => given,
        'int.submitter.recover': async () => ({ recovery_point: '' }),
        'int.submitter.confirm': note('confirm'),
      }
      serveCalls(bus, submitterCalls, handlers, { log })
    }
    const reconcilers = [await nats.connect('reconciler'), await nats.connect('reconciler')]
    for (const bus of reconcilers) {
      const handlers: CallHandlers<typeof reconcilerCalls> = {
        'int.reconciler.confirm': note('reconciler'),
        'int.reconciler.late-answer': async () => null,
        'int.reconciler.reviews': async () => [],
        'int.reconciler.reads': async () => [] as never,
      }
      serveCalls(bus, reconcilerCalls, handlers, { log })
    }
    const replicas = [...submitters, ...reconcilers]
    await Promise.all(replicas.map((bus) => bus.check()))
    const operations = await nats.connect('operations')
    const authz = await nats.connect('authz')
    notify(operations, 'int.submitter.confirm', {} as Confirmation)
    notify(operations, 'int.reconciler.confirm', {} as Confirmation)
    await call(authz, 'int.submitter.fence', {} as never, newContext(60_000))
    const expected = ['confirm', 'confirm', 'fence', 'fence', 'reconciler']
    await expect.poll(() => heard.toSorted()).toEqual(expected)
    // The server delivers messages to a connection in order. After the checks, a further notice would have arrived.
    await Promise.all([operations.check(), ...replicas.map((bus) => bus.check())])
    expect(heard.toSorted()).toEqual(expected)
    await Promise.all(replicas.map((bus) => bus.drain()))
  })

  test('validates a write on the authority that the request names, and answers null', async () => {
    const callers: WriteCaller[] = []
    const spending = await nats.connect('spending')
    const handlers: CallHandlers<typeof spendingCalls> = {
      'int.spending.validate-withdrawal': async (_request, caller) => void callers.push(caller),
    }
    serveCalls(spending, spendingCalls, handlers, { log })
    await spending.check()
    const request = { principal: { owner_id: 'owner' }, policy: { confirmation: 'never' }, body: {} }
    const operations: Bus = await nats.connect('operations')
    expect(await call(operations, 'int.spending.validate-withdrawal', request as never, newContext(60_000))).toBeNull()
    expect(callers).toMatchObject([{ principal: request.principal, policy: request.policy }])
  })

  test('tells more than a row takes at once to come again', async () => {
    const rows = {
      'int.reconciler.reviews': callRow<null, null>({ askedBy: [], meaning: 'for tests', maxInFlight: 1 }),
    }
    const reconciler = await nats.connect('reconciler')
    const gate = Promise.withResolvers<null>()
    serveCalls(reconciler, rows, { 'int.reconciler.reviews': () => gate.promise }, { log })
    await reconciler.check()
    const console = await nats.connect('ops-console')
    const ask = () => call(console, 'int.reconciler.reviews', null as never, newContext(60_000))
    const first = ask()
    await expect(ask()).rejects.toMatchObject({ code: 'service_unavailable' })
    gate.resolve(null)
    expect(await first).toBeNull()
  })

  test('does not compile without a handler', () => {
    const missing = { 'int.reconciler.confirm': async () => {} }
    // @ts-expect-error two handlers are missing
    const handlers: CallHandlers<typeof reconcilerCalls> = missing
    expect(Object.keys(handlers)).toHaveLength(1)
  })
})
