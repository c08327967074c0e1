/** Credentials that are a refresh token: a request carries an access token of the issuer, or is not sent. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenidSignIn } from '@financial-agents/provider-openid/sign-in'
import { startTestIssuer, type TestIssuer } from '@financial-agents/provider-openid/testing/openid-provider'
import { readOpenid } from '@financial-agents/provider-openid/variables'
import type { Provider } from '@financial-agents/provider-port/port'
import { submission } from '@financial-agents/provider-port/testing/submissions'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import adapter from './package.ts'

const redirectUri = 'http://127.0.0.1:4000/sign-in/return'
const timeoutMs = 30_000

let issuer: TestIssuer
let provider: Provider
let credentials: string
/** The people of the tokens that arrived at the provider. */
const arrived: (string | undefined)[] = []
let status = 500
const server = createServer((request, response) => {
  const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  void issuer.customerOf(token).then((customer) => {
    arrived.push(customer)
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":{"code":"not_now"}}')
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = await startTestIssuer({ redirectUri, customers: { ines: {} } })
  const variables = {
    ...issuer.variables,
    SIGN_IN_CREDENTIALS: 'refresh_token',
    SIGN_IN_SCOPE: 'openid offline_access',
  }
  const options = readOpenid(variables)
  if (options === undefined) throw new Error('no variable asks for a sign-in')
  const signIn = createOpenidSignIn(options)
  const started = await signIn.startDeviceAuthentication({
    returnUrl: `${redirectUri}?state=some`,
    reference: 'any',
    timeoutMs,
  })
  if (started.type !== 'started') throw new Error(started.reason)
  const { search } = await issuer.visit(started.hostedUrl, 'ines')
  const { authentication } = started
  const polled = await signIn.pollDeviceAuthentication({ authentication, response: search.slice(1), timeoutMs })
  if (polled.type !== 'approved') throw new Error(polled.type)
  credentials = polled.credentials
  await signIn.close()
})
beforeEach(() => {
  issuer.order.isDown = false
  arrived.length = 0
  status = 500
  provider = adapter.open({
    variables: {
      ...issuer.variables,
      URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      SIGN_IN_CREDENTIALS: 'refresh_token',
      SIGN_IN_SCOPE: 'openid offline_access',
    },
    connections: 4,
    connectTimeoutMs: 10_000,
  })
  return () => provider.close()
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await issuer.close()
})

const submit = (by = credentials) => provider.submit(submission('card_create', { credentials: by, timeoutMs }))
const countTokens = () => issuer.asked.filter((path) => path === '/token').length

test('requests name the person by one access token', async () => {
  const before = countTokens()
  await Promise.all([submit(), submit(), provider.accounts({ credentials, timeoutMs })])
  expect(arrived).toEqual(['ines', 'ines', 'ines'])
  expect(countTokens()).toBe(before + 1)
})

test('a refresh token that the issuer refuses is credentials that are not accepted; nothing is sent', async () => {
  expect(await submit('of-nobody')).toMatchObject({ type: 'failed', failureCode: 'provider_authentication_failed' })
  const read = await provider.accounts({ credentials: 'of-nobody', timeoutMs })
  expect(read).toEqual({ type: 'unavailable', reason: 'provider_authentication_failed' })
  expect(arrived).toEqual([])
})

test('while the issuer is out of reach nothing is sent', async () => {
  issuer.order.isDown = true
  expect(await submit()).toMatchObject({ type: 'unsent' })
  expect(arrived).toEqual([])
})

test('a token that the provider refuses is not used again, and the instruction that met it is not sent again', async () => {
  status = 401
  const before = countTokens()
  expect(await submit()).toMatchObject({ type: 'failed', failureCode: 'provider_authentication_failed' })
  expect(arrived).toHaveLength(1)
  await submit()
  expect([arrived.length, countTokens()]).toEqual([2, before + 2])
})

test('without the variables the credentials themselves are sent', async () => {
  const plain = adapter.open({
    variables: { URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    connections: 4,
    connectTimeoutMs: 10_000,
  })
  const before = countTokens()
  await plain.accounts({ credentials, timeoutMs })
  expect([arrived, countTokens()]).toEqual([[undefined], before])
  await plain.close()
})
