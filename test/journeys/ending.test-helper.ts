/**
 * Helpers for the journeys about the end of authority: an application with an owner's grant, frozen replicas, and the
 * claimed operations.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FenceTarget, kindFacts, operationKinds } from '@financial-agents/contract/kinds'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import { importJWK, type JWK, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import type pg from 'pg'
import { expect } from 'vitest'
import { parse, stringify } from 'yaml'
import { type Browser, createBrowser } from '../authorization/browser.ts'
import { people } from '../authorization/flow.ts'
import { pressable } from '../authorization/page.ts'
import type { TestStack } from '../stack.test-helper.ts'

export const redirectUri = 'https://app.rentwise.example/callback'
const scope = 'beneficiaries:read beneficiaries:write operations:read spending:withdraw'
const insecure = { [oauth.allowInsecureRequests]: true }
const patiently = { timeout: 120_000, interval: 50 }

/** A confidential client to which an owner has just consented. */
export type Application = Pick<ApiClient, 'request'> & {
  grantId: string
  /** Redeems the code of its consent a second time. */
  replayCode(): Promise<Response>
  revoke(): Promise<Response>
}

/** Writes the stack's clients without policies, so that Rentwise has no limits on amounts. */
export async function withoutPolicies(folder: string, { clientsFile }: { clientsFile: string }): Promise<string> {
  const { clients } = parse(await readFile(clientsFile, 'utf8')) as { clients: Record<string, unknown>[] }
  const file = join(folder, 'clients-without-policies.yaml')
  await writeFile(file, stringify({ clients: clients.map(({ policy: _policy, ...rest }) => rest) }))
  return file
}

/** Ines signs in and allows the application. */
export async function connectApplication(stack: TestStack): Promise<Application> {
  const { baseUrl } = stack
  const clientId = 'rentwise'
  const key = await keyOf(stack, clientId)
  const issuer = new URL(baseUrl)
  const server = await oauth
    .discoveryRequest(issuer, insecure)
    .then((answer) => oauth.processDiscoveryResponse(issuer, answer))
  const client: oauth.Client = { client_id: clientId }
  const keys = await oauth.generateKeyPair('ES256')
  const proofs = oauth.DPoP(client, keys)
  const authentication: oauth.ClientAuth = async (_server, _client, body) => {
    body.set('client_id', clientId)
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    body.set('client_assertion', await assertionOf(baseUrl, clientId, key))
  }
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const push = async () =>
    oauth.pushedAuthorizationRequest(
      server,
      client,
      authentication,
      {
        response_type: 'code',
        redirect_uri: redirectUri,
        scope,
        state,
        resource: baseUrl,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        dpop_jkt: await proofs.calculateThumbprint(),
      },
      insecure,
    )
  const { request_uri } = await oauth.processPushedAuthorizationResponse(server, client, await push())
  const asked = new URLSearchParams({ client_id: clientId, request_uri })
  const left = await allow(stack, `${baseUrl}/oauth/authorize?${asked.toString()}`)
  const callback = oauth.validateAuthResponse(server, client, left, state)
  const redeem = () =>
    oauth.authorizationCodeGrantRequest(server, client, authentication, callback, redirectUri, verifier, {
      ...insecure,
      DPoP: proofs,
      additionalParameters: { resource: baseUrl },
    })
  const redeemWithNonce = () => withNonce(redeem)
  const tokens = await redeemWithNonce().then((answer) =>
    oauth.processAuthorizationCodeResponse(server, client, answer),
  )
  const request: Application['request'] = async (method, path, { body, key: idempotencyKey, headers: more } = {}) => {
    const headers = new Headers(more)
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey)
    if (body !== undefined) headers.set('Content-Type', 'application/json')
    const text = body === undefined ? null : JSON.stringify(body)
    const send = () =>
      oauth.protectedResourceRequest(tokens.access_token, method, new URL(path, baseUrl), headers, text, {
        ...insecure,
        DPoP: proofs,
      })
    return readAnswer(await withNonce(send))
  }
  return {
    grantId: claimOf(tokens.access_token, 'grant_id'),
    request,
    replayCode: redeemWithNonce,
    revoke: () => oauth.revocationRequest(server, client, authentication, tokens.refresh_token ?? '', insecure),
  }
}

