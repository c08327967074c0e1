/**
 * The port's cases over Increase's own sandbox, for those who have a key: `INCREASE_API_KEY`, `INCREASE_ACCOUNT_ID`. Only cases that need no fault run.
 * The arrivals of a reference are the objects that the sandbox then lists with it.
 */

import { randomUUID } from 'node:crypto'
import { openAdapter, ready } from '@financial-agents/provider-increase/testing/submissions'
import { make } from '@financial-agents/provider-port/testing/submissions'
import Increase from 'increase'
import { test } from 'vitest'
import { conformanceCases } from './cases/cases.ts'
import type { ConformanceHarness } from './cases/harness.ts'

const { INCREASE_API_KEY: apiKey = '', INCREASE_ACCOUNT_ID: account_id = '' } = process.env
const address = 'https://sandbox.increase.com'
const person = JSON.stringify({ account_id })

/**
 * Without `transfer`: in the sandbox, a transfer settles only on order, so it has no case that ends at once without a
 * fault.
 */
const kinds = ['beneficiary_create', 'card_create'] as const
const leftOut = [
  'an approval, where it is asked for',
  'a request that arrives after its deadline',
  'the page of a card reveal',
]

function sandboxHarness(): ConformanceHarness {
  const provider = openAdapter(address, { apiKey })
  const client = new Increase({ apiKey, environment: 'sandbox' })
  return {
    provider,
    unreachable: openAdapter('http://127.0.0.1:9'),
    faults: new Set(),
    newSubmission: (kind) => ready(provider, kind, { person }),
    newApprovalRequest: async () => undefined,
    async newCardReveal() {
      const card = await make(provider, await ready(provider, 'card_create', { person }))
      return { credentials: person, timeoutMs: 60_000, reference: randomUUID(), card }
    },
    order: () => Promise.reject(new Error('the sandbox makes no faults')),
    settle: () => Promise.reject(new Error('nothing settles')),
    release: () => Promise.reject(new Error('nothing is held')),
    decide: () => Promise.reject(new Error('nobody has to approve')),
    async countArrivals(idempotency_key) {
      const [cards, payees] = [
        await client.cards.list({ idempotency_key }),
        await client.externalAccounts.list({ idempotency_key }),
      ]
      return cards.data.length + payees.data.length
    },
  }
}

const cases = conformanceCases(kinds, new Set()).filter(({ name }) => !leftOut.some((part) => name.includes(part)))

for (const { name, run } of cases) {
  test(`the sandbox of Increase: ${name}`, async (context) => {
    context.skip(
      apiKey === '' || account_id === '',
      'set INCREASE_API_KEY and INCREASE_ACCOUNT_ID of the sandbox of Increase',
    )
    const harness = sandboxHarness()
    await run(harness)
    await Promise.all([harness.provider.close(), harness.unreachable.close()])
  })
}
