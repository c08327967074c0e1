/**
 * Receives webhooks: subscribes, verifies each delivery by its raw body, and reads the operation that it names. A development stack
 * delivers to this machine; any other environment needs a public https address.
 */

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { ClientError } from '@financial-agents/client'
import { verifyWebhook } from '@financial-agents/client/webhooks'
import { agent } from './agent.ts'

const handled = new Set<string>()
let secret = ''
let done: () => void
const succeeded = new Promise<void>((resolve) => {
  done = resolve
})

const server = createServer((request, response) => {
  void receive(request).then((status) => response.writeHead(status).end())
})
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve)
})

/** Handles one delivery; returns the status to answer. */
async function receive(request: IncomingMessage): Promise<number> {
  try {
    const { id, payload } = await verifyWebhook(request.headers, await buffer(request), { secrets: [secret] })
    // Deliveries repeat: each id is handled once. It is marked after the work, so that a failed delivery is not lost.
    if (!handled.has(id)) {
      // A webhook only says when to read. The operation has the current state. A delivery is answered within ten seconds.
      const { state } = await agent.operations.get(payload.data.operation_id, { retryForMs: 5_000 })
      handled.add(id)
      console.log(`${payload.type}: the operation is ${state}`)
      if (state === 'succeeded') done()
    }
    return 204
  } catch (error) {
    // 400 refuses a delivery that the API has not sent. After 503 the delivery is repeated.
    return error instanceof ClientError && error.code === 'webhook_invalid' ? 400 : 503
  }
}

const { port } = server.address() as AddressInfo
const subscription = await agent.webhooks.create({ url: `http://127.0.0.1:${port}/webhooks`, description: 'Recipe' })
secret = subscription.secret
try {
  await agent.beneficiaries.create(
    {
      name: 'Webhook',
      country: 'PT',
      currency: 'EUR',
      payout_schema_id: 'sepa_pt_eur',
      details: { iban: 'PT50000201231234567890154' },
    },
    { intent: `recipe-receive-webhooks-${subscription.id}` },
  )
  await succeeded
} finally {
  await agent.webhooks.delete(subscription.id)
  server.close()
  server.closeAllConnections()
}
