/**
 * The permissions of all users, on a real nats-server with the rendered configuration. The tables of this file are
 * written by hand. Every subject that they do not name is denied to everybody.
 */

import { type NatsConnection, NatsError } from 'nats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bus } from './connect.ts'
import { consume } from './consume.ts'
import { streamPlans } from './streams.ts'
import { startTestNats, type TestNats } from './testing/nats.ts'
import { type UserName, type UserPlan, userNames, users } from './topology.ts'

const context = { requestId: 'request-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`, timeoutMs: 60_000 }

let nats: TestNats
const buses = {} as Record<UserName, Bus>
const violations = new Map<UserName, string[]>()

beforeAll(async () => {
  nats = await startTestNats()
  for (const name of userNames) {
    const bus = await nats.connect(name)
    buses[name] = bus
    violations.set(name, [])
    void collectViolations(bus.connection, violations.get(name) as string[])
  }
})
afterAll(() => nats.stop())

async function collectViolations(connection: NatsConnection, found: string[]): Promise<void> {
  for await (const { permissionContext: denied } of connection.status())
    if (denied) found.push(`${denied.operation} ${denied.subject}`)
}

const until = async (done: () => boolean | Promise<boolean>) => {
  while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 10))
}

/**
 * Returns the subjects that the server denies the user. A final subject that is certainly denied shows that all were
 * validated.
 */
async function validated(
  name: UserName,
  operation: 'publish' | 'subscription',
  subjects: string[],
  act: (subject: string) => void,
) {
  const found = violations.get(name) as string[]
  found.length = 0
  const last = 'nobody.may.this'
  for (const subject of [...subjects, last]) act(subject)
  await until(() => found.includes(`${operation} ${last}`))
  return subjects.filter((subject) => found.includes(`${operation} ${subject}`))
}

const everyUser = [...userNames]
const areas = [
  'authz',
  'operations',
  'beneficiaries',
  'onboarding',
  'cards',
  'spending',
  'catalog',
  'notifier',
  'ops-console',
] as const
const writing = ['beneficiaries', 'cards', 'spending', 'onboarding'] as const

