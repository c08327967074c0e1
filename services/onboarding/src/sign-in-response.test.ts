/**
 * The response with which a browser comes back from an OpenID provider: it is kept sealed, one caller alone asks with it, and the first
 * one stays.
 */

import { statement } from '@financial-agents/postgres/database'
import type { PolledDeviceAuthentication } from '@financial-agents/provider-port/device-authentication'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { finishSignIn } from './calls/finish-sign-in.ts'
import { startSignIn } from './calls/start-sign-in.ts'
import { openTestParts } from './opened.test-helper.ts'
import { claimResponse, hashSignInId } from './sign-ins-store.ts'

const parts = await openTestParts()
const lines: string[] = []
const log = createLog({ service: 'onboarding', level: 'debug', destination: { write: (line) => lines.push(line) } })
afterAll(() => parts.close())

const customer = { reference: 'per_ines', display_name: null, locale: 'en', timezone: 'UTC' }
const approved = { type: 'approved', credentials: 'a-token-of-ines', customer } as const

/** The played provider: what it answers, and the responses with which it was asked. */
const played = {
  answer: approved as PolledDeviceAuthentication,
  responses: [] as (string | undefined)[],
  wait: async () => {},
}
beforeEach(() => {
  played.answer = approved
  played.responses = []
  played.wait = async () => {}
  parts.clock.setOffsetMs(0)
})

const authentication = {
  providerName: 'bank',
  timeoutMs: 5_000,
  provider: {
    startDeviceAuthentication: async () =>
      ({
        type: 'started',
        authentication: 'verifier-and-nonce',
        hostedUrl: 'https://login.bank.example/authorize',
        expiresAt: new Date(parts.clock.now().getTime() + 600_000),
      }) as const,
    pollDeviceAuthentication: async ({ response }: { response?: string | undefined }) => {
      played.responses.push(response)
      await played.wait()
      return response === undefined ? ({ type: 'pending' } as const) : played.answer
    },
  },
}
const signIns = { ...parts, log, authentication }
const context = { requestId: 'test-request', traceparent: '', timeoutMs: 30_000 }
const [begin, finish] = [startSignIn(signIns), finishSignIn(signIns)]

async function start(): Promise<string> {
  const started = await begin({ return_url: 'https://api.example/sign-in/return?state=some' }, context)
  if (started.type !== 'started') throw new Error(started.type)
  return started.sign_in_id
}
const comeBack = (sign_in_id: string, response = 'code=the-code&state=some', timeoutMs = 30_000) =>
  finish({ sign_in_id, response }, { ...context, timeoutMs })

test('asked 50 times at once with a response, the provider is asked once, and every caller hears of the owner', async () => {
  const id = await start()
  const answers = await Promise.all(Array.from({ length: 50 }, () => comeBack(id)))
  expect(answers[0]).toMatchObject({ type: 'signed_in' })
  for (const answer of answers) expect(answer).toEqual(answers[0])
  expect(played.responses).toEqual(['code=the-code&state=some'])
})

test('without a response the owner is awaited', async () => {
  const id = await start()
  expect(await finish({ sign_in_id: id }, context)).toEqual({ type: 'pending' })
  expect(played.responses).toEqual([undefined])
})

test('a response that is not the provider’s ends the sign-in: no later one is asked with', async () => {
  const id = await start()
  played.answer = { type: 'refused', reason: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' }
  expect(await comeBack(id, 'code=wrong')).toEqual({ type: 'refused' })
  expect(lines.join('')).toContain('OAUTH_JWT_CLAIM_COMPARISON_FAILED')
  played.answer = approved
  expect(await comeBack(id)).toEqual({ type: 'refused' })
  expect(await finish({ sign_in_id: id }, context)).toEqual({ type: 'refused' })
  expect(played.responses).toEqual(['code=wrong'])
})

test('where the provider did not answer, the first response is asked with again, whoever asks', async () => {
  const id = await start()
  played.answer = { type: 'unavailable', reason: 'provider_unreachable' }
  expect(await comeBack(id)).toEqual({ type: 'unreachable' })
  expect(await comeBack(id, 'code=another')).toEqual({ type: 'unreachable' })
  played.answer = approved
  expect(await finish({ sign_in_id: id }, context)).toMatchObject({ type: 'signed_in' })
  expect(new Set(played.responses)).toEqual(new Set(['code=the-code&state=some']))
})

test('a caller whose time is over hears that there is no result yet; the exchange goes on and its result stays', async () => {
  const id = await start()
  const held = Promise.withResolvers<void>()
  played.wait = () => held.promise
  const first = comeBack(id, undefined, 100)
  await expect.poll(() => played.responses.length).toBe(1)
  expect(await comeBack(id, undefined, 100)).toEqual({ type: 'pending' })
  held.resolve()
  expect(await first).toMatchObject({ type: 'signed_in' })
  expect(await finish({ sign_in_id: id }, context)).toEqual(await first)
  expect(played.responses).toHaveLength(1)
})

test('a claim of a process that is gone ends by itself', async () => {
  const id = await start()
  const idHash = hashSignInId(id)
  const now = parts.clock.now()
  const responseSealed = parts.sealer.seal(
    Buffer.from('code=the-code&state=some'),
    `response to sign-in ${idHash.toString('hex')}`,
  )
  await claimResponse(parts.db, idHash, { responseSealed, until: new Date(now.getTime() + 10_000), now })
  expect(await comeBack(id, undefined, 100)).toEqual({ type: 'pending' })
  parts.clock.setOffsetMs(11_000)
  expect(await comeBack(id)).toMatchObject({ type: 'signed_in' })
})

test('a response is sealed while it is needed, and erased with the result', async () => {
  const id = await start()
  played.answer = { type: 'unavailable', reason: 'provider_timeout' }
  await comeBack(id)
  const all = statement('', `SELECT response_sealed, sign_ins::text AS text FROM sign_ins WHERE id_hash = $1`)
  const read = async () =>
    (await parts.db.rows<{ response_sealed: Buffer | null; text: string }>(all, [hashSignInId(id)]))[0]
  const kept = await read()
  expect(kept?.response_sealed?.toString('latin1')).toContain('test')
  expect(kept?.response_sealed?.toString('latin1')).not.toContain('the-code')
  played.answer = approved
  await comeBack(id)
  expect((await read())?.response_sealed).toBeNull()
  expect(lines.join('')).not.toMatch(/the-code|a-token-of-ines|verifier-and-nonce/)
})
