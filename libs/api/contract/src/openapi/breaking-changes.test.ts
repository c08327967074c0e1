/** The document against the released one, if there is one, and the comparison itself: each change that breaks clients is noticed. */

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { breakingChanges } from './breaking-changes.ts'
import type { OpenapiDocument } from './document.ts'

const generated = join(import.meta.dirname, '../../generated')
const read = async (name: string) => JSON.parse(await readFile(join(generated, name), 'utf8')) as OpenapiDocument
const current = await read('openapi.json')
/** The released documents: none before the first release. */
const released = ['released/openapi.json'].filter((name) => existsSync(join(generated, name)))

const majorOf = (document: OpenapiDocument) => (document['info'] as { version: string }).version.split('.')[0]

/** The sentences about what breaks clients, unless the version says so. */
const broken = (before: OpenapiDocument, after: OpenapiDocument) =>
  majorOf(before) === majorOf(after) ? breakingChanges(before, after) : []

test('the document breaks no client of a released one, unless its version says so', async () => {
  for (const name of released) expect(broken(await read(name), current)).toEqual([])
  const without = structuredClone(current) as Loose
  delete without.paths['/v1/cards'].get
  expect(broken(current, without)).toEqual(['GET /v1/cards is gone'])
  without.info.version = '2.0.0'
  expect(broken(current, without)).toEqual([])
})

// oxlint-disable-next-line typescript/no-explicit-any -- a test changes any part
type Loose = any
type Change = (document: Loose) => unknown

const schema = (document: Loose, name: string) => document.components.schemas[name]
const operation = (document: Loose, path: string, method: string) => document.paths[path][method]

const breaks: [what: RegExp, change: Change][] = [
  [/^GET \/v1\/cards is gone$/, (d) => delete d.paths['/v1/cards'].get],
  [/is now called readCards$/, (d) => (operation(d, '/v1/cards', 'get').operationId = 'readCards')],
  [/^the schema Card is gone$/, (d) => delete d.components.schemas.Card],
  [/^the webhook POST operationMoved is gone$/, (d) => delete d.webhooks.operationMoved],
  [
    /no longer takes \{"dpop":\["cards:read"\]\}/,
    (d) => (operation(d, '/v1/cards', 'get').security = [{ dpop: ['cards:manage'] }]),
  ],
  [/no longer takes query cursor$/, (d) => operation(d, '/v1/cards', 'get').parameters.shift()],
  [
    /newly requires query owner$/,
    (d) => operation(d, '/v1/cards', 'get').parameters.push({ name: 'owner', in: 'query', required: true, schema: {} }),
  ],
  [/no longer answers 200$/, (d) => delete operation(d, '/v1/cards', 'get').responses[200]],
  [/the body of .*\.label is gone$/, (d) => delete schema(d, 'CreateCardRequest').properties.label],
  [/\.label is newly required$/, (d) => schema(d, 'CreateCardRequest').required.push('label')],
  [/\.label: maxLength is 10$/, (d) => (schema(d, 'CreateCardRequest').properties.label.maxLength = 10)],
  [/\.payment_count: minimum is 2$/, (d) => (schema(d, 'CreateMandateRequest').properties.payment_count.minimum = 2)],
  [/\.memo: pattern is/, (d) => (schema(d, 'CreateWithdrawalRequest').properties.memo.pattern = '^a$')],
  [/\.events: minItems is 2$/, (d) => (schema(d, 'CreateWebhookSubscriptionRequest').properties.events.minItems = 2)],
  [/no longer takes physical$/, (d) => schema(d, 'CardType').enum.pop()],
  [/\.state can be lost$/, (d) => schema(d, 'CardState').enum.push('lost')],
  [/\.state is no longer one of certain values$/, (d) => delete schema(d, 'OperationState').enum],
  [/\.last_four is gone$/, (d) => delete schema(d, 'Card').properties.last_four],
  [/\.last_four can be absent$/, (d) => (schema(d, 'Card').required = ['id'])],
  [/\.name can be null$/, (d) => (schema(d, 'Beneficiary').properties.name.type = ['string', 'null'])],
  [/\.created_at has the format undefined$/, (d) => delete schema(d, 'Card').properties.created_at.format],
  [
    /\.balance is SpendingAccount instead/,
    (d) => (schema(d, 'Account').properties.balance.$ref = '#/components/schemas/SpendingAccount'),
  ],
  [/\.action_required can be #/, (d) => schema(d, 'ActionRequired').oneOf.push({ $ref: '#/components/schemas/Card' })],
  [
    /\.failure_code can be integer$/,
    (d) => schema(d, 'Operation').properties.failure_code.anyOf.push({ type: 'integer' }),
  ],
  [/^404 of .*\.retryable is gone$/, (d) => delete schema(d, 'Problem').properties.retryable],
  [/^the webhook .*\.data is gone$/, (d) => delete schema(d, 'WebhookPayload').properties.data],
]

test.each(breaks)('%s is noticed', (what, change) => {
  const changed = structuredClone(current)
  change(changed)
  expect(breakingChanges(current, changed).filter((sentence) => what.test(sentence))).not.toEqual([])
})

const keeps: [name: string, change: Change][] = [
  ['a new route', (d) => (d.paths['/v1/more'] = { get: operation(d, '/v1/cards', 'get') })],
  ['a new member of an answer', (d) => (schema(d, 'Card').properties.network = { type: 'string' })],
  ['a new optional member of a body', (d) => (schema(d, 'CreateCardRequest').properties.color = { type: 'string' })],
  [
    'a new optional parameter',
    (d) =>
      operation(d, '/v1/cards', 'get').parameters.push({ name: 'state', in: 'query', required: false, schema: {} }),
  ],
  ['a new value of a list that may grow', (d) => schema(d, 'FailureCode')['x-extensible-enum'].push('new')],
  ['a new problem code', (d) => d.components.responses.Conflict['x-problem-codes'].push('new')],
  ['a wider bound of a body', (d) => (schema(d, 'CreateCardRequest').properties.label.maxLength = 100)],
  ['other words', (d) => (schema(d, 'Card').properties.id.description = 'Another sentence.')],
]

test.each(keeps)('%s breaks nobody', (_name, change) => {
  const changed = structuredClone(current)
  change(changed)
  expect(breakingChanges(current, changed)).toEqual([])
})
