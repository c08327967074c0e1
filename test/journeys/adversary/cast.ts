/**
 * The attackers: applications that their owners signed in to and allowed to pay, within limits or under mandates.
 * Each has a key of its own and talks to either replica of the gateway. An application may be given access again after
 * its access has ended.
 */

import { createHash, createPrivateKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import { type Seed, writeClientKey } from '@financial-agents/testkit/seed'
import { parse, stringify } from 'yaml'
import { claimsOf, type Person } from '../../authorization/flow.ts'
import { createSender, type HeaderList, makeJws, makeProof, type Sender, send } from '../../contract/hand-client.ts'
import { type Owner, ownerOf } from '../../owner.test-helper.ts'
import type { TestStack } from '../../stack.test-helper.ts'
import { consentOf } from '../rolling/parties.ts'

/** In cents; null if the grant has no limits. */
export type Ceilings = { perPayment: number; perDay: number } | null

type Role = {
  clientId: string
  name: string
  person: Person
  currency: 'EUR' | 'GBP'
  ceilings: Ceilings
  /** In cents. The owner has to confirm a withdrawal above this amount. */
  confirmAbove?: number
  payee: Record<string, unknown>
}

const eurPayee = { country: 'PT', payout_schema_id: 'sepa_pt_eur', details: { iban: 'PT50000201231234567890154' } }
const gbpPayee = {
  country: 'GB',
  payout_schema_id: 'fps_gb_gbp',
  details: { sort_code: '601613', account_number: '31926819' },
}

export const roles: readonly Role[] = [
  {
    clientId: 'hoarder',
    name: 'Hoarder',
    person: 'ines',
    currency: 'EUR',
    ceilings: { perPayment: 500, perDay: 4_000 },
    confirmAbove: 400,
    payee: eurPayee,
  },
  { clientId: 'steward', name: 'Steward', person: 'ines', currency: 'EUR', ceilings: null, payee: eurPayee },
  {
    clientId: 'lodger',
    name: 'Lodger',
    person: 'amara',
    currency: 'GBP',
    ceilings: { perPayment: 300, perDay: 2_500 },
    payee: gbpPayee,
  },
]

export const scopes =
  'authorization:read beneficiaries:read beneficiaries:write operations:read services:read spending:withdraw'
const redirect_uri = 'https://adversary.example/callback'

export const decimal = (cents: number) => (cents / 100).toFixed(2)

/** Declares the attackers in addition to the seeded clients. */
export async function declareRoles(folder: string, { clientsFile }: Seed): Promise<string> {
  const { clients } = parse(await readFile(clientsFile, 'utf8')) as { clients: unknown[] }
  for (const { clientId: client_id, name, currency, ceilings, confirmAbove } of roles) {
    const money = (cents: number) => ({ amount: decimal(cents), currency })
    const policy = {
      ...(ceilings && {
        withdrawal_ceilings: { per_payment: money(ceilings.perPayment), per_day: money(ceilings.perDay) },
      }),
      ...(confirmAbove && { withdrawal_confirmation_above: money(confirmAbove) }),
    }
    const { jwks } = await writeClientKey(folder, client_id)
    const own = { client_id, name, profile: 'web', jwks, redirect_uris: [redirect_uri], scopes: scopes.split(' ') }
    clients.push(Object.keys(policy).length > 0 ? { ...own, policy } : own)
  }
  const file = join(folder, 'clients-with-adversaries.yaml')
  await writeFile(file, stringify({ clients }, { aliasDuplicateObjects: false }))
  return file
}

/** A request that the owner has confirmed and the client has not sent yet. */
export type Unused = { intent: string; grantId: string; path: string; body: Record<string, unknown> }

export type Mandate = { id: string; grantId: string; perPayment: number; total: number; count: number }

/** An application with its current or last access. */
export type Player = Role & {
  owner: Owner
  /** The addresses of the gateway's replicas. */
  replicas: readonly string[]
  /** The key for client authentication. */
  clientKey: { kid: string; key: KeyObject }
  sender: Sender
  grantId: string
  refreshToken: string
  /** The form that redeemed the code of its consent. */
  redeemed: Record<string, string>
  payeeId: string
  /** Includes mandates of former grants; the newest is last. */
  mandates: Mandate[]
  unused: Unused[]
  /** Decides as the owner, one decision at a time. */
  decide(how: 'confirm' | 'decline', confirmationUrl: string): Promise<unknown>
}

export async function createPlayer(stack: TestStack, role: Role, replicas: readonly string[]): Promise<Player> {
  const jwk = JSON.parse(await readFile(join(stack.folder, 'clients', `${role.clientId}.jwk.json`), 'utf8'))
  const owner = ownerOf(stack, role.person)
  let before: Promise<unknown> = Promise.resolve()
  const player: Player = {
    ...role,
    clientKey: { kid: jwk.kid, key: createPrivateKey({ key: jwk, format: 'jwk' }) },
    owner,
    replicas,
    sender: createSender(stack),
    grantId: '',
    refreshToken: '',
    redeemed: {},
    payeeId: '',
    mandates: [],
    unused: [],
    decide: (how, url) => {
      const decided = before.then(() => owner[how](url))
      before = decided.catch(() => {})
      return decided
    },
  }
  await consent(stack, player)
  return player
}

/** The owner allows the application again: a new grant with a new key. */
export async function consent(stack: TestStack, player: Player): Promise<void> {
  const { baseUrl } = stack
  player.sender = createSender(stack)
  const { crv, kty, x, y } = player.sender.key.jwk
  const verifier = randomBytes(32).toString('base64url')
  const pushed = await postForm(stack, player, '/oauth/par', {
    redirect_uri,
    response_type: 'code',
    scope: scopes,
    state: randomBytes(12).toString('base64url'),
    prompt: 'consent',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    dpop_jkt: createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url'),
  })
  if (pushed.status !== 201) throw new Error(`a request was refused: ${JSON.stringify(pushed.body)}`)
  const query = new URLSearchParams({ client_id: player.clientId, request_uri: pushed.body['request_uri'] })
  const code = await consentOf(stack, `${baseUrl}/oauth/authorize?${query.toString()}`, player.person)
  const form = { redirect_uri, grant_type: 'authorization_code', code, code_verifier: verifier }
  const { status, body } = await postForm(stack, player, '/oauth/token', form)
  if (status !== 200) throw new Error(`the code of ${player.name} was refused: ${JSON.stringify(body)}`)
  player.sender.token = body['access_token']
  player.refreshToken = body['refresh_token']
  player.redeemed = form
  player.grantId = claimsOf(player.sender.token)['grant_id']
}

/** Sends a form as the client, with a proof. Answers a demand for a nonce. */
export async function postForm(
  { baseUrl }: TestStack,
  { clientId, clientKey, sender }: Player,
  path: string,
  form: Record<string, string>,
): Promise<ApiResponse> {
  let nonce: string | undefined
  for (;;) {
    const iat = Math.floor(Date.now() / 1_000)
    const claims = { iss: clientId, sub: clientId, aud: baseUrl, jti: randomUUID(), iat, exp: iat + 60 }
    const whole = new URLSearchParams({
      ...form,
      client_id: clientId,
      resource: baseUrl,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: makeJws({ alg: 'ES256', kid: clientKey.kid }, claims, clientKey.key),
    })
    const headers: HeaderList = [
      ['content-type', 'application/x-www-form-urlencoded'],
      ['dpop', makeProof({ key: sender.key, method: 'POST', url: baseUrl + path, nonce })],
    ]
    const answer = await send(baseUrl + path, 'POST', headers, whole.toString())
    if (nonce !== undefined || answer.body['error'] !== 'use_dpop_nonce') return answer
    nonce = answer.headers.get('dpop-nonce') ?? ''
  }
}

export type Asking = { body?: unknown; key?: string; intent?: string; at?: string; proof?: string; token?: string }

/** Answers a challenge for a nonce. */
export async function ask(player: Player, method: string, path: string, asking: Asking = {}): Promise<ApiResponse> {
  const { sender } = player
  const { body, key, intent, at = player.replicas[0], proof, token } = asking
  const headers: HeaderList = []
  if (key !== undefined) headers.push(['idempotency-key', key])
  if (intent !== undefined) headers.push(['confirmation-intent-id', intent])
  for (let tries = 0; ; tries += 1) {
    const answer = await sender.send(method, path, {
      headers,
      ...(at === undefined ? {} : { at }),
      ...(body === undefined ? {} : { body }),
      ...(proof === undefined ? {} : { proof }),
      ...(token === undefined ? {} : { token }),
    })
    sender.nonce = answer.headers.get('dpop-nonce') ?? sender.nonce
    if (answer.body['code'] !== 'use_dpop_nonce' || tries === 2 || proof !== undefined) return answer
  }
}

/** The player as the client type of the journeys' helpers. */
export const clientOf = (player: Player): ApiClient => ({
  clientId: player.clientId,
  authorize: () => Promise.resolve(),
  token: () => player.sender.token,
  request: (method, path, { body, key, headers } = {}) =>
    ask(player, method, path, {
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { key }),
      ...(headers?.['Confirmation-Intent-ID'] ? { intent: headers['Confirmation-Intent-ID'] } : {}),
    }),
})
