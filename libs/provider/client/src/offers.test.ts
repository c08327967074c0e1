/** A kind that the provider of a binding does not offer is known before anything is written. */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { Provider } from '@financial-agents/provider-port/port'
import { expect, test } from 'vitest'
import { createOffers } from './offers.ts'
import { routed } from './routed.ts'

const adapter = (name: string, kinds: readonly OperationKind[]) => ({
  name,
  kinds,
  provider: { supports: (kind: OperationKind) => kinds.includes(kind) } as unknown as Provider,
})
const port = routed([adapter('one', ['transfer', 'card_create']), adapter('two', ['transfer'])])

/** A reader that notes how often it was asked. */
function readerOf(provider: string) {
  const asked = { times: 0 }
  return { asked, reader: { providerOf: async () => ((asked.times += 1), provider) } }
}

const context = { traceparent: '', principal: { binding_id: 'binding' } }

test('where all adapters agree, nobody is asked', async () => {
  const { asked, reader } = readerOf('one')
  const offers = createOffers(port, reader)
  expect(await offers('transfer', context)).toBe(true)
  expect(await offers('card_close', context)).toBe(false)
  expect(asked.times).toBe(0)
})

test('where they differ, the provider of the binding decides', async () => {
  for (const [provider, offered] of [
    ['one', true],
    ['two', false],
    ['gone', true],
  ] as const) {
    const { asked, reader } = readerOf(provider)
    expect(await createOffers(port, reader)('card_create', context), provider).toBe(offered)
    expect(asked.times).toBe(1)
  }
})

test('one adapter alone decides by itself', async () => {
  const { reader } = readerOf('any')
  const offers = createOffers({ supports: (kind) => kind === 'transfer' }, reader)
  expect(await offers('transfer', context)).toBe(true)
  expect(await offers('card_create', context)).toBe(false)
})