// biome-ignore format: a table
const mayPublish: Record<string, readonly UserName[]> = {
  'rpc.authz.grant': ['gateway'],
  'rpc.authz.http': ['gateway'],
  'rpc.operations.getOperation': ['gateway'],
  'rpc.operations.batch': ['gateway'],
  'rpc.operations.collect.0123456789abcdef.1': ['gateway'],
  'rpc.beneficiaries.createBeneficiary': ['gateway'],
  'rpc.onboarding.getOnboarding': ['gateway'],
  'edge.proof.0123456789abcdef': ['gateway'],
  'edge.counts': ['gateway'],
  'evt.grants': ['authz'],
  'evt.other': [],
  'int.authz.owner-changed': ['onboarding'],
  'rpc.cards.createCard': ['gateway'],
  'rpc.spending.createWithdrawal': ['gateway'],
  'int.authz.owner-clients': ['operations', 'beneficiaries'],
  'int.onboarding.bindings': ['authz'],
  'int.onboarding.start-sign-in': ['authz'],
  'int.onboarding.finish-sign-in': ['authz'],
  'int.onboarding.may-connect': ['authz'],
  'int.onboarding.connect': ['authz'],
  'int.onboarding.disconnect': ['authz'],
  'int.onboarding.credentials': ['operations', 'submitter', 'reconciler', 'beneficiaries', 'cards', 'spending', 'catalog'],
  'rpc.catalog.listServices': ['gateway'],
  'rpc.notifier.keys': ['gateway'],
  'int.authz.identity': ['onboarding'],
  'int.authz.active-grants': ['notifier'],
  'int.operations.states': ['notifier', 'provisioner'],
  'int.operations.changed': ['notifier'],
  'rpc.ops-console.keys': ['gateway'],
  'int.operations.find-operations': ['ops-console'],
  'int.operations.operation-history': ['ops-console'],
  'int.operations.overview': ['ops-console'],
  'int.operations.submission-health': ['ops-console'],
  'int.ops-console.read-health': ['beneficiaries', 'cards', 'spending', 'onboarding', 'catalog'],
  'int.operations.grant-activity': ['ops-console'],
  'int.onboarding.find-owner': ['ops-console'],
  'int.onboarding.owner-references': ['notifier'],
  'int.authz.access-given': ['notifier'],
  'int.operations.owner-payments': ['notifier'],
  'int.beneficiaries.cap-use': ['notifier'],
  'int.beneficiaries.reserve-again': ['provisioner'],
  'int.beneficiaries.repeat-end': ['provisioner'],
  'int.onboarding.repeat-end': ['provisioner'],
  'int.authz.repeat-end': ['provisioner'],
  'int.reconciler.reviews': ['ops-console'],
  'int.reconciler.reads': ['ops-console'],
  'int.notifier.operation-deliveries': ['ops-console'],
  'int.authz.find-grants': ['ops-console'],
  'int.authz.client-names': ['ops-console'],
  'int.authz.suspend-grant': ['ops-console', 'provisioner'],
  'int.operations.accept': writing,
  'int.operations.check-payment': ['spending', 'beneficiaries'],
  'int.operations.result': writing,
  'int.operations.decide': writing,
  'int.operations.approval-returned': ['authz'],
  'int.operations.unsettled-bindings': ['onboarding'],
  'int.beneficiaries.find-beneficiary': ['operations', 'spending', 'catalog'],
  'int.beneficiaries.find-mandate': ['operations'],
  'int.beneficiaries.validate-mandate-create': ['operations'],
  'int.beneficiaries.validate-mandate-revoke': ['operations'],
  'int.onboarding.validate-disconnect': ['operations'],
  'int.spending.validate-withdrawal': ['operations'],
  'int.beneficiaries.owner-action': ['authz'],
  'int.beneficiaries.owner-mandates': ['authz'],
  'int.beneficiaries.owner-names': ['authz'],
  'int.beneficiaries.authorize-mandates': ['authz'],
  'int.operations.payloads': ['submitter'],
  'int.operations.owner-activity': ['authz'],
  'int.operations.owner-history': ['authz'],
  'int.operations.owner-operation': ['authz'],
  'int.operations.owner-spending': ['authz'],
  'int.operations.find-intent': ['authz'],
  'int.operations.decide-intent': ['authz'],
  'int.submitter.fence': ['authz', 'onboarding', 'beneficiaries'],
  'int.submitter.unfence': ['authz'],
  'int.submitter.confirm': ['operations', 'reconciler'],
  'int.submitter.stopped': ['operations'],
  'int.submitter.witness': ['provisioner', 'ops-console'],
  'int.submitter.set-ends': ['provisioner'],
  'int.submitter.recover': ['provisioner'],
  'int.operations.witness': ['provisioner', 'ops-console'],
  'int.operations.lost': ['provisioner', 'ops-console'],
  'int.operations.recover': ['provisioner'],
  'int.operations.reserve-again': ['provisioner'],
  'int.operations.fenced': ['submitter'],
  'int.reconciler.confirm': ['operations'],
  'int.reconciler.late-answer': ['submitter'],
  'int.beneficiaries.anything': [],
  'ops.submit.beneficiary_create': ['operations'],
  'ops.event.beneficiary_create': ['operations', 'submitter', 'reconciler'],
  'ops.other': [],
  'witness.operations.mark.one': ['operations', 'provisioner'],
  'witness.submitter.mark.one': ['submitter', 'provisioner'],
  'witness.authz.mark.one': ['provisioner'],
  'witnessed.ends.grant.one': ['submitter'],
  'witnessed.payments': ['operations'],
  '$JS.API.INFO': ['provisioner'],
  '$JS.API.STREAM.CREATE.MINE': ['provisioner'],
  '$JS.API.STREAM.UPDATE.OPS_EVENT': ['provisioner'],
  '$JS.API.STREAM.NAMES': ['provisioner'],
  '$JS.API.STREAM.INFO.OPS_EVENT': ['provisioner'],
  '$JS.API.STREAM.MSG.GET.OPS_EVENT': ['operations', 'provisioner'],
  '$JS.API.STREAM.MSG.GET.WITNESS': ['operations', 'submitter', 'provisioner'],
  '$JS.API.STREAM.PURGE.WITNESS': ['operations', 'submitter', 'provisioner'],
  '$JS.API.STREAM.PURGE.WITNESS_ENDS': ['provisioner'],
  '$JS.API.STREAM.PURGE.WITNESS_PAYMENTS': ['provisioner'],
  '$JS.API.STREAM.MSG.DELETE.OPS_EVENT': ['provisioner'],
  '$JS.API.DIRECT.GET.OPS_EVENT': ['provisioner'],
  '$JS.API.CONSUMER.CREATE.OPS_EVENT': ['provisioner'],
  '$JS.API.CONSUMER.DURABLE.CREATE.OPS_EVENT.operations': ['provisioner'],
  '$JS.API.CONSUMER.MSG.NEXT.OPS_EVENT.operations': ['operations', 'provisioner'],
  '$JS.API.CONSUMER.MSG.NEXT.OPS_EVENT.reconciler': ['reconciler', 'provisioner'],
  '$JS.API.CONSUMER.MSG.NEXT.OPS_EVENT.beneficiaries': ['beneficiaries', 'provisioner'],
  '$JS.API.CONSUMER.MSG.NEXT.OPS_EVENT.cards': ['cards', 'provisioner'],
  '$JS.API.CONSUMER.MSG.NEXT.OPS_EVENT.spending': ['spending', 'provisioner'],
  '$JS.API.CONSUMER.MSG.NEXT.OPS_EVENT.onboarding': ['onboarding', 'provisioner'],
  '$JS.API.CONSUMER.MSG.NEXT.OPS_EVENT.notifier': ['notifier', 'provisioner'],
  '$JS.API.CONSUMER.MSG.NEXT.OPS_SUBMIT.submitter': ['submitter', 'provisioner'],
  '$JS.API.CONSUMER.INFO.OPS_SUBMIT.submitter': ['submitter', 'provisioner'],
  '$JS.ACK.OPS_EVENT.operations.1.1.1.1.0': ['operations'],
  '$JS.ACK.OPS_SUBMIT.submitter.1.1.1.1.0': ['submitter'],
  '$SYS.REQ.SERVER.PING': [],
  '$SYS.REQ.ACCOUNT.CORE.CONNZ': [],
  '_INBOX.gateway.one.two': ['gateway'],
  '_INBOX.authz.one.two': ['onboarding', 'operations', 'beneficiaries', 'submitter'],
  '_INBOX.operations.one.two': ['authz', 'beneficiaries', 'onboarding', 'spending', 'submitter'],
  '_INBOX.submitter.one.two': ['operations', 'onboarding', 'reconciler'],
  '_INBOX.reconciler.one.two': ['onboarding'],
  '_INBOX.beneficiaries.one.two': ['operations', 'onboarding', 'authz', 'submitter'],
  '_INBOX.cards.one.two': ['operations', 'onboarding'],
  '_INBOX.spending.one.two': ['operations', 'onboarding', 'beneficiaries'],
  '_INBOX.onboarding.one.two': ['authz', 'operations', 'submitter'],
  '_INBOX.catalog.one.two': ['onboarding', 'beneficiaries'],
  '_INBOX.notifier.one.two': ['operations', 'authz', 'beneficiaries', 'onboarding'],
  '_INBOX.ops-console.one.two': ['operations', 'submitter', 'authz', 'reconciler', 'notifier', 'onboarding'],
  '_INBOX.provisioner.one.two': ['authz', 'beneficiaries', 'onboarding', 'operations', 'submitter'],
  '_INBOX.one': [],
  '_R_.one.two': areas,
}

