/** What a test does to the stack and to the fake provider beside the pages. */

import { environment } from './environment.ts'
import type { Order } from './global-setup.ts'

/** Stops or starts a service, or moves the clock of some. */
export async function order(what: Order): Promise<void> {
  const answer = await post(environment().controlUrl, what)
  if (!answer.ok) throw new Error(await answer.text())
}

/** Lets the provider do something unusual. */
export async function script(fault: Record<string, unknown>): Promise<void> {
  const answer = await post(`${environment().providerUrl}/control/faults`, fault)
  if (!answer.ok) throw new Error(`the provider's control answered ${answer.status}`)
}

/** Lets the provider finish what waits there. */
export async function settle(): Promise<void> {
  const answer = await post(`${environment().providerUrl}/control/settle`, {})
  if (!answer.ok) throw new Error(`the provider's control answered ${answer.status}`)
}

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}
