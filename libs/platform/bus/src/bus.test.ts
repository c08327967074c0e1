import { Problem } from '@financial-agents/contract/problem'
import { operationsRoutes } from '@financial-agents/contract/routes/operations'
import { createLog } from '@financial-agents/runtime/log'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bus, connectBus } from './connect.ts'
import { consume } from './consume.ts'
import { NoResponders, TimedOut } from './errors.ts'
import { provisionStreams } from './provision-streams.ts'
import { readEvents, readEventsSingly } from './read-events.ts'
import { call, callRoute, passRoute, serveCall, serveRoutes } from './rpc.ts'
import { startTestNats, type TestNats } from './testing/nats.ts'

const log = createLog({ service: 'test', level: 'silent' })
const context = { requestId: 'request-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`, timeoutMs: 60_000 }
const principal = { owner_id: 'o', subject: 's', client_id: 'c', grant_id: 'g', binding_id: 'b' }

let nats: TestNats
let gateway: Bus
let operations: Bus
let beneficiaries: Bus
let submitter: Bus

beforeAll(async () => {
  nats = await startTestNats()
  gateway = await nats.connect('gateway')
  operations = await nats.connect('operations')
  beneficiaries = await nats.connect('beneficiaries')
  submitter = await nats.connect('submitter')
})
afterAll(() => nats.stop())

const until = async (done: () => boolean) => {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 10))
}

test('a request that nobody can receive fails at once, across the account boundary too', async () => {
  await expect(callRoute(gateway, 'rpc.operations.nobody', { params: {}, query: {} }, context)).rejects.toThrow(
    NoResponders,
  )
  const request = { operation_ids: [] }
  await expect(call(submitter, 'int.operations.payloads', request, context)).rejects.toThrow(NoResponders)
})

test('a request without an answer in time is reported as timed out', async () => {
  serveCall(operations, 'int.operations.decide', () => new Promise(() => {}), { log })
  await operations.check()
  const hurried = await nats.connect('beneficiaries', { graceMs: 0 })
  const asked = call(hurried, 'int.operations.decide', { operation_ids: [] }, { ...context, timeoutMs: 100 })
  await expect(asked).rejects.toThrow(TimedOut)
})

test('a refusal keeps its code, detail and fields; a bug becomes internal_error without its message', async () => {
  serveCall(
    operations,
    'int.operations.result',
    async (request) => {
      if (request.key === 'bug') throw new Error('secret')
      throw new Problem('validation_failed', { detail: 'no', fields: [{ path: 'a.b', message: 'm' }] })
    },
    { log },
  )
  await operations.check()
  const result = (key: string) =>
    call(beneficiaries, 'int.operations.result', { key, route: 'r', request_hash: 'h', principal }, context)
  await expect(result('k')).rejects.toMatchObject({
    data: { code: 'validation_failed', detail: 'no', fields: [{ path: 'a.b', message: 'm' }] },
  })
  const bug = await result('bug').catch((error: Problem) => error)
  expect(JSON.stringify((bug as Problem).data)).not.toContain('secret')
  expect(bug).toMatchObject({ data: { code: 'internal_error' } })
})

test('a route parses its input, carries the principal and withholds an answer that breaks the contract', async () => {
  const seen: unknown[] = []
  serveRoutes(
    operations,
    operationsRoutes,
    {
      listOperations: async (input, handlerContext) => {
        seen.push(input.query.limit, handlerContext.principal)
        return { items: [] }
      },
      getOperation: async () => ({ id: 'broken' }) as never,
      pollOperationApproval: async () => ({ id: 'broken' }) as never,
    },
    { log },
  )
  await operations.check()
  const ask = (name: string, query: Record<string, string>) =>
    callRoute(gateway, `rpc.operations.${name}`, { params: { id: 'x' }, query }, { ...context, principal })
  expect(
    await callRoute(gateway, 'rpc.operations.listOperations', { params: {}, query: {} }, { ...context, principal }),
  ).toEqual({
    ok: true,
    data: { items: [] },
  })
  expect(seen).toEqual([100, principal])
  expect(await ask('getOperation', {})).toMatchObject({ ok: false, problem: { code: 'response_contract_failed' } })
  expect(await ask('getOperation', { limit: '5' })).toMatchObject({
    ok: false,
    problem: { code: 'validation_failed', fields: [{ path: 'limit', message: 'Unknown member: remove it.' }] },
  })
})