describe('publishing', () => {
  const subjects = Object.keys(mayPublish)

  test.each(everyUser)('%s may publish what it needs to and nothing else', async (name) => {
    const { connection } = buses[name]
    const denied = await validated(name, 'publish', subjects, (subject) => connection.publish(subject))
    expect(denied).toEqual(subjects.filter((subject) => !mayPublish[subject]?.includes(name)))
  })

  test('every subject of every plan is in the table', () => {
    const known = subjects.join('\n')
    for (const name of userNames) {
      const plan: UserPlan = users[name]
      for (const subject of [...plan.calls, ...plan.publishes]) expect(known).toContain(subject.replace(/[*>]$/, ''))
    }
  })
})

/** All allowed subscriptions, with their queue group if they need one. */
// biome-ignore format: a table
const mayHear: Record<UserName, readonly string[]> = {
  gateway: ['edge.counts', 'edge.proof.0123456789abcdef', 'evt.grants', '_INBOX.gateway.x.*'],
  authz: ['rpc.authz.http authz', 'int.authz.owner-changed authz', '_INBOX.authz.x.*'],
  operations: [
    'rpc.operations.getOperation operations',
    'rpc.operations.batch operations',
    'rpc.operations.collect.0123456789abcdef.* operations',
    'int.operations.accept operations',
    'witness.*.loss',
    '_INBOX.operations.x.*',
  ],
  submitter: [
    'int.submitter.confirm',
    'int.submitter.fence',
    'int.submitter.unfence',
    'int.submitter.recover submitter',
    'witness.*.loss',
    '_INBOX.submitter.x.*',
  ],
  reconciler: ['int.reconciler.confirm reconciler', '_INBOX.reconciler.x.*'],
  beneficiaries: [
    'rpc.beneficiaries.createBeneficiary beneficiaries',
    'int.beneficiaries.find-mandate beneficiaries',
    '_INBOX.beneficiaries.x.*',
  ],
  cards: ['rpc.cards.createCard cards', '_INBOX.cards.x.*'],
  spending: ['rpc.spending.createWithdrawal spending', 'int.spending.validate-withdrawal spending', '_INBOX.spending.x.*'],
  onboarding: ['rpc.onboarding.getOnboarding onboarding', 'int.onboarding.credentials onboarding', '_INBOX.onboarding.x.*'],
  catalog: ['rpc.catalog.listServices catalog', '_INBOX.catalog.x.*'],
  notifier: ['rpc.notifier.keys notifier', 'int.notifier.operation-deliveries notifier', '_INBOX.notifier.x.*'],
  'ops-console': ['rpc.ops-console.keys ops-console', '_INBOX.ops-console.x.*'],
  provisioner: ['_INBOX.provisioner.x.*'],
}

