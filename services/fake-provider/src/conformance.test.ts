/**
 * The HTTP adapter against the fake provider as a process: every guarantee of the port, for every kind and
 * read.
 */

import { randomUUID } from 'node:crypto'
import { operationKinds } from '@financial-agents/contract/kinds'
import { conformanceCases } from '@financial-agents/provider-conformance/cases'
import {
  type ConformanceFault,
  type ConformanceHarness,
  conformanceFaults,
} from '@financial-agents/provider-conformance/harness'
import { readConformanceCases } from '@financial-agents/provider-conformance/read-cases'
import { type ReadHarness, readFaults } from '@financial-agents/provider-conformance/read-harness'
import { createSameClockAdapter } from '@financial-agents/provider-http/testing/same-clock'
import { amara, tomasz } from '@financial-agents/provider-http/testing/test-users'
import { makeTarget, readySubmission, submission } from '@financial-agents/provider-port/testing/submissions'
import { startFakeProvider } from '@financial-agents/testkit/fake-provider'
import { kindsOracle } from '@financial-agents/testkit/kinds-oracle'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { LedgerEntry } from './ledger.ts'
import { createReadHarness } from './read-harness.test-helper.ts'

const scripts: { readonly [F in ConformanceFault]: object } = {
  refuse: { script: 'refuse' },
  reject: { script: 'fail', options: { reason: 'account_closed' } },
  slow: { script: 'slow', options: { delay_ms: 60_000 } },
  drop_reply: { script: 'accept_drop_reply' },
  error_reply: { script: 'accept_error_reply' },
  garble_reply: { script: 'accept_garble_reply' },
  hold: { script: 'hold' },
  drop_request: { script: 'drop_before_accept' },
  error_only: { script: 'error_before_accept' },
  settle_later: { script: 'settle_later' },
  two_records: { script: 'contradict', options: { contradiction: 'two_records' } },
  reopened: { script: 'contradict', options: { contradiction: 'reopened' } },
  expire_approval: { script: 'expire' },
}

const patience = { timeout: 120_000, interval: 20 }

let harness: ConformanceHarness
let readHarness: ReadHarness
let stop: () => Promise<unknown>

beforeAll(async () => {
  const fake = await startFakeProvider()
  const limits = { connections: 8, connectTimeoutMs: 1_000 }
  const provider = createSameClockAdapter({ baseUrl: fake.url, ...limits })
  // A reserved port at which nothing listens.
  const unreachable = createSameClockAdapter({ baseUrl: 'http://127.0.0.1:9', ...limits })
  stop = () => Promise.all([provider.close(), unreachable.close(), fake.stop()])
  const ledger = async (reference: string) =>
    ((await fake.ask('GET', `/control/ledger?client_reference=${reference}`)) as { entries: LedgerEntry[] }).entries
  harness = {
    provider,
    unreachable,
    faults: new Set(conformanceFaults),
    // Each submission has credentials of its own, so that withdrawing its connection affects no other.
    newSubmission: (kind) => readySubmission(provider, kind, `${amara}~${randomUUID()}`),
    async newApprovalRequest(kind) {
      if (!kindsOracle[kind].isApproved) return undefined
      const target = await makeTarget(provider, kind, tomasz)
      return { ...submission(kind, { credentials: tomasz, target }), returnUrl: null, ...cheap(kind) }
    },
    async newCardReveal() {
      const card = await makeTarget(provider, 'card_freeze', amara)
      if (card === undefined) throw new Error('no card')
      return { credentials: amara, timeoutMs: 60_000, reference: randomUUID(), card }
    },
    async order(fault, client_reference) {
      const kind = fault === 'expire_approval' ? { kind: 'approval' } : {}
      await fake.ask('POST', '/control/faults', { ...scripts[fault], match: { client_reference, ...kind }, times: 1 })
    },
    async settle(client_reference, as) {
      await fake.ask('POST', '/control/settle', { client_reference, as })
    },
    async release(client_reference) {
      await fake.ask('POST', '/control/release', { client_reference })
      await vi.waitFor(async () => expect((await ledger(client_reference))[0]?.outcome).not.toBe('received'), patience)
    },
    async decide(hostedUrl, decision) {
      await fetch(hostedUrl, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' })
    },
    countArrivals: async (reference) => (await ledger(reference)).length,
  }
  readHarness = await createReadHarness(provider, unreachable, (method, path, body) => fake.ask(method, path, body))
})

afterAll(() => stop())

/** Tomasz has little money. */
function cheap(kind: string): object {
  return kind === 'transfer' ? { payload: { amount: '0.05', currency: 'EUR' } } : {}
}

// The cases run concurrently, because most of them wait, each for its own instruction.
for (const { name, run } of conformanceCases(operationKinds, new Set(conformanceFaults)))
  test.concurrent(name, () => run(harness))

for (const { name, run } of readConformanceCases(new Set(readFaults))) test(name, () => run(readHarness))
