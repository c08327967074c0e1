/**
 * Replaces one process of a service by one of a build, in the order of a Kubernetes rollout with a surge of one. The new process starts
 * and becomes ready. The old one is removed from the endpoints, and `preStop` lets that become known. Then it gets
 * SIGTERM, and ends by itself.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { getFreePort } from '@financial-agents/servers/ports'
import type { ServiceProcess } from '@financial-agents/testkit/processes'
import type { Bundles } from '@financial-agents/testkit/programs'
import type { ServiceName } from '@financial-agents/testkit/stack-services'
import { providerOf, type TestStack } from '../../stack.test-helper.ts'
import type { Endpoints } from './endpoints.ts'
import type { Load } from './load.ts'

/** Short, because the balancer of this test knows at once that a replica was removed. */
const preStopMs = 300
/** Time for requests to reach a stopped process, and for writes to get from the gateway to the provider. */
const heldMs = 60
const onTheirWayMs = 300
/** Only bounds a hang: a busy machine may take many times as long as the grace period of a pod. */
const graceMs = 240_000

export type Replaced = { name: ServiceName; status: unknown; stopMs: number }

export async function replace(
  { stack, endpoints, load }: { stack: TestStack; endpoints: Endpoints; load: Load },
  old: ServiceProcess,
  bundles: Bundles,
): Promise<Replaced> {
  const { name } = old
  if (name !== 'gateway') await stack.start(name, {}, { bundles })
  else {
    const port = await getFreePort()
    await stack.start(name, {}, { port, bundles })
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

/** Makes sure that the process has work under way when it gets SIGTERM. */
async function surge(
  { stack, load }: { stack: TestStack; load: Load },
  { name, child }: ServiceProcess,
): Promise<void> {
  if (name === 'submitter') {
    // Each call to the provider takes a second.
    await providerOf(stack).faultOf({ kind: 'card_create' }, 'slow', { times: 10 })
    load.surge(name)
    return delay(onTheirWayMs)
  }
  // These requests arrive while the process is stopped by SIGSTOP.
  child.signal('SIGSTOP')
  load.surge(name)
  return delay(heldMs)
}
