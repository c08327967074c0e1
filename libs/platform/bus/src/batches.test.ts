/** Requests of one turn travel as a batch, on a real nats-server with two accounts. Each is answered as if it were alone. */

import { afterAll, beforeEach, expect, test } from 'vitest'
import { batchSubject } from './batch-subjects.ts'
import type { Bus, RespondOptions } from './connect.ts'
import { NoResponders, TimedOut } from './errors.ts'
import { startTestNats } from './testing/nats.ts'

// Some requests are left without an answer. All others have a minute.
const nats = await startTestNats({ graceMs: 0 })
afterAll(() => nats.stop())

const principal = { owner_id: 'o', subject: 's', client_id: 'c', grant_id: 'g', binding_id: 'b' }
const context = { requestId: 'request-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`, timeoutMs: 60_000 }
const short = { ...context, timeoutMs: 150 }

let gateway: Bus
let operations: Bus
const errors: unknown[] = []
const others: Bus[] = []

beforeEach(async () => {
  gateway = await nats.connect('gateway')
  operations = await nats.connect('operations')
  errors.length = 0
  return async () => {
    await Promise.all([gateway, operations, ...others.splice(0)].map((bus) => bus.connection.close()))
  }
})

function serve(bus: Bus, subject: string, handler: RespondOptions['handler'], more: Partial<RespondOptions> = {}) {
  const onError = (error: unknown) => void errors.push(error)
  bus.respond(subject, bus.name, { handler, maxInFlight: 100, busy: 'busy', onError, ...more })
}

const ask = async (name: string, data: string, of = context): Promise<string> =>
  Buffer.from(await gateway.request(`rpc.operations.${name}`, data, of)).toString()

/** The number of messages that the server has taken from a connection. */
const sent = (bus: Bus) => bus.connection.stats().outMsgs

test('the requests of one turn go as one message and come back as one, each with its own content', async () => {
  const seen: unknown[] = []
  serve(operations, 'rpc.operations.echo', async (data, given) => {
    seen.push([data, given])
    return `${data}!`
  })
  serve(operations, 'rpc.operations.other', async (data) => `other ${data}`)
  await operations.check()
  const before = [sent(gateway), sent(operations)]
  const contexts = ['', '\n', '\ud800', '{"a":"é\u2028"}'].map((data, index) => ({
    data,
    of: { ...context, requestId: `request-${index}`, ...(index % 2 === 0 ? { principal } : {}) },
  }))
  const answers = await Promise.all([...contexts.map(({ data, of }) => ask('echo', data, of)), ask('other', '"x"')])
  expect(answers).toEqual(['!', '\n!', '\ufffd!', '{"a":"é\u2028"}!', 'other "x"'])
  expect(seen.map((each) => (each as [string, unknown])[1])).toEqual(contexts.map(({ of }) => of))
  expect([sent(gateway), sent(operations)]).toEqual(before.map((count) => count + 1))
})

test('a request that is alone in its turn goes as it is, in one message', async () => {
  serve(operations, 'rpc.operations.echo', async (data) => data)
  await operations.check()
  const before = sent(gateway)
  expect(await ask('echo', 'one')).toBe('one')
  expect(await ask('echo', 'two')).toBe('two')
  expect(sent(gateway)).toBe(before + 2)
})

test('a slow request keeps no quick one waiting, and its own answer arrives', async () => {
  const release = Promise.withResolvers<void>()
  serve(operations, 'rpc.operations.quick', async (data) => data)
  serve(operations, 'rpc.operations.slow', async (data) => {
    await release.promise
    return data
  })
  await operations.check()
  const slow = [ask('slow', 'a'), ask('slow', 'b')]
  expect(await Promise.all([ask('quick', 'c'), ask('quick', 'd')])).toEqual(['c', 'd'])
  release.resolve()
  expect(await Promise.all(slow)).toEqual(['a', 'b'])
})

test('answers that become ready one after another all arrive', async () => {
  const turns = Array.from({ length: 12 }, () => Promise.withResolvers<string>())
  serve(operations, 'rpc.operations.turn', (data) => (turns[Number(data)] as (typeof turns)[0]).promise)
  await operations.check()
  const asked = turns.map((_turn, index) => ask('turn', String(index)))
  for (const [index, turn] of turns.entries()) {
    turn.resolve(`answer ${index}`)
    expect(await asked[index]).toBe(`answer ${index}`)
  }
})

test('a refused, a failed and a busy request affect no other one', async () => {
  serve(operations, 'rpc.operations.fails', () => Promise.reject(new Error('a bug')))
  serve(operations, 'rpc.operations.busy', async (data) => data, { maxInFlight: 1 })
  serve(operations, 'rpc.operations.echo', async (data) => data)
  await operations.check()
  const outcomes = await Promise.allSettled([
    ask('fails', 'a', short),
    ask('busy', 'b'),
    ask('busy', 'c'),
    ask('nobody', 'd'),
    ask('echo', 'e'),
  ])
  expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.constructor))).toEqual([
    TimedOut,
    'b',
    'busy',
    NoResponders,
    'e',
  ])
  expect(errors).toEqual([new Error('a bug')])
})

