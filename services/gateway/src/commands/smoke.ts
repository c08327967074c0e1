/**
 * The command `smoke <url>` sends a running gateway the first requests of every client, and reports if each answer is
 * correct. The gateway must be able to serve, name the issuer that clients know, and refuse a request without a token
 * with a challenge. The command has no credentials and changes nothing.
 */

import { defineCommand, UsageError } from '@financial-agents/runtime/command'
import { readConfig } from '@financial-agents/runtime/config'
import { z } from 'zod'
import { gatewayConfig } from '../config.ts'

const config = z.object({ PUBLIC_BASE_URL: gatewayConfig.shape.PUBLIC_BASE_URL })
const answerTimeoutMs = 10_000

type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

export const command = defineCommand({
  summary: 'ask a running gateway what every client asks first',
  usage: [['smoke <url>', 'where this gateway is reached from here, for example http://gateway:8080']],
  config,
  run: async ({ positionals: [url, ...more], environment }) => {
    if (url === undefined || more.length > 0 || !URL.canParse(url))
      throw new UsageError('say where the gateway is: smoke <url>')
    const { PUBLIC_BASE_URL: baseUrl } = readConfig(config, environment)
    return look(url, baseUrl)
  },
})

/** @throws Error that names the wrong answer */
async function look(url: string, baseUrl: string): Promise<string[]> {
  const health = await ask(url, '/v1/health')
  expect('/v1/health', health.body['status'], 'ok')
  const metadata = await ask(url, '/v1/metadata')
  expect('issuer of /v1/metadata', metadata.body['issuer'], baseUrl)
  expect('resource of /v1/metadata', metadata.body['resource'], baseUrl)
  const discoveryPath = '/.well-known/oauth-authorization-server'
  const discovery = await ask(url, discoveryPath)
  expect(`issuer of ${discoveryPath}`, discovery.body['issuer'], baseUrl)
  const refusal = await ask(url, '/v1/operations')
  expect('status of /v1/operations without a token', refusal.status, 401)
  const type = refusal.headers.get('content-type')?.split(';')[0]
  expect('content type of the refusal', type, 'application/problem+json')
  const challenge = refusal.headers.get('www-authenticate') ?? 'none'
  if (!challenge.startsWith('DPoP ')) throw new Error(`the refusal has no challenge for DPoP, but ${challenge}`)
  return [
    'health: ok',
    `metadata: ${String(metadata.body['environment'])}, issuer ${baseUrl}`,
    `discovery: issuer ${baseUrl}`,
    'protected route: 401 with a challenge for DPoP',
  ]
}

async function ask(url: string, path: string): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(answerTimeoutMs)
    const response = await fetch(new URL(path, url), { signal, redirect: 'error' })
    const { status, headers } = response
    return { status, headers, body: (await response.json()) as Answer['body'] }
  } catch (error) {
    throw new Error(`${path} did not answer as it should: ${reasonOf(error)}`, { cause: error })
  }
}

/** The message of `fetch` only says that it failed. The cause has the reason. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? message
}

function expect(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
}
