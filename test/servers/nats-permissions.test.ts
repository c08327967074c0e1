/**
 * NATS servers with the delivered configurations. Every service can do its work, and the server itself denies
 * everything else. libs/platform/bus tests the permissions user by user; this file tests the installed configurations.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { consume } from '@financial-agents/bus/consume'
import { createUserKey } from '@financial-agents/bus/nkey'
import { streamPlans } from '@financial-agents/bus/streams'
import { type UserName, type UserPlan, userNames, users } from '@financial-agents/bus/topology'
import { connect, type NatsConnection, nkeyAuthenticator } from 'nats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Attempt, attempts } from './forbidden.test-helper.ts'
import { type Configured, configurations, startConfigured } from './nats-configurations.test-helper.ts'

const context = { requestId: 'request-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`, timeoutMs: 60_000 }

const planOf = (name: UserName): UserPlan => users[name]
const plans = streamPlans({ replicas: 1 })
const isStreamed = (subject: string) =>
  plans.some(({ config }) => config.subjects?.some((streamed) => subject.startsWith(streamed.replace('>', ''))))
const example = (subject: string) => subject.replace(/[*>]$/, 'example')

const until = async (done: () => boolean | Promise<boolean>) => {
  while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe.each(Object.entries(configurations))('with %s', (_name, render) => {
  let nats: Configured
  const buses = {} as Record<UserName, Bus>

  beforeAll(async () => {
    nats = await startConfigured(render)
    for (const name of userNames) buses[name] = await nats.connect(name)
    for (const name of userNames) await answerAll(await nats.connect(name), name)
  })
  afterAll(async () => {
    await nats.stop()
    heard.clear()
  })

  const calls = userNames.flatMap((name) =>
    planOf(name)
      .calls.flatMap((call) =>
        call === 'rpc.>'
          ? userNames.flatMap((other) => planOf(other).answers.filter((subject) => subject.startsWith('rpc.')))
          : [call],
      )
      .map((subject) => [name, example(subject)] as const),
  )

  test.each(calls)('%s asks %s and is answered', async (name, subject) => {
    const answer = await buses[name].request(subject, `from ${name}`, context)
    expect(Buffer.from(answer).toString()).toBe(`from ${name}`)
  })

  const notices = userNames.flatMap((name) =>
    planOf(name)
      .publishes.filter((subject) => !isStreamed(subject))
      .map((subject) => [name, subject] as const),
  )

  test.each(notices)('%s sends %s, and it arrives', async (name, subject) => {
    buses[name].publish(subject, `${subject} of ${name}`)
    await until(() => heard.has(`${subject} of ${name}`))
  })

  test.each(['operations', 'submitter'] as const)('%s has a witness, and the others hear of its loss', async (name) => {
    const { registers } = buses[name]
    const mark = `witness.${name}.mark.example`
    const sequence = await registers.write(mark, 1, 0)
    expect(await registers.read(mark)).toEqual({ value: 1, sequence })
    await registers.write(`witness.${name}.loss`, `loss of ${name}`, 0)
    await until(() => heard.has(JSON.stringify(`loss of ${name}`)))
    await registers.clear(mark)
    expect(await registers.read(mark)).toBeUndefined()
  })

  test.each([
    ['submitter', 'witnessed.ends.example', 'WITNESS_ENDS'],
    ['operations', 'witnessed.payments', 'WITNESS_PAYMENTS'],
  ] as const)('the witness keeps what %s publishes on %s', async (name, subject, stream) => {
    buses[name].publish(subject, '{}')
    const manager = await buses.provisioner.connection.jetstreamManager()
    await until(async () => (await manager.streams.info(stream)).state.messages === 1)
  })

  const consumers = plans.flatMap(({ config, consumers: planned }) =>
    planned.map(
      ({ durable_name, filter_subject, filter_subjects }) =>
        [
          durable_name as UserName,
          config.name,
          (filter_subject ?? filter_subjects?.[0] ?? '').replace('>', 'transfer'),
        ] as const,
    ),
  )

  test.each(consumers)('%s takes messages from %s and acknowledges them', async (name, stream, subject) => {
    const got: unknown[] = []
    const options = { stream, durable: name, maxMessages: 8, concurrency: 1, retryAfterMs: 50, onError: () => {} }
    const consuming = consume(buses[name], {
      ...options,
      handle: async (messages) => {
        got.push(...messages)
      },
    })
    buses[stream === 'OPS_SUBMIT' ? 'operations' : 'submitter'].publish(subject, JSON.stringify({ for: name }))
    await until(() => got.some((message) => (message as { for?: string } | null)?.for === name))
    const manager = await buses.provisioner.connection.jetstreamManager()
    await until(async () => (await manager.consumers.info(stream, name)).num_ack_pending === 0)
    await consuming.stop()
  })

  test.each(userNames)('%s is denied what is not its work, and learns so', async (name) => {
    const forbidden = attempts.filter(({ but }) => !but?.includes(name))
    expect(forbidden.length).toBeGreaterThanOrEqual(20)
    const { connection } = await nats.connect(name)
    const violations = watchViolations(connection)
    for (const attempt of forbidden) attemptIt(connection, attempt)
    const missing = () => forbidden.filter((attempt) => !violations.has(violationOf(attempt)))
    await expect.poll(missing).toEqual([])
    await connection.close()
  })

  test.each(userNames)('%s is let in with its next key, and has no other permissions with it', async (name) => {
    const { connection } = await nats.connect(name, { next: true })
    const violations = watchViolations(connection)
    const forbidden = attempts.filter(({ but }) => !but?.includes(name))
    for (const attempt of attempts) attemptIt(connection, attempt)
    await expect.poll(() => forbidden.filter((attempt) => !violations.has(violationOf(attempt)))).toEqual([])
    await connection.flush()
    expect([...violations].toSorted()).toEqual([...new Set(forbidden.map(violationOf))].toSorted())
    await connection.close()
  })

  const stranger = nkeyAuthenticator(new TextEncoder().encode(createUserKey().seed))

  test.each([
    ['without a key', {}],
    ['with a key of its own making', { authenticator: stranger }],
    ['with a name and a password', { user: 'gateway', pass: 'gateway' }],
    ['with a token', { token: 'gateway' }],
  ])('nobody is let in %s', async (_how, options) => {
    await expect(connect({ servers: nats.url, reconnect: false, ...options })).rejects.toThrow(
      'Authorization Violation',
    )
  })
})

const heard = new Set<string>()

/** Replies to each of the user's subjects with the request itself, and records everything that the user receives. */
async function answerAll(bus: Bus, name: UserName): Promise<void> {
  const { answers, answersAlone = [], hears } = planOf(name)
  const keep = (data: Uint8Array | string) => heard.add(Buffer.from(data).toString())
  for (const subject of [...answers, ...answersAlone])
    bus.respond(subject, answers.includes(subject) ? name : null, {
      handler: async (data) => {
        keep(data)
        return data
      },
      maxInFlight: 64,
      busy: '',
      onError: () => {},
    })
  for (const subject of hears) bus.hear(subject, keep)
  await bus.check()
}

function watchViolations(connection: NatsConnection): Set<string> {
  const found = new Set<string>()
  void (async () => {
    for await (const { permissionContext } of connection.status()) {
      // The type declaration lacks `queue`.
      const denied: { operation: string; subject: string; queue?: string } | undefined = permissionContext
      if (denied) found.add(`${denied.operation} ${denied.subject}${denied.queue ? ` in ${denied.queue}` : ''}`)
    }
  })()
  return found
}

function violationOf({ act, subject, queue }: Attempt): string {
  return `${act === 'publish' ? 'publish' : 'subscription'} ${subject}${queue === undefined ? '' : ` in ${queue}`}`
}

function attemptIt(connection: NatsConnection, { act, subject, queue }: Attempt): void {
  if (act === 'publish') connection.publish(subject, '{}')
  else connection.subscribe(subject, { ...(queue === undefined ? {} : { queue }), callback: () => {} })
}