test('a reply that is passed on has the data as the service wrote it, and says whether it was replayed', async () => {
  const replies = [
    '{"ok":true,"data":{"a":"é","replayed":true}}',
    '{"ok":true,"data":{"a":{"b":[1,2]}},"replayed":true}',
    '{"ok":true,"data":[",\\"replayed\\":true"]}',
    '{"ok":true,"data":null}',
    '{ "data": {"a":1}, "ok": true, "replayed": true }',
    '{"ok":false,"problem":{"code":"rate_limited","detail":"d","fields":null}}',
  ]
  operations.respond('rpc.operations.pass', 'operations', {
    handler: async (data) => replies[Number(JSON.parse(data))] ?? '',
    maxInFlight: 10,
    busy: '',
    onError: () => {},
  })
  await operations.check()
  const passed = await Promise.all(
    replies.map((_reply, index) => passRoute(gateway, 'rpc.operations.pass', String(index), context)),
  )
  expect(
    passed.map((reply) => (reply.ok ? [Buffer.from(reply.json).toString(), reply.replayed] : reply.problem.code)),
  ).toEqual([
    ['{"a":"é","replayed":true}', false],
    ['{"a":{"b":[1,2]}}', true],
    ['[",\\"replayed\\":true"]', false],
    ['null', false],
    ['{"a":1}', true],
    'rate_limited',
  ])
})

test('a thousand requests at once are each answered with their own answer', async () => {
  serveCall(operations, 'int.operations.payloads', async (request) => request.operation_ids as never, { log })
  await operations.check()
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) =>
      call(submitter, 'int.operations.payloads', { operation_ids: [String(index)] }, { ...context, timeoutMs: 60_000 }),
    ),
  )
  expect(answers.flat()).toEqual(Array.from({ length: 1_000 }, (_, index) => String(index)))
})

test('a consumer gets what was published, again after a failure, and again after the store was wiped', async () => {
  const got: number[] = []
  let failures = 1
  const consuming = consume<{ n: number }>(submitter, {
    stream: 'OPS_SUBMIT',
    durable: 'submitter',
    maxMessages: 8,
    concurrency: 1,
    retryAfterMs: 50,
    onError: () => {},
    handle: async (messages) => {
      if (failures > 0) {
        failures -= 1
        throw new Error('again')
      }
      got.push(...messages.map((message) => message.n))
    },
  })
  for (let n = 0; n < 20; n += 1) operations.publish('ops.submit.beneficiary_create', JSON.stringify({ n }))
  await until(() => new Set(got).size === 20)
  await nats.server.kill()
  await nats.server.start({ wipeStore: true })
  await nats.provision()
  await until(() => {
    operations.publish('ops.submit.beneficiary_create', JSON.stringify({ n: 100 }))
    return got.includes(100)
  })
  await consuming.stop()
})

const empty = async () => {
  const manager = await (await nats.connect('provisioner')).connection.jetstreamManager({ timeout: 60_000 })
  await manager.streams.purge('OPS_SUBMIT')
}
const consuming = { stream: 'OPS_SUBMIT', durable: 'submitter', maxMessages: 1, concurrency: 1, retryAfterMs: 20 }

