/**
 * The keys of what is kept for long, rotated to their end as the operations guide says: credentials of bindings and secrets of
 * subscriptions outlive their key, and nobody signs in again or subscribes again.
 */

import { randomBytes } from 'node:crypto'
import { webhookPayload } from '@financial-agents/contract/schemas/webhook'
import type { ApiClient } from '@financial-agents/testkit/client'
import type { ServiceName } from '@financial-agents/testkit/stack-services'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../services/notifier/src/receiver.test-helper.ts'
import { clientOf, create, pollUntil, startTestStack, type TestStack } from '../stack.test-helper.ts'

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const [former, next] = [newKey('former'), newKey('next')]
const ringOf = (...keys: string[]) => ({ CREDENTIAL_KEYS: keys.join(), SEALING_KEYS: keys.join() })
const eventually = { timeout: 20_000, interval: 50 }
const onBehalfOfOwners = ['onboarding', 'beneficiaries', 'operations', 'submitter'] as const

let stack: TestStack
let client: ApiClient
let receiver: Receiver
let secret: string

beforeAll(async () => {
  // The first step is done: the next key is known everywhere.
  const { CREDENTIAL_KEYS, SEALING_KEYS } = ringOf(former, next)
  stack = await startTestStack({ environment: { all: { CREDENTIAL_KEYS }, notifier: { SEALING_KEYS } } })
  client = await clientOf(stack, 'ines-agent')
  receiver = await startReceiver()
  const { url } = receiver
  secret = (await client.request('POST', '/v1/webhook-subscriptions', { body: { url } })).body['secret']
})
afterAll(async () => {
  await stack?.close()
  await receiver?.stop()
})

async function expectAllWorks(name: string): Promise<void> {
  const { body } = await create(client, name)
  await pollUntil(client, body.id, ['succeeded'])
  await expect.poll(() => receiver.received.map(stateOf), eventually).toContain(`${body.id} succeeded`)
}

/** What a notification tells, to who verifies its signature. */
function stateOf({ body, headers }: Receiver['received'][number]): string {
  const { data } = webhookPayload.parse(new Webhook(secret).verify(body, headers))
  return `${data.operation_id} ${data.state}`
}

async function restart(names: readonly ServiceName[], ring: Record<string, string>): Promise<void> {
  await Promise.all(names.map((name) => stack.stopService(name)))
  await Promise.all(names.map((name) => stack.start(name, ring)))
}

test('a key is dropped once all that it sealed was sealed anew, and everything goes on', async () => {
  await expectAllWorks('Before')

  await restart(['onboarding', 'notifier'], ringOf(next, former))
  await expectAllWorks('Two keys')

  const reseal = (service: ServiceName, ring: Record<string, string>) => stack.runCommand(service, 'reseal', [], ring)
  const tooEarly =
    /exit code 1.*: 0 sealed anew with key next; [1-9]\d* of a key that is not in the ring: [0-9a-f-]{36}/
  for (const service of ['onboarding', 'notifier'] as const) {
    await expect(reseal(service, ringOf(next))).rejects.toThrow(tooEarly)
    await reseal(service, ringOf(next, former))
  }

  await restart([...onBehalfOfOwners, 'notifier'], ringOf(next))
  await expectAllWorks('The next key alone')
}, 120_000)
