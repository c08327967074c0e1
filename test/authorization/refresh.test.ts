/** Refresh: the refresh token stays the same while the grant lives. Only its client, with its key, may use it. */

import { beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../contract/hand-client.ts'
import { createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { environment } from './environment.ts'
import { expectError, expectTokens } from './expectations.ts'
import { claimsOf, obtainTokens, type Tokens } from './flow.ts'
import { createParty, type Party } from './party.ts'

describe.each(['web', 'spa', 'native'] as const)('a %s client', (profile) => {
  let party: Party
  let tokens: Tokens
  beforeAll(async () => {
    party = createParty(freshClient(profile))
    tokens = await obtainTokens(createBrowser(), party, { scope: 'openid operations:read beneficiaries:read' })
  })

  test('refreshes without rotation: the refresh token stays the same, the access token is new', async () => {
    for (let round = 0; round < 3; round += 1) {
      const answer = await party.refresh(tokens.refresh_token)
      expectTokens(answer, { id: true })
      expect(answer.body['refresh_token']).toBe(tokens.refresh_token)
      expect(answer.body['access_token']).not.toBe(tokens.access_token)
      expect((await party.call(answer.body['access_token'], '/v1/operations')).status).toBe(200)
    }
  })

  test('keeps subject and grant; the ID token says when the person signed in, and has no nonce', async () => {
    const { body } = await party.refresh(tokens.refresh_token)
    const [before, after] = [claimsOf(tokens.access_token), claimsOf(body['access_token'])]
    expect([after['sub'], after['grant_id'], after['cnf']]).toEqual([before['sub'], before['grant_id'], before['cnf']])
    const [first, second] = [claimsOf(tokens.id_token as string), claimsOf(body['id_token'])]
    expect([second['sub'], second['auth_time'], second['aud']]).toEqual([
      first['sub'],
      first['auth_time'],
      first['aud'],
    ])
  })

  test('may ask for less, and for all again later', async () => {
    const less = await party.refresh(tokens.refresh_token, { scope: 'operations:read' })
    expect(less.status).toBe(200)
    expect(claimsOf(less.body['access_token'])['scope']).toBe('operations:read')
    const all = await party.refresh(tokens.refresh_token)
    expect(all.body['scope'].split(' ')).toEqual(expect.arrayContaining(['beneficiaries:read', 'operations:read']))
  })

  test.each([
    ['a scope that was not granted', 'operations:read accounts:read'],
    ['a scope beyond the ceiling', 'cards:manage'],
    ['purchases:execute', 'purchases:execute'],
  ])('may not ask for %s', async (_name, scope) => {
    expectError(await party.refresh(tokens.refresh_token, { scope }), 400, 'invalid_scope')
  })

  test('may name the resource, and cannot change it', async () => {
    const { baseUrl } = environment()
    expectTokens(await party.refresh(tokens.refresh_token, { resource: baseUrl }), { id: true })
    for (const resource of ['https://elsewhere.example', `${baseUrl}/`, [baseUrl, 'https://elsewhere.example']])
      expectError(await party.refresh(tokens.refresh_token, { resource }), 400, 'invalid_target')
  })

  test('proves the original key: another one is refused, and the token stays good', async () => {
    expectError(await party.refresh(tokens.refresh_token, {}, { key: createKey() }), 400, 'invalid_grant')
    expectTokens(await party.refresh(tokens.refresh_token), { id: true })
  })

  test('proves it has a key at all', async () => {
    expectError(await party.refresh(tokens.refresh_token, {}, { proof: null }), 400, 'invalid_dpop_proof')
  })

  test('cannot use the refresh token of another client', async () => {
    const stranger = createParty(freshClient(profile), party.key)
    expectError(await stranger.refresh(tokens.refresh_token), 400, 'invalid_grant')
    expectTokens(await party.refresh(tokens.refresh_token), { id: true })
  })

  test('50 times at once gets 50 tokens: nothing is used up', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => party.refresh(tokens.refresh_token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(new Set(answers.map(({ body }) => body['access_token'])).size).toBe(50)
  })

  test.each([
    ['an invented refresh token', 'invented-refresh-token-invented-refresh-tok'],
    ['an access token in its place', 'access'],
    ['an ID token in its place', 'id'],
  ])('cannot refresh with %s', async (_name, value) => {
    const token = { access: tokens.access_token, id: tokens.id_token }[value] ?? value
    expectError(await party.refresh(token), 400, 'invalid_grant')
  })

  test('without or with an empty refresh token is refused', async () => {
    expectError(await party.token({ grant_type: 'refresh_token' }), 400, 'invalid_request')
    expectError(await party.refresh(''), 400, 'invalid_request')
  })
})
