/**
 * Rotation of the long-lived sealing keys, following the operations guide to the end. Credentials of bindings, secrets
 * of subscriptions and references of transfers outlive their key. Nobody signs in or subscribes again.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { webhookPayload } from '@financial-agents/contract/schemas/webhook'
import type { ApiClient } from '@financial-agents/testkit/client'
import type { ServiceName } from '@financial-agents/testkit/stack-services'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../services/notifier/src/receiver.test-helper.ts'
import {
  clientOf,
  create,
  pollUntil,
  scope,
  settledResource,
  startTestStack,
  type TestStack,
} from '../stack.test-helper.ts'

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const [former, next] = [newKey('former'), newKey('next')]
const ringOf = (...keys: string[]) => ({
  CREDENTIAL_KEYS: keys.join(),
  SEALING_KEYS: keys.join(),
  PAYLOAD_KEYS: keys.join(),
})
const eventually = { timeout: 120_000, interval: 50 }
const onBehalfOfOwners = ['onboarding', 'beneficiaries', 'operations', 'submitter', 'spending'] as const

let stack: TestStack
let client: ApiClient
let receiver: Receiver
let secret: string

beforeAll(async () => {
  // The first step is done already: every service knows the next key.
  const { CREDENTIAL_KEYS, SEALING_KEYS, PAYLOAD_KEYS } = ringOf(former, next)
  const environment = { all: { CREDENTIAL_KEYS, PAYLOAD_KEYS }, notifier: { SEALING_KEYS } }
  stack = await startTestStack({ environment, enabledCapabilities: ['transfers.execute'] })
  client = await clientOf(stack, 'ines-agent', `${scope} spending:withdraw`)
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

/** Verifies a notification's signature; returns its operation and state. */
function stateOf({ body, headers }: Receiver['received'][number]): string {
  const { data } = webhookPayload.parse(new Webhook(secret).verify(body, headers))
  return `${data.operation_id} ${data.state}`
}

async function restart(names: readonly ServiceName[], ring: Record<string, string>): Promise<void> {
  await Promise.all(names.map((name) => stack.stopService(name)))
  await Promise.all(names.map((name) => stack.start(name, ring)))
}

/** Pays with the current ring of keys; returns the id of the transfer. */
async function pay(memo: string): Promise<string> {
  const payee = await create(client, 'Rent')
  await settledResource(client, `/v1/beneficiaries/${payee.body['resource_id']}`, 'active')
  const body = { beneficiary_id: payee.body['resource_id'], amount: '5', currency: 'EUR', memo }
  const { body: operation } = await client.request('POST', '/v1/spending-account/withdrawals', {
    key: randomUUID(),
    body,
  })
  await pollUntil(client, operation['id'], ['succeeded'])
  return operation['resource_id'] as string
}

test('a key is dropped once all that it sealed was sealed anew, and everything goes on', async () => {
  await expectAllWorks('Before')
  const transfer = await pay('Rent, March')

  await restart(['onboarding', 'notifier', 'operations', 'spending', 'beneficiaries'], ringOf(next, former))
  await expectAllWorks('Two keys')

  const reencrypt = (service: ServiceName, ring: Record<string, string>) =>
    stack.runCommand(service, 'reencrypt', [], ring)
  const tooEarly =
    /exit code 1.*: 0 sealed anew with key next; [1-9]\d* of a key that is not in the ring: [0-9a-f-]{36}/
  for (const service of ['onboarding', 'notifier', 'operations'] as const) {
    await expect(reencrypt(service, ringOf(next))).rejects.toThrow(tooEarly)
    await reencrypt(service, ringOf(next, former))
  }

  await restart([...onBehalfOfOwners, 'notifier'], ringOf(next))
  await expectAllWorks('The next key alone')
  const { body } = await client.request('GET', `/v1/transfers/${transfer}`)
  expect(body).toMatchObject({ state: 'succeeded', reference: 'Rent, March' })
})
