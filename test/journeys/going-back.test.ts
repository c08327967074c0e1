/**
 * The ways in which PostgreSQL or JetStream comes back older while every service lives on, other than by a stopped restore
 * (restore.test.ts): a snapshot in place, a standby that was behind, a base backup beside the primary, an older JetStream, both at once. Nothing is sent twice, nothing is
 * sent or accepted while the database is not proven to be the newest, and an operator has to decide only if something may be lost. After a
 * switch-over without loss nobody has to. Restarts, crashes and a wiped JetStream are in servers.test.ts.
 */

import { connectBus } from '@financial-agents/bus/connect'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { create, pollUntil } from '../stack.test-helper.ts'
import { type GoingBack, limitMs, namedIn, startGoingBack, times } from './going-back.test-helper.ts'

let world: GoingBack

afterEach(() => world.provider.clearFaults())

describe('in place', () => {
  beforeAll(async () => {
    world = await startGoingBack()
  })
  afterAll(() => world?.close())

  test('an older JetStream: writes are closed until its streams are deleted and made again; nobody has to recover', async () => {
    const { restore } = await world.stack.nats.server.backUp()
    const stop = world.keepWriting('older JetStream')
    await expect.poll(async () => (await world.provider.summary()).mutations, { timeout: limitMs }).toBeGreaterThan(10)
    await restore()
    await world.closedFor('operations', 'other_witness')
    await world.expectClosed()
    await deleteStreams()
    await world.stack.nats.provision()
    await world.accepted('after')
    const ids = await stop()
    expect(ids.length).toBeGreaterThan(10)
    await world.expectProven()
    await world.expectOpen()
    expect(await world.recoveryPoints()).toEqual([null, null])
  })

  test('a snapshot of PostgreSQL restored under living services: closed until the operator recovers, and nothing is sent twice', async () => {
    let restore = async () => {}
    const lost = await world.liveOnAfter(async () => {
      ;({ restore } = await world.stack.postgres.backUp())
    })
    await restore()
    const shown = await world.closedFor('submitter', 'loss|elsewhere')
    await world.expectClosed()
    expect(namedIn(shown)).toEqual(expect.arrayContaining(lost))
    await world.recover('--open')
    await world.expectOpen()
    await world.expectProven()
  })

  test('PostgreSQL restored and JetStream wiped: the streams are made again and the witness is not, until the operator recovers', async () => {
    let restore = async () => {}
    await world.liveOnAfter(async () => {
      ;({ restore } = await world.stack.postgres.backUp())
    })
    await world.stack.nats.server.kill()
    await restore()
    await world.stack.nats.server.start({ wipeStore: true })
    await world.stack.nats.provision()
    await world.closedFor('operations', 'no_witness')
    await world.expectClosed()
    await world.recover('--open')
    await world.expectOpen()
    await world.expectProven()
  })

  test('clocks hours apart: nothing opens until they are right, and nothing is sent twice', async () => {
    const hourMs = 3_600_000
    await world.stack.moveClock(['operations'], 3 * hourMs)
    // If the submitter's clock were behind, the provider would refuse its submissions as expired.
    await world.stack.moveClock(['submitter'], hourMs)
    let restore = async () => {}
    await world.liveOnAfter(async () => {
      ;({ restore } = await world.stack.postgres.backUp())
    })
    await restore()
    await world.closedFor('submitter', 'loss|elsewhere')
    for (const aheadMs of [-3 * hourMs, 0]) {
      await world.stack.moveClock(['operations'], aheadMs)
      await world.stack.moveClock(['submitter'], 3 * hourMs)
      await expect(world.recover('--open', '--although-open')).rejects.toThrow(/stays closed: its clock is at/)
      const { mutations } = await world.provider.summary()
      await times(5, () => create(world.client, 'refused'))
      expect((await world.provider.summary()).mutations).toBe(mutations)
    }
    await world.stack.moveClock(['submitter'], 0)
    await world.recover('--open')
    await world.expectOpen()
    await world.expectProven()
  })

  async function deleteStreams(): Promise<void> {
    const config = { NATS_URL: world.stack.nats.server.url, NATS_NKEY_SEED: world.stack.nats.seeds.provisioner }
    const bus = await connectBus({ config, name: 'provisioner', log: createLog({ service: 'test', level: 'silent' }) })
    const { streams } = await bus.connection.jetstreamManager()
    for await (const name of streams.names()) await streams.delete(name)
    await bus.drain()
  }
})

