/**
 * Every end of authority, through all services with two replicas of the submitter, of which one or both are frozen. An
 * end is confirmed only once nothing under it can be claimed any more. One live replica is enough to confirm it.
 */

import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FenceTarget } from '@financial-agents/contract/kinds'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import { amara } from '@financial-agents/testkit/seed-clients'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { wordsOf } from '../authorization/page.ts'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
import { registerClients, writeChanged } from '../register-clients.ts'
import {
  activeMandate,
  beneficiaryBody,
  clientOf,
  confirmed,
  confirmedWrite,
  create,
  mandateBody,
  pollUntil,
  providerOf,
  settledResource,
  startTestStack,
  type TestStack,
  usualDeadline,
} from '../stack.test-helper.ts'
import {
  type Application,
  allDecided,
  claimedOf,
  connectApplication,
  isFenced,
  untilConfirmed,
  whileFrozen,
  withoutPolicies,
} from './ending.test-helper.ts'

const scopes = 'beneficiaries:read beneficiaries:write operations:read authorization:read spending:withdraw'
const connectionPath = '/v1/service-connections/current'
const replicas = 2

let stack: TestStack
let database: pg.Pool
let provider: ReturnType<typeof providerOf>
let client: ApiClient
let ines: Owner
let beneficiary_id: string

beforeAll(async () => {
  stack = await startTestStack({
    processes: ['submitter'],
    enabledCapabilities: ['transfers.execute'],
    registerClients: withoutPolicies,
    environment: {
      // Submitters are frozen, so what authz and onboarding ask them is not answered.
      all: { NATS_REQUEST_GRACE_MS: '0' },
      // Longer than a service waits for a frozen submitter, so that the service answers.
      gateway: { ...usualDeadline, REQUEST_DEADLINE_MS: '15000' },
      operations: { BACKGROUND_JOB_PAUSE_MS: '200', BACKGROUND_JOB_AFTER_MS: '500' },
    },
  })
  await stack.start('submitter')
  database = new pg.Pool({ connectionString: stack.postgres.adminUrl })
  provider = providerOf(stack)
  client = await clientOf(stack, 'ines-agent', scopes)
  ines = ownerOf(stack, 'ines')
  const made = await create(client, 'Rui Prado')
  beneficiary_id = made.body['resource_id'] as string
  await settledResource(client, `/v1/beneficiaries/${beneficiary_id}`, 'active')
})
afterAll(async () => {
  await database?.end()
  await stack.close()
})

const idOf = (answer: ApiResponse): string => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(202)
  return answer.body['id'] as string
}
const write = (by: Pick<ApiClient, 'request'>, path: string, body?: unknown) =>
  by.request('POST', path, { key: randomUUID(), ...(body ? { body } : {}) }).then(idOf)
const writeSome = (by: Pick<ApiClient, 'request'>, count = 6) =>
  Promise.all(Array.from({ length: count }, () => write(by, '/v1/beneficiaries', beneficiaryBody())))

/** Expects that no further write is claimed from now on. A write that was not claimed ends as cancelled. */
async function expectNothingClaimedFromHere(
  target: FenceTarget,
  id: string,
  written: readonly string[],
): Promise<void> {
  const before = await claimedOf(database, target, id)
  await allDecided(database, written)
  expect(await claimedOf(database, target, id)).toEqual(before)
}

describe.each([
  ['a revocation', (application: Application) => application.revoke(), 200],
  ['the replay of a code', (application: Application) => application.replayCode(), 400],
] as const)('%s', (_name, end, reported) => {
  test('is answered 503 with Retry-After until the fence is confirmed; the access token is refused at once', async () => {
    const application = await connectApplication(stack)
    const { grantId } = application
    const written = await whileFrozen(stack, replicas, async () => {
      const ids = await writeSome(application)
      expect((await application.request('GET', '/v1/operations')).status).toBe(200)
      const first = await end(application)
      expect((await application.request('GET', '/v1/operations')).status).toBe(401)
      expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1'])
      expect((await end(application)).status).toBe(503)
      return ids
    })
    expect((await untilConfirmed(() => end(application))).at(-1)).toBe(reported)
    expect(await isFenced(database, 'grant', grantId)).toBe(true)
    await expectNothingClaimedFromHere('grant', grantId, written)
  })

  test('is confirmed by the other replica where one is frozen', async () => {
    const application = await connectApplication(stack)
    const { grantId } = application
    await whileFrozen(stack, 1, async () => {
      const written = await writeSome(application)
      expect((await untilConfirmed(() => end(application))).at(-1)).toBe(reported)
      expect(await isFenced(database, 'grant', grantId)).toBe(true)
      await expectNothingClaimedFromHere('grant', grantId, written)
    })
  })
})

test('what waits for an approval when a revocation is answered is cancelled soon, and never paid if it is approved', async () => {
  const application = await connectApplication(stack)
  const body = { beneficiary_id, amount: '600', currency: 'EUR' }
  const waiting = await write(application, '/v1/spending-account/withdrawals', body)
  const { body: ready } = await pollUntil(application, waiting, [], 120_000, (read) => read['action_required'])
  expect((await application.revoke()).status).toBe(200)
  expect(wordsOf(await ines.read(`${stack.baseUrl}/account`))).not.toContain('Your provider asks for your approval')
  await expect.poll(() => stateOf(waiting), { timeout: 120_000, interval: 50 }).toBe('cancelled')
  await ines.decideAtProvider(ready['action_required'].url, 'approve')
  expect(await stateOf(waiting)).toBe('cancelled')
  expect(await provider.ledger(waiting)).toEqual([])
})