test('requests and answers that are too large for a message affect no other one', async () => {
  const large = 'x'.repeat(1_048_577)
  serve(operations, 'rpc.operations.large', async () => large, { unsendable: 'unsendable' })
  serve(operations, 'rpc.operations.half', async () => 'y'.repeat(600_000))
  serve(operations, 'rpc.operations.echo', async (data) => data)
  await operations.check()
  const outcomes = await Promise.allSettled([
    ask('echo', large),
    ask('echo', 'é'.repeat(200_000)),
    ask('echo', 'é'.repeat(200_000)),
    ask('large', ''),
    ask('half', ''),
    ask('half', ''),
    ask('echo', 'small'),
  ])
  expect(
    outcomes.map((one) => (one.status === 'fulfilled' ? one.value.slice(0, 10) : (one.reason as Error).message)),
  ).toEqual([
    'MAX_PAYLOAD_EXCEEDED',
    'é'.repeat(10),
    'é'.repeat(10),
    'unsendable',
    'y'.repeat(10),
    'y'.repeat(10),
    'small',
  ])
})

test('a request whose time is over fails alone, and its late answer is nobody else’s', async () => {
  const release = Promise.withResolvers<void>()
  serve(operations, 'rpc.operations.late', async (data) => {
    await release.promise
    return `late ${data}`
  })
  await operations.check()
  const patient = ask('late', 'patient')
  await expect(Promise.all([ask('late', 'hasty', short), ask('late', 'hasty too', short)])).rejects.toThrow(TimedOut)
  release.resolve()
  expect(await patient).toBe('late patient')
})

test('a service that dies between two answers leaves the other requests ambiguous', async () => {
  serve(operations, 'rpc.operations.quick', async (data) => data)
  serve(operations, 'rpc.operations.never', () => new Promise(() => {}))
  await operations.check()
  const ambiguous = expect(ask('never', 'a', { ...context, timeoutMs: 600 })).rejects.toThrow(TimedOut)
  expect(await ask('quick', 'b')).toBe('b')
  await operations.connection.close()
  await ambiguous
})

test('a service that drains answers everything that it has received', async () => {
  const release = Promise.withResolvers<void>()
  serve(operations, 'rpc.operations.quick', async (data) => data)
  serve(operations, 'rpc.operations.slow', async (data) => {
    await release.promise
    return data
  })
  await operations.check()
  const slow = [ask('slow', 'a'), ask('slow', 'b')]
  expect(await ask('quick', 'c')).toBe('c')
  const drained = operations.drain()
  release.resolve()
  expect(await Promise.all(slow)).toEqual(['a', 'b'])
  await drained
})

test('without a service, every request of the turn is certainly not received', async () => {
  const outcomes = await Promise.allSettled(['a', 'b'].map((data) => ask('echo', data)))
  expect(outcomes.map((one) => one.status === 'rejected' && one.reason.constructor)).toEqual([
    NoResponders,
    NoResponders,
  ])
})

test('a batch reaches only the routes of its service, never its calls', async () => {
  const reached: string[] = []
  const note = (data: string) => {
    reached.push(data)
    return Promise.resolve('done')
  }
  serve(operations, 'int.operations.decide', note)
  serve(operations, 'rpc.operations.echo', note)
  await operations.check()
  const items = ['int.operations.decide', 'rpc.beneficiaries.echo', 'rpc.operations.echo']
  const heads = items.map((subject) => [subject, subject.length, 'r', 't', 1_000, null])
  const forged = `${JSON.stringify(heads)}\n${items.join('')}`
  const answer = await gateway.connection.request(batchSubject('operations'), forged, { timeout: 60_000 })
  expect(answer.string()).toMatch(/^\["[0-9a-f]{18}\.1",0,-1,1,-1\]\n$|^\[null,0,-1,1,-1,2,4\]\ndone$/)
  expect(reached).toEqual(['rpc.operations.echo'])
})

test('a batch that cannot be read is reported, and later ones are answered', async () => {
  serve(operations, 'rpc.operations.echo', async (data) => data)
  await operations.check()
  gateway.connection.publish(batchSubject('operations'), 'no batch', { reply: '_INBOX.gateway.one' })
  await gateway.check()
  while (errors.length < 1) await operations.check()
  expect(errors[0]).toBeInstanceOf(SyntaxError)
  expect(await Promise.all([ask('echo', 'a'), ask('echo', 'b')])).toEqual(['a', 'b'])
})

test('a service chooses no subject to which the gateway writes', async () => {
  const heard: string[] = []
  gateway.hear('edge.counts', (_data, subject) => heard.push(subject))
  const bus = await nats.connect('cards')
  others.push(bus)
  for (const more of ['edge.counts', 'x.edge', '>', ['edge.counts'], `${'a'.repeat(18)}.1.2`]) {
    bus.connection.subscribe('rpc.cards.batch', {
      queue: 'cards',
      max: 1,
      callback: (_error, message) => void message.respond(`${JSON.stringify([more])}\n`),
    })
    await bus.check()
    const before = sent(gateway)
    const asked = ['a', 'b'].map((data) => gateway.request('rpc.cards.echo', data, short))
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.map((one) => one.status === 'rejected' && one.reason.constructor)).toEqual([TimedOut, TimedOut])
    expect(sent(gateway)).toBe(before + 1)
  }
  expect(heard).toEqual([])
})