test('messages beyond the room of a busy consumer go to another consumer', async () => {
  await empty()
  const taken: Record<'busy' | 'other', number[]> = { busy: [], other: [] }
  const release = Promise.withResolvers<void>()
  const busy = consume<{ n: number }>(submitter, {
    ...consuming,
    onError: () => {},
    handle: async ([message]) => {
      taken.busy.push(message?.n ?? -1)
      await release.promise
    },
  })
  operations.publish('ops.submit.beneficiary_create', JSON.stringify({ n: 0 }))
  await until(() => taken.busy.length === 1)
  const other = consume<{ n: number }>(await nats.connect('submitter'), {
    ...consuming,
    onError: () => {},
    handle: async ([message]) => void taken.other.push(message?.n ?? -1),
  })
  for (let n = 1; n <= 5; n += 1) operations.publish('ops.submit.beneficiary_create', JSON.stringify({ n }))
  await until(() => taken.other.length === 5)
  expect(taken).toEqual({ busy: [0], other: [1, 2, 3, 4, 5] })
  release.resolve()
  await Promise.all([busy.stop(), other.stop()])
})

test('a consumer that stops returns the messages that it had not begun at once', async () => {
  await empty()
  const release = Promise.withResolvers<void>()
  let began = false
  const stopping = consume<{ n: number }>(submitter, {
    ...consuming,
    concurrency: 1,
    maxMessages: 4,
    onError: () => {},
    handle: async () => {
      began = true
      await release.promise
    },
  })
  operations.publish('ops.submit.beneficiary_create', JSON.stringify({ n: 0 }))
  await until(() => began)
  for (let n = 1; n <= 3; n += 1) operations.publish('ops.submit.beneficiary_create', JSON.stringify({ n }))
  await operations.check()
  await submitter.check()
  const stopped = stopping.stop()
  const got = new Set<number>()
  const next = consume<{ n: number }>(await nats.connect('submitter'), {
    ...consuming,
    onError: () => {},
    handle: async ([message]) => void got.add(message?.n ?? -1),
  })
  await until(() => got.size === 3)
  expect(got).toEqual(new Set([1, 2, 3]))
  release.resolve()
  await stopped
  await next.stop()
})

test('a message that failed too often is given up', async () => {
  await empty()
  let deliveries = 0
  const failing = consume(submitter, {
    ...consuming,
    maxDeliveries: 2,
    onError: () => {},
    handle: async () => {
      deliveries += 1
      throw new Error('never')
    },
  })
  operations.publish('ops.submit.beneficiary_create', '{}')
  const manager = await (await nats.connect('provisioner')).connection.jetstreamManager({ timeout: 60_000 })
  const settled = async () => {
    const info = await manager.consumers.info('OPS_SUBMIT', 'submitter')
    return deliveries > 0 && info.num_pending === 0 && info.num_ack_pending === 0
  }
  while (!(await settled())) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(deliveries).toBe(2)
  await failing.stop()
})

test('an answer that is in progress when the service stops still arrives', async () => {
  const stopping = await nats.connect('onboarding')
  let release: () => void = () => {}
  const started = new Promise<void>((resolve) => {
    serveCall(
      stopping,
      'int.onboarding.bindings',
      () => {
        resolve()
        return new Promise((answer) => {
          release = () => answer([])
        })
      },
      { log },
    )
  })
  await stopping.check()
  const authz = await nats.connect('authz')
  const asked = call(authz, 'int.onboarding.bindings', { owner_ids: [] }, context)
  await started
  const drained = stopping.drain()
  release()
  expect(await asked).toEqual([])
  await drained
})

test('a message larger than the limit of the server is refused to its sender, and the connection stays open', async () => {
  const large = 'x'.repeat(1 << 20)
  serveCall(operations, 'int.operations.accept', async () => large as never, { log })
  await operations.check()
  const patient = { ...context, timeoutMs: 60_000 }
  const ask = (key: string) => call(beneficiaries, 'int.operations.accept', { key } as never, patient)
  await expect(ask('small')).rejects.toMatchObject({ data: { code: 'internal_error' } })
  await expect(ask(large)).rejects.toThrow('MAX_PAYLOAD_EXCEEDED')
  submitter.publish('ops.event.beneficiary_create', large)
  await Promise.all([submitter, operations, beneficiaries].map((bus) => bus.check()))
})

