/**
 * A system whose PostgreSQL or JetStream goes back in time while its services live on: writes that insist, operations at every stage
 * around the moment of a copy, and what must hold while the system is closed and after it has been opened.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ApiClient } from '@financial-agents/testkit/client'
import type { Stack } from '@financial-agents/testkit/stack'
import pg from 'pg'
import { expect } from 'vitest'
import { clientOf, create, pollUntil, providerOf, startTestStack, usualDeadline } from '../stack.test-helper.ts'

export const limitMs = 120_000

export const times = <Result>(count: number, make: () => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, make))

export type GoingBack = Awaited<ReturnType<typeof startGoingBack>>

export async function startGoingBack() {
  const stack = await startTestStack({
    processes: ['operations', 'submitter'],
    services: ['gateway', 'authz', 'onboarding', 'operations', 'submitter', 'reconciler', 'beneficiaries'],
    // The tests copy the data folders, so both servers must be programs of this machine.
    postgresSources: ['path', 'npm'],
    natsSources: ['path', 'cache', 'debian', 'go'],
    environment: {
      // A request that a failure loses is never answered.
      all: { NATS_REQUEST_GRACE_MS: '0' },
      gateway: usualDeadline,
      operations: { BACKGROUND_JOB_PAUSE_MS: '200', BACKGROUND_JOB_AFTER_MS: '500' },
      submitter: { PROVIDER_TIMEOUT_MS: '60000', LEASE_MS: '120000', BACKGROUND_JOB_PAUSE_MS: '200' },
    },
  })
  const client = await clientOf(stack, 'ines-agent')
  const provider = providerOf(stack)
  const parts = { stack, client, provider, ...writesOf(client), ...rowsOf(stack) }
  return { ...parts, ...operatorOf(parts), ...checksOf(parts), ...stagesOf(parts), close: () => stack.close() }
}

type Basics = {
  stack: Stack
  client: ApiClient
  provider: ReturnType<typeof providerOf>
} & ReturnType<typeof writesOf> &
  ReturnType<typeof rowsOf>

function writesOf(client: ApiClient) {
  /** Sends a write again under its key until it is accepted; returns the id of its operation. */
  async function accepted(name: string): Promise<string> {
    const key = randomUUID()
    const until = Date.now() + limitMs
    for (;;) {
      const response = await create(client, name, key).catch(() => undefined)
      if (response?.status === 202) return response.body.id
      if (Date.now() > until) throw new Error(`refused: ${response?.status} ${response?.body['code']}`)
      await delay(100)
    }
  }

  return {
    accepted,
    /** Writes all the time. The function that it returns ends that, and returns the ids of the operations. */
    keepWriting: (name: string, count = 4): (() => Promise<string[]>) => {
      let stopped = false
      const ids: string[] = []
      const writers = times(count, async () => {
        while (!stopped) ids.push(await accepted(name))
      })
      return async () => {
        stopped = true
        await writers
        return ids
      }
    },
  }
}

function rowsOf(stack: Stack) {
  async function query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const database = new pg.Client({ connectionString: stack.postgres.adminUrl })
    await database.connect()
    try {
      return (await database.query<Row>(sql, values)).rows
    } finally {
      await database.end()
    }
  }

  return {
    query,
    movesOf: async (id: string): Promise<string[]> => {
      const moves = 'SELECT to_state FROM operations.moves WHERE operation_id = $1 ORDER BY sequence'
      return (await query<{ to_state: string }>(moves, [id])).map((row) => row.to_state)
    },
    recoveryPoints: async (): Promise<unknown[]> => {
      const rows = await query(
        'SELECT recovery_point FROM operations.witness UNION ALL SELECT recovery_point FROM submitter.witness',
      )
      return rows.map((row) => row['recovery_point'])
    },
  }
}

/**
 * Runs `recover` as an operator does: again while a service does not answer, until it has run or there is nothing left to do. Returns the
 * lines that it shows.
 */
export async function recoverAt(stack: Stack, ...args: string[]): Promise<string[]> {
  const provisioner = { NATS_NKEY_SEED: stack.nats.seeds.provisioner }
  const until = Date.now() + limitMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await stack.runCommand('operations', 'recover', args, provisioner)).split('\n')
    } catch (error) {
      const { message } = error as Error
      if (attempt > 1 && message.includes('nothing is closed')) return []
      if (!/service_unavailable|int\.\w+\.[\w-]+/.test(message) || Date.now() > until) throw error
    }
  }
}

function operatorOf({ stack, client }: Basics) {
  const recover = (...args: string[]) => recoverAt(stack, ...args)

  return {
    recover,
    /** Writes, and runs `recover`, until it shows that this schema is closed for one of these reasons. Returns all that it showed. */
    closedFor: async (schema: string, reasons: string): Promise<string[]> => {
      const line = new RegExp(`^${schema}: closed since .* \\((?:${reasons})\\)`)
      const until = Date.now() + limitMs
      for (;;) {
        await create(client, 'refused').catch(() => undefined)
        const shown = await recover()
        if (shown.some((each) => line.test(each))) return shown
        if (Date.now() > until) throw new Error(`not closed: ${shown.slice(0, 4).join('; ')}`)
      }
    },
  }
}