/** The library stores the nonce of a challenge. Repeating the request is up to the caller. */
async function withNonce(send: () => Promise<Response>): Promise<Response> {
  try {
    const first = await send()
    return (await isNonceChallenge(first)) ? send() : first
  } catch (error) {
    if (error instanceof oauth.WWWAuthenticateChallengeError)
      return (await isNonceChallenge(error.response)) ? withoutError(send) : error.response
    throw error
  }
}

const withoutError = (send: () => Promise<Response>) =>
  send().catch((error: unknown) => {
    if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response
    throw error
  })

async function isNonceChallenge(response: Response): Promise<boolean> {
  return response.status >= 400 && (await response.clone().text()).includes('use_dpop_nonce')
}

async function readAnswer(response: Response): Promise<ApiResponse> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}

function claimOf(token: string, name: string): string {
  return JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())[name]
}

async function keyOf(stack: TestStack, clientId: string): Promise<JWK> {
  const seeded = stack.clients.find((one) => one.client_id === clientId)
  if (!seeded?.private_key_file) throw new Error(`${clientId} has no key`)
  return JSON.parse(await readFile(seeded.private_key_file, 'utf8'))
}

async function assertionOf(audience: string, clientId: string, key: JWK): Promise<string> {
  return new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'ES256', ...(key.kid ? { kid: key.kid } : {}) })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('1 minute')
    .sign(await importJWK(key, 'ES256'))
}

async function allow({ baseUrl, providerUrl }: TestStack, url: string): Promise<URL> {
  const origins = { baseUrl, providerUrl: new URL(providerUrl).origin }
  const browser: Browser = createBrowser(undefined, origins)
  let here = await browser.open(url)
  for (let steps = 0; steps < 30 && here.page; steps += 1) {
    const { page } = here
    // On a busy machine an answer may take longer than the gateway waits. The page says that nothing was changed.
    if (page.status === 503) here = await browser.open(url)
    else if (page.url.origin === origins.providerUrl)
      here = await browser.press(page, /^approve$/i, { test_user: people.ines })
    else if (pressable(page, /^allow$/i)) here = await browser.press(page, /^allow$/i)
    else here = await browser.press(page, /^sign in at your provider$/i)
  }
  if (!here.left) throw new Error('the authorization does not end')
  return here.left.url
}

/** Freezes the first `count` replicas of the submitter while `work` runs. */
export async function whileFrozen<Result>(
  stack: TestStack,
  count: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const frozen = (stack.processes.get('submitter') ?? []).slice(0, count)
  for (const { child } of frozen) child.signal('SIGSTOP')
  try {
    return await work()
  } finally {
    for (const { child } of frozen) child.signal('SIGCONT')
  }
}

/** Repeats the request while the end is not confirmed; returns the status of every answer. */
export async function untilConfirmed(ask: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = []
  await expect
    .poll(async () => {
      const { status } = await ask()
      statuses.push(status)
      return status
    }, patiently)
    .not.toBe(503)
  return statuses
}

/** Returns the operations that were claimed for submission, without those of kinds that no fence of this target stops. */
export async function claimedOf(database: pg.Pool, target: FenceTarget, id: string): Promise<string[]> {
  const passing = operationKinds.filter((kind) => kindFacts[kind].passesFences.includes(target))
  const { rows } = await database.query(
    `SELECT operation_id FROM submitter.submissions
     WHERE ${target}_id = $1 AND state <> 'cancelled' AND kind <> ALL($2) ORDER BY operation_id`,
    [id, passing],
  )
  return rows.map((row) => row.operation_id as string)
}

/** Waits until the submitter has decided all of these. */
export async function allDecided(database: pg.Pool, ids: readonly string[]): Promise<void> {
  const undecided = `SELECT id FROM operations.operations WHERE id = ANY($1::uuid[]) AND state IN ('accepted', 'submitting')`
  await expect.poll(async () => (await database.query(undecided, [ids])).rows, patiently).toEqual([])
}

export async function isFenced(database: pg.Pool, target: string, id: string): Promise<boolean> {
  const { rowCount } = await database.query('SELECT FROM submitter.fences WHERE target = $1 AND target_id = $2', [
    target,
    id,
  ])
  return rowCount === 1
}
