/** The recipe `receive-webhooks` with an agent whose reads fail: a delivery counts as handled only after its work. */

import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.doUnmock('../recipes/agent.ts')
  vi.restoreAllMocks()
})

test('a delivery whose read failed is read when it comes again', async () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const body = JSON.stringify({ type: 'operation.succeeded', data: { operation_id: 'op-1' } })
  const get = vi.fn().mockRejectedValueOnce(new Error('the API is away')).mockResolvedValue({ state: 'succeeded' })
  const statuses: number[] = []
  let url = ''
  const deliver = async () => {
    const at = new Date()
    const headers = {
      'webhook-id': 'evt-1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('evt-1', at, body),
    }
    statuses.push((await fetch(url, { method: 'POST', headers, body })).status)
  }
  let delivered: Promise<void> | undefined
  const agent = {
    operations: { get },
    webhooks: {
      create: async (asked: { url: string }) => {
        ;({ url } = asked)
        return { id: 'sub-1', secret }
      },
      // The answer of the last delivery passes before the recipe closes its connections.
      delete: () => delivered,
    },
    beneficiaries: {
      create: async () => {
        delivered = deliver().then(deliver)
      },
    },
  }
  vi.doMock('../recipes/agent.ts', () => ({ agent }))
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined)
  await import('../recipes/receive-webhooks.ts')
  expect(statuses).toEqual([503, 204])
  expect(get.mock.calls.map(([id]) => id)).toEqual(['op-1', 'op-1'])
  // Repetitions of the read end before the delivery does.
  expect(get).toHaveBeenLastCalledWith('op-1', { retryForMs: 5_000 })
  expect(log).toHaveBeenCalledOnce()
})