const wild = [
  '>',
  '*',
  '*.>',
  'int.>',
  'rpc.>',
  'ops.>',
  'evt.>',
  'edge.>',
  '_INBOX.>',
  '_INBOX.*.>',
  '_R_.>',
  '$JS.>',
  'witness.>',
]
const reserved = ['$JS.API.>', '$JS.EVENT.>', '$SYS.>', '$SYS.ACCOUNT.>', 'ops.submit.>', 'ops.event.>']

describe('listening', () => {
  const everything = [...new Set(Object.values(mayHear).flat())]
  const withoutQueue = everything.flatMap((entry) => (entry.includes(' ') ? [entry.split(' ')[0] as string] : []))
  const inOtherQueues = withoutQueue.map((subject) => `${subject} another`)

  test.each(everyUser)('%s may hear what it answers and its own replies and nothing else', async (name) => {
    const { connection } = buses[name]
    const asked = [...everything, ...withoutQueue, ...inOtherQueues, ...wild, ...reserved]
    const denied = new Set<string>()
    for (const entry of asked) {
      const [subject, queue] = entry.split(' ') as [string, string?]
      const subscription = connection.subscribe(subject, {
        ...(queue ? { queue } : {}),
        callback: (error) => {
          if (error) denied.add(entry)
        },
      })
      await connection.flush()
      if (!denied.has(entry)) subscription.unsubscribe()
    }
    await until(() => denied.size >= asked.length - mayHear[name].length)
    expect(asked.filter((entry) => !denied.has(entry)).toSorted()).toEqual([...mayHear[name]].toSorted())
  })
})

const answerers = (subject: string) =>
  userNames.filter((name) => {
    const plan: UserPlan = users[name]
    return [...plan.answers, ...(plan.answersAlone ?? [])].some((answer) =>
      subject.startsWith(answer.replace(/[*>]$/, '')),
    )
  })

