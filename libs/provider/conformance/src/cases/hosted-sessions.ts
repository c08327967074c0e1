/** Cases of card reveals: the page shows the number to its owner alone, and the adapter returns nothing of the card. */

import assert from 'node:assert/strict'
import type { ConformanceCase } from './harness.ts'

/** A card number, with or without separators. */
const cardNumber = /\d(?:[\s-]?\d){11,18}/

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
    name: 'the page of a card reveal shows no card number to a request that proves nothing of who asks',
    needs: [],
    async run({ provider, newCardReveal }) {
      const started = await provider.startCardReveal(await newCardReveal())
      assert(started.type === 'started', JSON.stringify(started))
      for (let time = 0; time < 2; time += 1) {
        const text = await (await fetch(started.hostedUrl)).text()
        assert.doesNotMatch(text.replaceAll(/<[^>]*>/g, ''), cardNumber)
      }
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