function checksOf({ client, provider, accepted, query, movesOf }: Basics) {
  return {
    /** No write is accepted, and the provider gets nothing. */
    expectClosed: async (): Promise<void> => {
      const { mutations } = await provider.summary()
      const refusals = await times(5, () => create(client, 'refused'))
      for (const refusal of refusals)
        expect(refusal).toMatchObject({ status: 503, body: { code: 'service_unavailable', retryable: true } })
      await delay(1_000)
      expect((await provider.summary()).mutations).toBe(mutations)
    },
    /** Every operation that the provider executed has succeeded, every other one is uncertain, and nothing arrived at the provider twice. */
    expectProven: async (): Promise<void> => {
      // The watchdog gives up open attempts whose answer was lost.
      await query('UPDATE submitter.outbox SET lease_until = now() WHERE lease_until IS NOT NULL')
      const unproven = async () => {
        const operations = await query<{ id: string; state: string }>('SELECT id, state FROM operations.operations')
        const ledger = (await provider.ledger()).filter(({ outcome }) => outcome.startsWith('executed'))
        const executed = new Set(ledger.map((entry) => entry.client_reference))
        return operations.filter(({ id, state }) => state !== (executed.has(id) ? 'succeeded' : 'indeterminate'))
      }
      await expect.poll(unproven, { timeout: limitMs, interval: 250 }).toEqual([])
      expect((await provider.summary()).repeated).toEqual([])
    },
    /** Every operation that has ended has ended as it did at the provider, and nothing arrived there twice. */
    expectSound: async (): Promise<void> => {
      const wrong = async () => {
        const ended = await query<{ id: string; state: string }>(
          "SELECT id, state FROM operations.operations WHERE state IN ('succeeded', 'failed', 'cancelled')",
        )
        const ledger = (await provider.ledger()).filter(({ outcome }) => outcome.startsWith('executed'))
        const executed = new Set(ledger.map((entry) => entry.client_reference))
        return ended.filter(({ id, state }) => (state === 'succeeded') !== executed.has(id))
      }
      const waiting = () => query("SELECT id FROM operations.operations WHERE state = 'accepted'")
      await expect.poll(waiting, { timeout: limitMs, interval: 250 }).toEqual([])
      expect(await wrong()).toEqual([])
      expect((await provider.summary()).repeated).toEqual([])
    },
    expectOpen: async (): Promise<void> => {
      const ids = await times(5, () => accepted('new'))
      for (const id of ids) {
        await pollUntil(client, id, ['succeeded'])
        expect(await movesOf(id)).toEqual(['accepted', 'submitting', 'succeeded'])
      }
    },
  }
}

function stagesOf({ stack, client, provider, accepted }: Basics) {
  /** Signals the submitter. While it stands still, what is accepted is not claimed. */
  const signalSubmitter = (signal: NodeJS.Signals) => {
    for (const { child } of stack.processes.get('submitter') ?? []) child.signal(signal)
  }

  return {
    /**
     * Has `copy` made while operations are at every stage, `each` at a stage, and a burst of more begins. Then the provider executes all but
     * those that it never got, and new ones. Returns the ids of the new ones.
     */
    liveOnAfter: async (copy: () => Promise<void>, { each = 5, burst = 20 } = {}): Promise<string[]> => {
      await provider.fault('settle_later', 'pending')
      await provider.fault('hold', 'held')
      await provider.fault('drop_before_accept', 'dropped')
      const stages = { settled: 'succeeded', pending: 'submitted', held: 'submitting', dropped: 'indeterminate' }
      const ids: Record<string, string[]> = {}
      for (const [name, state] of Object.entries(stages)) {
        ids[name] = await times(each, () => accepted(name))
        for (const id of ids[name]) await pollUntil(client, id, [state])
      }
      signalSubmitter('SIGSTOP')
      const unclaimed = await times(each, () => accepted('unclaimed'))
      signalSubmitter('SIGCONT')
      const bursting = times(burst, () => accepted('burst'))
      await copy()
      const lost = await times(5, () => accepted('lost'))
      for (const id of ids['held'] ?? []) await provider.release(id)
      for (const id of ids['pending'] ?? []) await provider.settle(id, 'succeeded')
      const executed = [...(ids['held'] ?? []), ...(ids['pending'] ?? []), ...lost]
      for (const id of executed) await pollUntil(client, id, ['succeeded'])
      // An operation whose claim was interrupted by the copy may not have been sent.
      for (const id of [...unclaimed, ...(await bursting)])
        await pollUntil(client, id, ['succeeded', 'submitting', 'indeterminate'])
      return lost
    },
  }
}

/** The operations that `recover` names. */
export const namedIn = (shown: readonly string[]) =>
  shown
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { operation_id: string }).operation_id)
