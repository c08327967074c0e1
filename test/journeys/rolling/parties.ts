/**
 * The clients: service accounts of two owners, each with a key of its own, and an application that a person signed in
 * to.
 */

import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Seed, writeClientKey } from '@financial-agents/testkit/seed'
import { parse, stringify } from 'yaml'
import { type Arrival, createBrowser } from '../../authorization/browser.ts'
import { type Person, people } from '../../authorization/flow.ts'
import { pressable } from '../../authorization/page.ts'
import type { TestStack } from '../../stack.test-helper.ts'
import type { Form, LoadClient } from './client.ts'

export type Account = { clientId: string; currency: string; payout: object }

const owners = [
  {
    owner_id: '01980000-0000-7000-8000-000000000001',
    currency: 'EUR',
    payout: { country: 'PT', payout_schema_id: 'sepa_pt_eur', details: { iban: 'PT50000201231234567890154' } },
  },
  {
    owner_id: '01980000-0000-7000-8000-000000000002',
    currency: 'GBP',
    payout: {
      country: 'GB',
      payout_schema_id: 'fps_gb_gbp',
      details: { sort_code: '601613', account_number: '31926819' },
    },
  },
]

export const scope =
  'accounts:read activity:read authorization:read beneficiaries:read beneficiaries:write cards:manage cards:read identity:read kyc:read operations:read purchases:read services:read spending:read transfers:quote'

const accountCount = 12

export const accounts: Account[] = Array.from({ length: accountCount }, (_, index) => {
  const { currency, payout } = owners[index % owners.length] as (typeof owners)[number]
  return { clientId: `load-${index + 1}`, currency, payout }
})

/** Declares the accounts in addition to the seeded clients. */
export async function declareAccounts(folder: string, { clientsFile }: Seed): Promise<string> {
  const { clients } = parse(await readFile(clientsFile, 'utf8')) as { clients: unknown[] }
  for (const [index, { clientId: client_id }] of accounts.entries()) {
    const { jwks } = await writeClientKey(folder, client_id)
    const service_owner = owners[index % owners.length]?.owner_id
    clients.push({ client_id, name: client_id, profile: 'service', jwks, scopes: scope.split(' '), service_owner })
  }
  const file = join(folder, 'clients-with-load.yaml')
  await writeFile(file, stringify({ clients }, { aliasDuplicateObjects: false }))
  return file
}

const tally = { client_id: 'tally', redirect_uri: 'http://127.0.0.1:9/callback' }

/** Signs a person in and allows an application to read; returns the form that refreshes its tokens. */
export async function signIn(stack: TestStack, client: LoadClient): Promise<Form> {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    ...tally,
    response_type: 'code',
    scope: 'operations:read identity:read',
    state: randomBytes(12).toString('base64url'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    dpop_jkt: client.jkt,
    resource: stack.baseUrl,
  })
  const code = await consentOf(stack, `${stack.baseUrl}/oauth/authorize?${query.toString()}`)
  const form = { grant_type: 'authorization_code', ...tally, code, code_verifier: verifier, resource: stack.baseUrl }
  const { status, body } = await client.token('sign in', () => form)
  if (status !== 200) throw new Error(`the code was refused: ${JSON.stringify(body)}`)
  return { grant_type: 'refresh_token', client_id: tally.client_id, refresh_token: body.refresh_token }
}

/** Signs a person in if the page asks for it, and allows the request; returns the code. */
export async function consentOf(stack: TestStack, url: string, person: Person = 'ines'): Promise<string> {
  const providerUrl = new URL(stack.providerUrl).origin
  const browser = createBrowser(undefined, { baseUrl: stack.baseUrl, providerUrl })
  const steps: [RegExp, { [name: string]: string }][] = [
    [/^(?:connect and )?allow$/i, {}],
    [/^sign in at your provider$/i, {}],
    [/^approve$/i, { test_user: people[person] }],
  ]
  let here: Arrival = await browser.open(url)
  for (let count = 0; count < 6 && here.page; count += 1) {
    const { page } = here
    const [button, choices] = steps.find(([pattern]) => pressable(page, pattern)) ?? []
    if (!button) break
    here = await browser.press(page, button, choices)
  }
  const code = here.left?.params.get('code')
  if (!code) throw new Error('signing in did not end with a code')
  return code
}
