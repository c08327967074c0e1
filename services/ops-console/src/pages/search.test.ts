import { type FakeIdentityProvider, startFakeIdentityProvider } from '@financial-agents/testkit/fake-identity-provider'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBrowser } from '../browser.test-helper.ts'
import { type Stack, startStack } from '../console.test-helper.ts'
import { consoleUrl } from '../operator-client.test-helper.ts'
import { grantRow, operationRow } from '../stub-services.test-helper.ts'
import { cell } from './export.ts'

let provider: FakeIdentityProvider
let stack: Stack
let browser: ReturnType<typeof createBrowser>

beforeAll(async () => {
  provider = await startFakeIdentityProvider({ redirectUris: [`${consoleUrl}/ops/signed-in`] })
  stack = await startStack({
    config: {
      OPERATOR_IDP_ISSUER: provider.issuer,
      OPERATOR_IDP_CLIENT_ID: provider.clientId,
      OPERATOR_IDP_CLIENT_SECRET: provider.clientSecret,
      LOG_URL_TEMPLATE: 'https://logs.example/?q={id}',
    },
  })
  browser = createBrowser(stack.gateway)
  await browser.signIn('jonas.brandt')
})
afterAll(async () => {
  await stack.stop()
  await provider.stop()
})

const operation = operationRow(1, { upstream_reference: 'tr_7', trace_id: 'a'.repeat(32), client_id: 'tally' })
const grant = grantRow(1, { grant_id: operation.grant_id, subject: 'their-subject' })

beforeEach(() => {
  stack.known.operations = [operation, operationRow(2, { client_id: 'other' })]
  stack.known.grants = [{ ...grant, client: { ...grant.client, id: 'tally' } }]
  stack.known.owners = new Map([['cus_9', { owner_id: 'internal', grant_ids: [grant.grant_id] }]])
})

const search = (q: string) => browser.ask(`/ops/search?q=${encodeURIComponent(q)}`)

describe('a search', () => {
  test.each([
    ['an operation', operation.operation_id, `/ops/operations/${operation.operation_id}`],
    ['a grant', grant.grant_id, `/ops/grants/${grant.grant_id}`],
    ['a resource', operation.resource_id, `/ops/operations?resource_id=${operation.resource_id}`],
    ['a reference of the provider', 'tr_7', '/ops/operations?upstream_reference=tr_7'],
    ['a subject', ' their-subject ', '/ops/grants?subject=their-subject'],
    ['a trace', `00-${'a'.repeat(32)}-b7ad6b7169203331-01`, `/ops/operations?trace_id=${'a'.repeat(32)}`],
  ])('for %s leads to it', async (_name, asked, path) => {
    const answer = await search(asked)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
  })

  test.each([
    ['a client', 'tally', ['/ops/operations?client_id=tally', '/ops/grants?client_id=tally']],
    ['a person', 'cus_9', ['/ops/operations?owner=cus_9', '/ops/grants?owner=cus_9']],
  ])('for %s lists what there is of it', async (_name, asked, paths) => {
    const { status, text } = await search(asked)
    expect(status).toBe(200)
    for (const path of paths) expect(text).toContain(`href="${path}"`)
    expect(text).not.toContain('internal"')
  })

  test.each([
    ['one that the gateway made', '5f1c6f0e-6d0c-4c7e-9a55-0c8f7f0c1d2e'],
    ['one of a client', 'client-request-0042'],
  ])('for a request id, %s, leads to the logs, which alone know it', async (_name, requestId) => {
    const { status, text } = await search(requestId)
    expect(status).toBe(200)
    expect(text).toContain(`href="https://logs.example/?q=${requestId}"`)
  })

  test('for anything else finds nothing, and leads to the logs', async () => {
    for (const asked of ['nobody-knows', '<script>', 'NUL\0', '0190c000-0000-7000-8000-000000000000']) {
      const { status, text } = await search(asked)
      expect(status).toBe(200)
      expect(text).toContain('Nothing has the id')
      expect(text).toContain(`https://logs.example/?q=${encodeURIComponent(asked)}`)
      expect(text).not.toContain('<script>')
    }
    expect((await search('x'.repeat(201))).text).toContain('at most 200 characters')
    expect((await browser.ask('/ops/search')).status).toBe(200)
  })
})

test('a list as CSV has its rows and filters, is saved and not shown, and each download is in the audit', async () => {
  for (let time = 0; time < 2; time += 1) {
    const { status, headers, text } = await browser.ask('/ops/operations.csv?client_id=tally&cursor=ignored')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="operations.csv"')
    const lines = text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^operation,kind,state,/)
    expect(lines[1]).toContain(operation.operation_id)
  }
  const downloads = (await stack.audit()).filter(({ action }) => action === 'exportOperations')
  expect(downloads).toMatchObject([1, 2].map(() => ({ outcome: 'answered', detail: { client_id: 'tally' } })))
  expect((await browser.ask('/ops/grants.csv')).text).toContain(grant.grant_id)
  expect((await browser.ask('/ops/operations.csv?state=elsewhere')).status).toBe(404)
})

test.each([
  ['=1+1', "'=1+1"],
  ['-2', "'-2"],
  ['a,"b"\n', '"a,""b""\n"'],
  [-2, '-2'],
  [null, ''],
])('the cell of %j is %j', (value, text) => {
  expect(cell(value)).toBe(text)
})
