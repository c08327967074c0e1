/**
 * One process of a service in place of another, in the order in which Kubernetes does it with a surge of one: the new one is
 * started and ready, the old one is taken out of the endpoints, `preStop` lets that become known, then SIGTERM and its grace.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { getFreePort } from '@financial-agents/servers/ports'
import type { ServiceProcess } from '@financial-agents/testkit/processes'
import type { ServiceName } from '@financial-agents/testkit/stack-services'
import { providerOf, type TestStack } from '../../stack.test-helper.ts'
import type { Endpoints } from './endpoints.ts'
import type { Load } from './load.ts'

/** Here the balancer knows at once. */
const preStopMs = 300
/** For requests to reach a process that is held; and for writes to get from the gateway to the provider. */
const heldMs = 60
const onTheirWayMs = 300
const graceMs = 30_000

export type Replaced = { name: ServiceName; status: unknown; stopMs: number }

export async function replace(
  { stack, endpoints, load }: { stack: TestStack; endpoints: Endpoints; load: Load },
  old: ServiceProcess,
): Promise<Replaced> {
  const { name } = old
  if (name !== 'gateway') await stack.start(name)
  else {
    const port = await getFreePort()
    await stack.start(name, {}, { port })
    endpoints.add(port)
    endpoints.remove(Number(new URL(old.url as string).port))
    await delay(preStopMs)
  }
  await surge({ stack, load }, old)
  const began = performance.now()
  old.child.signal('SIGTERM')
  old.child.signal('SIGCONT')
  const late = delay(graceMs, 'still running', { ref: false })
  const status = await Promise.race([old.child.exited, late])
  return { name, status, stopMs: Math.round(performance.now() - began) }
}

/** What the process surely has under way when it hears of its end. */
async function surge(
  { stack, load }: { stack: TestStack; load: Load },
  { name, child }: ServiceProcess,
): Promise<void> {
  if (name === 'submitter') {
    // Calls to a provider that takes a second for each.
    await providerOf(stack).faultOf({ kind: 'card_create' }, 'slow', { times: 10 })
    load.surge(name)
    return delay(onTheirWayMs)
  }
  // Requests that arrive while it is held.
  child.signal('SIGSTOP')
  load.surge(name)
  return delay(heldMs)
}
