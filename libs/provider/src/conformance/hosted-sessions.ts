/** Card reveals: a page for the owner, and nothing of the card in what the adapter returns. */

import assert from 'node:assert/strict'
import type { ConformanceCase } from './bench.ts'

export const hostedSessionCases: readonly ConformanceCase[] = [
  {
    name: 'a card reveal is started once for its reference, and moves nothing',
    needs: [],
    async run({ provider, newCardReveal, countArrivals }) {
      const request = await newCardReveal()
      const first = await provider.startCardReveal(request)
      assert(first.type === 'started', JSON.stringify(first))
      assert.match(first.hostedUrl, /^https?:/)
      assert.deepEqual(await provider.startCardReveal(request), first)
      assert.equal(await countArrivals(request.reference), 0)
    },
  },
  {
    name: 'a card reveal of an unknown card is refused, and of a provider that cannot be reached unavailable',
    needs: [],
    async run({ provider, unreachable, newCardReveal }) {
      const request = await newCardReveal()
      const unknown = await provider.startCardReveal({ ...request, card: { upstreamReference: 'unknown_card' } })
      assert.equal(unknown.type, 'refused')
      assert.deepEqual(await unreachable.startCardReveal(request), {
        type: 'unavailable',
        reason: 'provider_unreachable',
      })
    },
  },
]
