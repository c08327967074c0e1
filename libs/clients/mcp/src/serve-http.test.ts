/** The HTTP server, driven by the official client: every request needs the owner's token, and a name of this server. */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memoryStore } from '@financial-agents/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, expect, test } from 'vitest'
import { optionsFrom } from './arguments.ts'
import { type HttpAccess, serveHttp } from './serve-http.ts'

const secret = 'a'.repeat(64)
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function served(access: HttpAccess): Promise<string> {
  const { url, close } = await serveHttp({
    api: 'http://127.0.0.1:1',
    clientId: 'x',
    store: memoryStore(),
    port: 0,
    access,
  })
  closing.push(close)
  return url
}

async function toolsOf(url: string, token: string, mode: 'auto' | 'legacy'): Promise<number> {
  const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  const { tools } = await client.listTools()
  const answer = await client.callTool({ name: 'get_operation', arguments: {} })
  expect(answer.structuredContent).toMatchObject({ status: 'invalid_arguments' })
  await client.close()
  return tools.length
}

const post = (url: string, headers: Record<string, string>) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })

test.each(['auto', 'legacy'] as const)('with the secret a host of the protocol "%s" calls tools', async (mode) => {
  expect(await toolsOf(await served({ secret }), secret, mode)).toBeGreaterThan(10)
})

test('nobody calls it without the secret, from a page, or by a name that is not its own', async () => {
  const url = await served({ secret })
  const allowed = { authorization: `Bearer ${secret}` }
  expect((await post(url, {})).status).toBe(401)
  expect((await post(url, { authorization: `Bearer ${secret.slice(1)}b` })).status).toBe(401)
  expect((await post(url, { ...allowed, origin: 'https://evil.example' })).status).toBe(403)
  expect((await post(new URL('/other', url).href, allowed)).status).toBe(404)
  expect((await post(url, allowed)).status).toBe(200)
})

test('a short secret, and half of an issuer, are refused with what to give', async () => {
  await expect(served({ secret: 'short' })).rejects.toThrow('at least 32 characters')
  const given = ['--api', 'http://a', '--client-id', 'b', '--http', '0']
  expect(() => optionsFrom(given, {})).toThrow('FINANCIAL_AGENTS_MCP_SECRET')
  expect(() => optionsFrom([...given, '--issuer', 'https://i'], {})).toThrow('together')
  expect(() => optionsFrom([...given.slice(0, -1), 'x'], {})).toThrow('give a port')
})

test("with the owner's authorization server, its tokens for this server and this owner are accepted, and no others", async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const key = { ...(await exportJWK(publicKey)), kid: '1', alg: 'ES256' }
  const documents = new Map<string, unknown>()
  const issuerServer: Server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(documents.get(`${request.url}`)))
  })
  await new Promise<void>((resolve) => issuerServer.listen(0, '127.0.0.1', resolve))
  closing.push(() => issuerServer.close())
  const issuer = `http://127.0.0.1:${(issuerServer.address() as AddressInfo).port}`
  documents.set('/.well-known/oauth-authorization-server', {
    issuer,
    jwks_uri: `${issuer}/jwks`,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
  })
  documents.set('/jwks', { keys: [key] })
  const resource = 'https://money.example/mcp'
  const url = await served({ issuer, subject: 'owner', resource })
  const tokenFor = (subject: string, audience: string) =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: '1' })
      .setIssuer(issuer)
      .setSubject(subject)
      .setAudience(audience)
      .setExpirationTime('5m')
      .sign(privateKey)
  expect(await toolsOf(url, await tokenFor('owner', resource), 'auto')).toBeGreaterThan(10)
  for (const token of [await tokenFor('somebody', resource), await tokenFor('owner', 'https://other.example')])
    expect((await post(url, { authorization: `Bearer ${token}` })).status).toBe(401)
  const refused = await post(url, {})
  expect(refused.headers.get('www-authenticate')).toContain('/.well-known/oauth-protected-resource/mcp')
  const described = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', url))
  expect(await described.json()).toMatchObject({ resource, authorization_servers: [issuer] })
})