async function stateOf(id: string): Promise<string> {
  const { rows } = await database.query('SELECT state FROM operations.operations WHERE id = $1', [id])
  return rows[0].state
}

describe('a command', () => {
  /** Runs the command with the file while no submitter answers, and again afterwards. */
  async function end(by: ApiClient, run: () => Promise<string>): Promise<string[]> {
    const written = await whileFrozen(stack, replicas, async () => {
      const ids = await writeSome(by)
      expect(await run()).toMatch(/^not confirmed: .*may still be sent/m)
      return ids
    })
    expect(await run()).not.toContain('not confirmed')
    return written
  }

  test('apply-clients returns after the fences of a removed client are confirmed, or says that they are not', async () => {
    const by = await clientOf(stack, 'ines-bookkeeper', 'beneficiaries:write operations:read')
    const place = { clientsFile: stack.declarations.clientsFile, folder: stack.folder }
    const file = await writeChanged(place, (all) => all.filter(({ client_id }) => client_id !== 'ines-bookkeeper'))
    const written = await end(by, () => stack.runCommand('authz', 'apply-clients', [file]))
    expect(await isFenced(database, 'client', 'ines-bookkeeper')).toBe(true)
    await expectNothingClaimedFromHere('client', 'ines-bookkeeper', written)
  })

  test('apply-bindings returns after the fence of a removed connection is confirmed, or says that it is not', async () => {
    const by = await clientOf(stack, 'amara-agent', `${scopes} services:read`)
    const binding = (await by.request('GET', connectionPath)).body['id'] as string
    const { bindingsFile } = stack.declarations
    const { bindings } = parse(await readFile(bindingsFile, 'utf8')) as { bindings: { owner_id: string }[] }
    const file = join(stack.folder, 'bindings-without-amara.yaml')
    await writeFile(file, stringify({ bindings: bindings.filter(({ owner_id }) => owner_id !== amara.owner_id) }))
    const written = await end(by, () => stack.runCommand('onboarding', 'apply-bindings', [file]))
    expect(await isFenced(database, 'binding', binding)).toBe(true)
    await expectNothingClaimedFromHere('binding', binding, written)
    // The account acts over the connection that is declared anew only after its own new declaration.
    await stack.runCommand('onboarding', 'apply-bindings', [bindingsFile])
    await registerClients(stack, (all) => all.filter(({ client_id }) => client_id !== 'amara-agent'))
    await registerClients(stack, (all) => all)
    await expect.poll(async () => (await by.request('GET', '/v1/beneficiaries')).status, { timeout: 120_000 }).toBe(200)
  })
})

describe('a mandate', () => {
  test.each(['suspend', 'revoke'] as const)(
    'has its fence before its %s is seen to have succeeded, also where a replica is frozen',
    async (action) => {
      const mandates: string[] = []
      for (let made = 0; made < 2; made += 1)
        mandates.push(await activeMandate(client, ines, mandateBody(beneficiary_id)))
      await whileFrozen(stack, 1, async () => {
        for (const id of mandates) {
          const path = `/v1/mandates/${id}`
          const pay = { amount: '1', currency: 'EUR' }
          const paid = await Promise.all(Array.from({ length: 4 }, () => write(client, `${path}/transfers`, pay)))
          const asked =
            action === 'suspend'
              ? await write(client, `${path}/suspend`)
              : idOf(await confirmedWrite(client, ines, 'mandate_revoke', { path: `${path}/revoke` }))
          await pollUntil(client, asked, ['succeeded'])
          expect(await isFenced(database, 'mandate', id)).toBe(true)
          await expectNothingClaimedFromHere('mandate', id, paid)
        }
      })
    },
  )
})

describe('a disconnect by a client', () => {
  const disconnect = async (by: ApiClient, owner: Owner) => {
    const intent = await confirmed(by, owner, 'service_disconnect', { path: connectionPath })
    return () => by.request('DELETE', connectionPath, { headers: { 'Confirmation-Intent-ID': intent } })
  }

  test('is answered 204 only once the fence is confirmed; until then it may be repeated', async () => {
    const by = await clientOf(stack, 'amara-agent', `${scopes} services:read`)
    const binding = (await by.request('GET', connectionPath)).body['id'] as string
    const send = await disconnect(by, ownerOf(stack, 'amara'))
    const written = await whileFrozen(stack, replicas, async () => {
      const ids = await writeSome(by)
      const { status, body } = await send()
      expect([status, body['code'], body['retryable']]).toEqual([503, 'service_unavailable', true])
      expect(body['detail']).toMatch(/ending.*same confirmation/i)
      expect((await by.request('GET', '/v1/beneficiaries')).body['code']).toBe('provider_connection_unavailable')
      return ids
    })
    expect((await untilConfirmed(send)).at(-1)).toBe(204)
    expect(await isFenced(database, 'binding', binding)).toBe(true)
    await expectNothingClaimedFromHere('binding', binding, written)
  })

  test('is confirmed by the other replica where one is frozen', async () => {
    const by = await clientOf(stack, 'ines-agent', `${scopes} services:read`)
    const binding = (await by.request('GET', connectionPath)).body['id'] as string
    const send = await disconnect(by, ines)
    await whileFrozen(stack, 1, async () => {
      const written = await writeSome(by)
      expect((await untilConfirmed(send)).at(-1)).toBe(204)
      expect(await isFenced(database, 'binding', binding)).toBe(true)

      await expectNothingClaimedFromHere('binding', binding, written)
    })
  })
})

test('the provider never saw a reference twice', async () => {
  expect((await provider.summary()).repeated).toEqual([])
})