describe('the plan is enough', () => {
  const calls = userNames.flatMap((name) =>
    Object.keys(mayPublish)
      .filter((subject) => /^(rpc|int|edge\.proof)\./.test(subject) && !/\.(confirm|batch|read-health)$/.test(subject))
      .filter((subject) => mayPublish[subject]?.includes(name))
      .map((subject) => [name, subject] as const),
  )

  test.each(calls)('%s asks %s and is answered', async (name, subject) => {
    const [answerer, another] = answerers(subject) as [UserName, UserName?]
    expect(another).toBeUndefined()
    const queue = /^(edge\.|int\.submitter\.(un)?fence)/.test(subject) ? null : answerer
    const own = await nats.connect(answerer)
    own.respond(subject, queue, { handler: async (data) => data, maxInFlight: 8, busy: '', onError: () => {} })
    await own.check()
    const answer = await buses[name].request(subject, `from ${name}`, context)
    expect(Buffer.from(answer).toString()).toBe(`from ${name}`)
    await own.drain()
  })

  const notices = (['int.submitter.confirm', 'int.reconciler.confirm', 'int.ops-console.read-health'] as const).flatMap(
    (subject) => (mayPublish[subject] ?? []).map((name) => [name, subject] as const),
  )

  test.each(notices)('%s sends %s and it is heard', async (name, subject) => {
    const [answerer] = answerers(subject) as [UserName]
    const own = await nats.connect(answerer)
    const heard = new Promise((resolve) => {
      const handler = async (data: string) => {
        resolve(data)
        return ''
      }
      own.respond(subject, answerer, { handler, maxInFlight: 8, busy: '', onError: () => {} })
    })
    await own.check()
    buses[name].publish(subject, name)
    expect(await heard).toBe(name)
    await own.drain()
  })

  const consumers = streamPlans({ replicas: 1 }).flatMap(({ config, consumers: planned }) =>
    planned.map(
      ({ durable_name: durable, filter_subject: one, filter_subjects: several = [] }) =>
        [durable as UserName, config.name, (one ?? several[0] ?? '').replace('>', 'beneficiary_create')] as const,
    ),
  )

  test.each(consumers)('%s takes messages of %s and acknowledges them', async (name, stream, subject) => {
    const publisher = stream === 'OPS_SUBMIT' ? buses.operations : buses.submitter
    const got: unknown[] = []
    const options = { stream, durable: name, maxMessages: 8, concurrency: 1, retryAfterMs: 50, onError: () => {} }
    const consuming = consume(buses[name], {
      ...options,
      handle: async (messages) => {
        got.push(...messages)
      },
    })
    publisher.publish(subject, JSON.stringify({ for: name }))
    await until(() => got.some((message) => (message as { for?: string } | null)?.for === name))
    const manager = await buses.provisioner.connection.jetstreamManager({ timeout: 60_000 })
    await until(async () => (await manager.consumers.info(stream, name)).num_ack_pending === 0)
    await consuming.stop()
  })

  test('the grant feed crosses to the gateway', async () => {
    const heard = new Promise((resolve) =>
      buses.gateway.hear('evt.grants', (data) => resolve(Buffer.from(data).toString())),
    )
    await buses.gateway.check()
    buses.authz.publish('evt.grants', 'a change')
    expect(await heard).toBe('a change')
  })
})

const countOf = async (stream: string) => {
  const manager = await buses.provisioner.connection.jetstreamManager({ timeout: 60_000 })
  return (await manager.streams.info(stream)).state.last_seq
}

describe('a requester that names a foreign reply subject', () => {
  const echo = { handler: async (data: string) => data, maxInFlight: 8, busy: 'busy', onError: () => {} }
  test.each([
    ['gateway', 'operations', 'rpc.operations.getOperation', 'ops.submit.beneficiary_create', 'OPS_SUBMIT'],
    ['beneficiaries', 'operations', 'int.operations.result', 'ops.submit.beneficiary_create', 'OPS_SUBMIT'],
    ['authz', 'submitter', 'int.submitter.fence', 'ops.event.beneficiary_create', 'OPS_EVENT'],
    ['submitter', 'reconciler', 'int.reconciler.late-answer', 'ops.event.beneficiary_create', 'OPS_EVENT'],
  ] as const)('%s puts nothing into a stream through %s', async (caller, answerer, subject, reply, stream) => {
    const own = await nats.connect(answerer)
    let decisions = 0
    const validate = () => {
      decisions += 1
    }
    const handler = async (data: string) => {
      validate()
      return data
    }
    own.respond(subject, answerer, { ...echo, handler, onError: validate })
    await own.check()
    const before = await countOf(stream)
    buses[caller].connection.publish(subject, '{"transitions":[]}', { reply })
    await until(() => decisions === 1)
    // After the drain, every message that was published has been written.
    await own.drain()
    expect(await countOf(stream)).toBe(before)
  })

  test('cannot reach another service through the service that it may call', async () => {
    const heard: string[] = []
    const reconciler = await nats.connect('reconciler')
    reconciler.respond('int.reconciler.confirm', 'reconciler', {
      ...echo,
      handler: async (data) => {
        heard.push(data)
        return data
      },
    })
    const own = await nats.connect('operations')
    own.respond('int.operations.result', 'operations', echo)
    await Promise.all([own.check(), reconciler.check()])
    buses.beneficiaries.connection.publish('int.operations.result', 'forged', { reply: 'int.reconciler.confirm' })
    await buses.beneficiaries.check()
    await own.drain()
    await reconciler.drain()
    expect(heard).toEqual([])
  })
})

test('a connection without the key of a known user is refused', async () => {
  const { connect, nkeyAuthenticator } = await import('nats')
  const { createUserKey } = await import('./nkey.ts')
  const stranger = new TextEncoder().encode(createUserKey().seed)
  for (const authenticator of [nkeyAuthenticator(stranger), undefined])
    await expect(
      connect({ servers: nats.server.url, reconnect: false, ...(authenticator ? { authenticator } : {}) }),
    ).rejects.toThrow(NatsError)
})