describe('a standby', () => {
  beforeAll(async () => {
    world = await startGoingBack()
  })
  afterAll(() => world?.close())

  test('that was behind and is promoted: closed until the operator recovers, and nothing is sent twice', async () => {
    const standby = await world.stack.postgres.startStandby()
    const lost = await world.liveOnAfter(() => standby.fallBehind())
    await world.stack.postgres.kill()
    await standby.promote()
    const shown = await world.closedFor('submitter', 'loss|elsewhere')
    await world.expectClosed()
    expect(namedIn(shown)).toEqual(expect.arrayContaining(lost))
    await world.recover('--open')
    await world.expectOpen()
    await world.expectProven()
  })
})

describe('a base backup that is started beside the living primary', () => {
  beforeAll(async () => {
    world = await startGoingBack()
  })
  afterAll(() => world?.close())

  test('with replicas of its own: they close, nothing is sent twice, and the replicas of the primary go on by themselves', async () => {
    let startAnother = async () => ''
    await world.liveOnAfter(async () => {
      ;({ startAnother } = await world.stack.postgres.backUp())
    })
    const { port } = new URL(await startAnother())
    const replicas = await Promise.all((['operations', 'submitter'] as const).map((name) => startAt(port, name)))
    for (const { name, child } of replicas) {
      const isClosed = () => child.lastLines().some((line) => line.includes(`"schema":"${name}","reason":"loss"`))
      await expect.poll(isClosed, { timeout: limitMs }).toBe(true)
    }
    const { mutations } = await world.provider.summary()
    const stop = world.keepWriting('beside')
    await expect
      .poll(async () => (await world.provider.summary()).mutations, { timeout: limitMs })
      .toBeGreaterThan(mutations)
    for (const { child } of replicas) await child.kill()
    await stop()
    await world.expectOpen()
    await world.expectProven()
    expect(await world.recoveryPoints()).toEqual([null, null])
  })

  function startAt(port: string, name: 'operations' | 'submitter') {
    const address = new URL(world.stack.environmentOf(name)['DATABASE_URL'] as string)
    address.port = port
    return world.stack.start(name, { DATABASE_URL: address.href }, { waitReady: false })
  }
})

describe('a planned switch-over', () => {
  beforeAll(async () => {
    world = await startGoingBack()
  })
  afterAll(() => world?.close())

  test('to a standby that has everything: writes go on by themselves, each is made once, and only those in flight become uncertain', async () => {
    const standby = await world.stack.postgres.startStandby()
    const before = await times(10, () => world.accepted('before'))
    for (const id of before) await pollUntil(world.client, id, ['succeeded'])
    const stop = world.keepWriting('under way')
    await expect.poll(async () => (await world.provider.summary()).mutations, { timeout: limitMs }).toBeGreaterThan(20)
    await world.stack.postgres.freeze()
    await standby.promote()
    await world.accepted('after')
    await world.expectOpen()
    const ids = await stop()
    await world.expectProven()
    expect(await world.recoveryPoints()).toEqual([null, null])
    for (const id of before) expect(await world.movesOf(id)).toEqual(['accepted', 'submitting', 'succeeded'])
    const [uncertain] = await world.query<{ count: number }>(
      `SELECT count(DISTINCT operation_id)::int AS count FROM operations.moves
       WHERE to_state = 'indeterminate' AND operation_id = ANY($1)`,
      [ids],
    )
    // Each of the four writers has had at most two operations in flight.
    expect(uncertain?.count).toBeLessThanOrEqual(8)
  })
})
