/**
 * Makes one write in the cluster that Tilt started, from token to proof, as a client does: through the forwarded ports, with the
 * clients that seed.ts declared. A failure prints one line and exits with 1.
 */

import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { flow } from '@financial-agents/testkit/flow'
import { stackFile } from './files.ts'
import type { TiltStack } from './seed.ts'

const waitMs = 120_000

/** Waits until the URL answers, because a port is forwarded only a moment after its pod is ready. */
async function waitFor(url: string): Promise<void> {
  const until = Date.now() + waitMs
  for (;;) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    if (answer?.ok) return
    if (Date.now() > until) throw new Error(`${url} does not answer: is its port forwarded?`)
    await delay(500)
  }
}

async function main(): Promise<void> {
  const { base_url, provider_url, clients } = JSON.parse(await readFile(stackFile, 'utf8')) as TiltStack
  await Promise.all([waitFor(`${base_url}/v1/health`), waitFor(`${provider_url}/health`)])
  await flow({ baseUrl: base_url, providerUrl: provider_url, clients }, { pays: false }, (line) =>
    process.stdout.write(`${line}\n`),
  )
}

try {
  await main()
} catch (error) {
  process.stderr.write(`flow: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
