/** The recipe `receive-webhooks` with an agent whose reads fail: a delivery counts as handled only after its work. */

import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test, vi } from 'vitest'
import { agent } from '../recipes/agent.ts'
import type { TrackedOperation } from './call-options.ts'
import type { CreatedWebhookSubscription } from './generated/types.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('a delivery whose read failed is read when it comes again', async () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const body = JSON.stringify({ type: 'operation.succeeded', data: { operation_id: 'op-1' } })
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
  const get = vi
    .spyOn(agent.operations, 'get')
    .mockRejectedValueOnce(new Error('the API is away'))
    .mockResolvedValue({ state: 'succeeded' } as TrackedOperation)
  vi.spyOn(agent.webhooks, 'create').mockImplementation(async (asked) => {
    ;({ url } = asked)
    return { id: 'sub-1', secret } as CreatedWebhookSubscription
  })
  vi.spyOn(agent.beneficiaries, 'create').mockImplementation(async () => {
    delivered = deliver().then(deliver)
    return {} as TrackedOperation
  })
  // The answer of the last delivery passes before the recipe closes its connections.
  vi.spyOn(agent.webhooks, 'delete').mockImplementation(async () => delivered)
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined)
  await import('../recipes/receive-webhooks.ts')
  expect(statuses).toEqual([503, 204])
  expect(get.mock.calls.map(([id]) => id)).toEqual(['op-1', 'op-1'])
  // Repetitions of the read end before the delivery does.
  expect(get).toHaveBeenLastCalledWith('op-1', { retryForMs: 5_000 })
  expect(log).toHaveBeenCalledOnce()
})
