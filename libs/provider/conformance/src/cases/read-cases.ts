/**
 * The guarantees of the port's reads as cases for any adapter. This file has the cases of every read, and of accounts, limits
 * and payout schemas; activity.ts and quotes.ts have the others.
 *
 *     for (const { name, run } of readConformanceCases(faults)) test(name, () => run(harness))
 */

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallContext, Provider, ReadResult } from '@financial-agents/provider-port/port'
import { allReads, type ProviderRead, providerReads, type ReadName } from '@financial-agents/provider-port/reads'
import { activityCases } from './activity.ts'
import { quoteCases } from './quotes.ts'
import { checkDistinct, checkSays, checkShape, dataOf } from './read-checks.ts'
import type { ReadCase, ReadFault, ReadHarness } from './read-harness.ts'

type Send = (request: object) => Promise<ReadResult<unknown>>

/** Sends a request that gets data. A read for everybody gets no credentials. */
function send(
  name: ReadName,
  provider: Provider,
  { credentials, timeoutMs }: CallContext,
  { asks }: ReadHarness,
): Promise<ReadResult<unknown>> {
  const row = providerReads[name]
  const asked = name in asks ? asks[name as keyof typeof asks] : row.asks?.parse({})
  return (provider[name] as Send)({ timeoutMs, ...(row.person ? { credentials } : {}), ...asked })
}

/** The cases that need no other faults than these; without `faults` all cases. */
export function readConformanceCases(faults?: ReadonlySet<ReadFault>): readonly ReadCase[] {
  const all = [
    ...allReads.flatMap(([name, row]) => casesOf(name, row)),
    ...acrossReads,
    ...activityCases,
    ...quoteCases,
  ]
  return all.filter(({ needs }) => needs.every((fault) => faults?.has(fault) ?? true))
}

/** The time-out of a call that gets no answer, and the time after which the adapter has clearly ignored it. */
const shortMs = 250
const overdueMs = 60_000

function casesOf(name: ReadName, row: ProviderRead): readonly ReadCase[] {
  const cases: ReadCase[] = [
    {
      name: `${name}: answers in the shapes of the API, and holds no credentials`,
      needs: [],
      async run(harness) {
        const result = await send(name, harness.provider, harness.person, harness)
        checkShape(row.answer, dataOf(result))
        assert(!JSON.stringify(result).includes(harness.person.credentials), 'a result holds the credentials')
      },
    },
    {
      name: `${name}: a provider that cannot be reached is unavailable`,
      needs: [],
      async run(harness) {
        const result = await send(name, harness.unreachable, harness.person, harness)
        assert.deepEqual(result, { type: 'unavailable', reason: 'provider_unreachable' })
      },
    },
    {
      name: `${name}: a time-out is unavailable, when the time given is over`,
      needs: ['slow'],
      async run(harness) {
        await harness.order('slow', name)
        const result = await inTime(send(name, harness.provider, { ...harness.person, timeoutMs: shortMs }, harness))
        assert.deepEqual(result, { type: 'unavailable', reason: 'provider_timeout' })
      },
    },
    {
      name: `${name}: an answer of another shape is a broken contract, and nothing of it is repeated`,
      needs: ['malform'],
      async run(harness) {
        const honest = dataOf(await send(name, harness.provider, harness.person, harness))
        await harness.order('malform', name)
        const result = await send(name, harness.provider, harness.person, harness)
        assert(result.type === 'contract_broken', JSON.stringify(result.type))
        assert.match(result.reason, /^\P{Cc}{1,200}$/u)
        checkSays(result.reason, [honest, harness.person.credentials])
      },
    },
  ]
  if (!row.person) return cases
  return [
    ...cases,
    {
      name: `${name}: refused credentials are distinct from every other failure`,
      needs: [],
      async run(harness) {
        const result = await send(
          name,
          harness.provider,
          { ...harness.person, credentials: harness.refusedCredentials },
          harness,
        )
        assert.deepEqual(result, { type: 'unavailable', reason: 'provider_authentication_failed' })
      },
    },
    {
      name: `${name}: what the provider refuses to credentials that it knows is distinct from every other failure`,
      needs: ['refuse'],
      async run(harness) {
        await harness.order('refuse', name)
        const result = await send(name, harness.provider, harness.person, harness)
        assert.deepEqual(result, { type: 'unavailable', reason: 'provider_refused' })
      },
    },
  ]
}

const acrossReads: readonly ReadCase[] = [
  {
    name: 'reads move nothing',
    needs: [],
    async run(harness) {
      const before = await harness.countMutations()
      for (const [name] of allReads) await send(name, harness.provider, harness.person, harness)
      assert.equal(await harness.countMutations(), before)
    },
  },
  {
    name: 'accounts: each has a reference of its own, the same each time, and is nobody else’s',
    needs: [],
    async run({ provider, person, stranger }) {
      const read = async (call: typeof person) =>
        dataOf(await provider.accounts(call)).map(({ reference }) => reference)
      const mine = await read(person)
      checkDistinct(mine)
      assert.deepEqual(await read(person), mine)
      checkDistinct([...mine, ...(await read(stranger))])
    },
  },
  {
    name: 'withdrawalLimits: are of the currency asked for, or none',
    needs: [],
    async run(harness) {
      const { provider, person } = harness
      const limits = harness.asks.withdrawalLimits
      const found = dataOf(await provider.withdrawalLimits({ ...limits, ...person }))
      assert(found !== null)
      const asked = { ...limits, ...person, currency: found.currency }
      assert.deepEqual(dataOf(await provider.withdrawalLimits(asked)), found)
      assert.equal(dataOf(await provider.withdrawalLimits({ ...asked, currency: 'XTS' })), null)
    },
  },
  {
    name: 'payoutSchemas: each has an id of its own, and an example that its fields accept',
    needs: [],
    async run({ provider, person }) {
      const schemas = dataOf(await provider.payoutSchemas(person))
      checkDistinct(schemas.map(({ id }) => id))
      for (const { fields, example_details } of schemas) {
        for (const { key, pattern, required } of fields) {
          const example = example_details[key]
          assert(example !== undefined || !required, 'an example lacks a required field')
          if (example !== undefined && pattern !== null) assert.match(example, new RegExp(pattern, 'u'))
        }
      }
    },
  },
]

async function inTime(read: Promise<ReadResult<unknown>>): Promise<ReadResult<unknown>> {
  const waiting = new AbortController()
  const overdue = sleep(overdueMs, 'overdue' as const, { signal: waiting.signal }).catch(() => 'overdue' as const)
  const first = await Promise.race([read, overdue])
  waiting.abort()
  assert(first !== 'overdue', 'it waits longer than the time given')
  return first
}
