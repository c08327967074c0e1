/** An OpenID provider that is not ours passes its cases, and each of its misbehaviours is caught. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestIssuer, type TestIssuer } from '@financial-agents/provider-openid/testing/openid-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issuerCases } from './issuer-cases.ts'
import type { WireHarness } from './wire-case.ts'

let issuer: TestIssuer
beforeAll(async () => {
  issuer = await startTestIssuer({ redirectUri: 'http://127.0.0.1:4000/sign-in/return', customers: {} })
})
afterAll(() => issuer.close())

async function failuresAt(address: string): Promise<number> {
  const runs = await Promise.allSettled(issuerCases(address).map(({ run }) => run({} as WireHarness)))
  return runs.filter(({ status }) => status === 'rejected').length
}

test('an issuer conforms', async () => {
  expect(await failuresAt(issuer.issuer)).toBe(0)
})

type Changed = { metadata: Record<string, unknown>; keys: { keys: Record<string, unknown>[] } }
test.each<[string, (answers: Changed) => void]>([
  ['another name', ({ metadata }) => (metadata['issuer'] = 'https://elsewhere.example')],
  ['no code flow', ({ metadata }) => (metadata['response_types_supported'] = ['id_token'])],
  ['no S256', ({ metadata }) => (metadata['code_challenge_methods_supported'] = ['plain'])],
  ['no word about PKCE', ({ metadata }) => delete metadata['code_challenge_methods_supported']],
  ['no iss', ({ metadata }) => delete metadata['authorization_response_iss_parameter_supported']],
  ['no client authentication', ({ metadata }) => (metadata['token_endpoint_auth_methods_supported'] = ['none'])],
  ['ID tokens without a signature', ({ metadata }) => (metadata['id_token_signing_alg_values_supported'] = ['none'])],
  ['no key', ({ keys }) => (keys.keys = [])],
  ['a private key', ({ keys }) => keys.keys.forEach((key) => (key['d'] = 'secret'))],
])('an issuer with %s is caught', async (_, change) => {
  const read = async (path: string) => (await fetch(issuer.issuer + path)).json()
  const metadata = (await read('/.well-known/openid-configuration')) as Changed['metadata']
  const keys = (await read('/jwks')) as Changed['keys']
  const server = createServer((request, response) => {
    const answer = request.url === '/jwks' ? keys : metadata
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  Object.assign(metadata, { issuer: address, jwks_uri: `${address}/jwks` })
  change({ metadata, keys })
  try {
    expect(await failuresAt(address)).toBeGreaterThan(0)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
