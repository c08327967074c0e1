/** Controls of the stack and of the fake provider, for steps that no page offers. */

import { environment } from './environment.ts'
import type { Order } from './global-setup.ts'

/** Stops or starts a service, or moves the clock of some services. */
export async function order(what: Order): Promise<void> {
  const answer = await post(environment().controlUrl, what)
  if (!answer.ok) throw new Error(await answer.text())
}

/** Sets a fault at the provider. */
export async function script(fault: Record<string, unknown>): Promise<void> {
  const answer = await post(`${environment().providerUrl}/control/faults`, fault)
  if (!answer.ok) throw new Error(`the provider's control answered ${answer.status}`)
}

/** Makes the provider settle its pending operations. */
export async function settle(): Promise<void> {
  const answer = await post(`${environment().providerUrl}/control/settle`, {})
  if (!answer.ok) throw new Error(`the provider's control answered ${answer.status}`)
}

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}