test('a dependency out of reach is not a bug: a read may be repeated, a write reports its unknown outcome', async () => {
  class Lost extends Unavailable {
    override readonly mayHaveHappened = true
  }
  const serving = await nats.connect('onboarding')
  const read = operationsRoutes.getOperation
  const routes = { read: { ...read, service: 'onboarding' }, write: { ...read, service: 'onboarding', keyed: true } }
  const handlers = {
    read: async ({ params }: { params: { id: string } }) => {
      throw params.id === 'lost' ? new Lost('secret') : new Unavailable('secret')
    },
  }
  serveRoutes(serving, routes as never, { read: handlers.read, write: handlers.read } as never, { log })
  await serving.check()
  const ask = async (name: string, id: string) => {
    const request = { params: { id }, query: {} }
    const reply = await callRoute(gateway, `rpc.onboarding.${name}`, request, { ...context, principal })
    return reply.ok ? reply : reply.problem.code
  }
  expect(await ask('read', 'refused')).toBe('service_unavailable')
  expect(await ask('read', 'lost')).toBe('service_unavailable')
  expect(await ask('write', 'refused')).toBe('service_unavailable')
  expect(await ask('write', 'lost')).toBe('acceptance_unknown')
})

async function connectHeard(name: 'submitter' | 'operations') {
  const lines: string[] = []
  const heard = createLog({ service: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } })
  const config = { NATS_URL: nats.server.url, NATS_NKEY_SEED: nats.seeds[name] }
  return { publisher: await connectBus({ config, name, log: heard }), lines }
}

test('the provisioner reads all events that the stream holds, and every time anew; operations reads the same', async () => {
  const [provisioner, operations] = [await nats.connect('provisioner'), await nats.connect('operations')]
  const read = async () => {
    const ids: string[] = []
    for await (const { operation_id } of readEvents(provisioner)) ids.push(operation_id)
    return ids
  }
  const before = await read()
  const ids = Array.from({ length: 1_200 }, (_, index) => `operation-${index}`)
  for (const operation_id of ids)
    submitter.publish('ops.event.beneficiary_create', JSON.stringify({ transitions: [{ operation_id }] }))
  await submitter.connection.flush()
  await expect.poll(async () => (await read()).length).toBe(before.length + ids.length)
  expect((await read()).slice(before.length)).toEqual(ids)
  const singly: string[] = []
  for await (const { operation_id } of readEventsSingly(operations)) singly.push(operation_id)
  expect(singly.slice(before.length)).toEqual(ids)
})

test('a stream that refuses messages is logged', async () => {
  const { publisher, lines } = await connectHeard('submitter')
  const provisioner = await nats.connect('provisioner')
  await provisionStreams(provisioner, { replicas: 1, maxBytes: { submit: 1 << 20, event: 1_024 } })
  publisher.publish('ops.event.beneficiary_create', 'x'.repeat(2_048))
  await until(() => lines.some((line) => line.includes('the stream refuses messages') && line.includes('OPS_EVENT')))
  await provisionStreams(provisioner, { replicas: 1 })
  await publisher.connection.close()
})

test('a missing stream is logged', async () => {
  const { publisher, lines } = await connectHeard('operations')
  const provisioner = await nats.connect('provisioner')
  const manager = await provisioner.connection.jetstreamManager({ timeout: 60_000 })
  await manager.streams.delete('OPS_SUBMIT')
  publisher.publish('ops.submit.beneficiary_create', 'x')
  await until(() => lines.some((line) => line.includes('no stream has the subject') && line.includes('OPS_SUBMIT')))
  await provisionStreams(provisioner, { replicas: 1 })
  await publisher.connection.close()
})
