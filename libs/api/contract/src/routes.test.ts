/** The promised properties of every route, copied by hand. No line of this file derives from the table under test. */

import { expect, test } from 'vitest'
import { operationKinds } from './machine/kinds.ts'
import { problemCatalogue } from './problem-catalogue.ts'
import { problemsOf } from './problems-of.ts'
import { type Route, routeString } from './route.ts'
import { routes } from './routes.ts'

/**
 * Route, scope (`—`: no credentials), success, marks. K: keyed write. C: needs a confirmation. c: needs one if the
 * policy says so. B: needs the binding. T and R: gated by `transfers.execute` and `cards.reveal`. O: errors have
 * `refresh_onboarding`. U: must not simply be repeated after a missing answer. S: answers by the browser's session.
 */
const promised = `
GET /v1/health | — | 200 |
GET /v1/metadata | — | 200 |
GET /v1/public-config | — | 200 |
GET /v1/openapi.json | — | 200 |
GET /v1/reference-data/assets | — | 200 |
GET /v1/reference-data/fiat-prices | — | 200 |
GET /v1/accounts | accounts:read | 200 | B
GET /v1/accounts/{account_id} | accounts:read | 200 | B
GET /v1/accounts/withdrawal-limits | accounts:read | 200 | B
GET /v1/activity | activity:read | 200 | B
GET /v1/authorization | authorization:read | 200 |
POST /v1/confirmation-intents | spending:withdraw services:read | 201 |
GET /v1/confirmation-intents/{intent_id} | spending:withdraw services:read | 200 |
GET /v1/identity | identity:read | 200 |
GET /v1/kyc | kyc:read | 200 |
POST /v1/kyc/sessions | kyc:read | 201 |
GET /v1/onboarding | kyc:read | 200 |
GET /v1/service-connections/current | services:read | 200 |
DELETE /v1/service-connections/current | services:read | 204 | C O U
GET /v1/session | — | 200 | S
GET /v1/beneficiaries | beneficiaries:read | 200 | B
GET /v1/beneficiaries/{beneficiary_id} | beneficiaries:read | 200 | B
GET /v1/beneficiaries/payout-schemas | beneficiaries:read | 200 | B
GET /v1/beneficiaries/payout-schemas/{payout_schema_id} | beneficiaries:read | 200 | B
GET /v1/beneficiaries/address-countries | beneficiaries:read | 200 | B
GET /v1/beneficiaries/virtual-account-economics | beneficiaries:read | 200 | B
POST /v1/beneficiaries | beneficiaries:write | 202 | K B O U
GET /v1/mandates | authorization:read | 200 | B
GET /v1/mandates/{mandate_id} | authorization:read | 200 | B
POST /v1/mandates | spending:withdraw | 202 | K C B O U
POST /v1/mandates/{mandate_id}/suspend | spending:withdraw | 202 | K B U
POST /v1/mandates/{mandate_id}/revoke | spending:withdraw | 202 | K C B O U
POST /v1/mandates/{mandate_id}/transfers | spending:withdraw | 202 | K B T U
GET /v1/cards | cards:read | 200 | B
GET /v1/cards/{card_id} | cards:read | 200 | B
GET /v1/cards/{card_id}/activity | cards:read | 200 | B
POST /v1/cards | cards:manage | 202 | K B U
POST /v1/cards/{card_id}/freeze | cards:manage | 202 | K B U
POST /v1/cards/{card_id}/unfreeze | cards:manage | 202 | K B U
POST /v1/cards/{card_id}/close | cards:manage | 202 | K B U
POST /v1/cards/{card_id}/reveals | cards:manage | 201 | B R
GET /v1/operations | operations:read | 200 | B
GET /v1/operations/{id} | operations:read | 200 | B
POST /v1/operations/{operation_id}/approval/poll | operations:read | 200 | B
GET /v1/transfers | operations:read | 200 | B
GET /v1/transfers/{transfer_id} | operations:read | 200 | B
POST /v1/webhook-subscriptions | operations:read | 201 | U
GET /v1/webhook-subscriptions | operations:read | 200 |
GET /v1/webhook-subscriptions/{id} | operations:read | 200 |
DELETE /v1/webhook-subscriptions/{id} | operations:read | 204 |
POST /v1/webhook-subscriptions/{id}/rotate-secret | operations:read | 200 |
GET /v1/webhook-subscriptions/{id}/deliveries | operations:read | 200 |
POST /v1/quotes | transfers:quote | 201 | B
POST /v1/purchases/quotes | purchases:read | 201 | B
GET /v1/purchases/quotes/{quote_id} | purchases:read | 200 | B
GET /v1/purchases | purchases:read | 200 | B
GET /v1/purchases/{purchase_id} | purchases:read | 200 | B
GET /v1/services | services:read | 200 |
GET /v1/services/{service_id} | services:read | 200 |
GET /v1/spending-account | spending:read | 200 | B
POST /v1/spending-account/withdrawals | spending:withdraw | 202 | K c B T U
GET /v1/ops/operations | ops:read | 200 |
GET /v1/ops/operations/{operation_id} | ops:read | 200 |
GET /v1/ops/grants | ops:read | 200 |
POST /v1/ops/grants/{grant_id}/suspend | ops:suspend | 200 | U
`

const marks = (row: Route) =>
  [
    row.keyed && 'K',
    row.confirmation?.needed === 'always' && 'C',
    row.confirmation?.needed === 'by_policy' && 'c',
    row.binding && 'B',
    row.capability === 'transfers.execute' && 'T',
    row.capability === 'cards.reveal' && 'R',
    row.refreshOnboarding && 'O',
    problemsOf(row).includes('acceptance_unknown') && 'U',
    row.browserSession && 'S',
  ].filter((mark) => mark !== false)

const rows: readonly Route[] = Object.values(routes)
const lines = promised.trim().split('\n')

test.each(lines)('%s', (line) => {
  const [name = '', scope = '', status = '', columns = ''] = line.split('|').map((cell) => cell.trim())
  const row = rows.find((one) => routeString(one) === name)
  expect(
    row && { scope: row.scope === null ? ['—'] : [row.scope].flat(), status: row.status, marks: marks(row) },
  ).toEqual({
    scope: scope.split(' '),
    status: Number(status),
    marks: columns === '' ? [] : columns.split(' '),
  })
  expect(row?.audience).toBe(name.includes('/v1/ops/') ? 'operator' : 'customer')
})

test('every route is promised, and occurs once', () => {
  const names = lines.map((line) => line.split(' |')[0] ?? '')
  expect(rows.map(routeString).toSorted()).toEqual(names.toSorted())
})

test('the errors of exactly four routes carry refresh_onboarding', () => {
  expect(
    rows
      .filter(({ refreshOnboarding }) => refreshOnboarding)
      .map(routeString)
      .toSorted(),
  ).toEqual([
    'DELETE /v1/service-connections/current',
    'POST /v1/beneficiaries',
    'POST /v1/mandates',
    'POST /v1/mandates/{mandate_id}/revoke',
  ])
})

test('exactly the listed problems allow the request to be repeated', () => {
  const retryable = Object.entries(problemCatalogue).filter(([, problem]) => problem.retryable)
  expect(retryable.map(([code]) => code).toSorted()).toEqual([
    'authorization_unavailable',
    'provider_unavailable',
    'rate_limited',
    'service_unavailable',
    'use_dpop_nonce',
  ])
})

test('each kind of operation is opened by one route, and every keyed route opens one', () => {
  const opened = Object.values<Route>(routes).flatMap(({ opens }) => opens ?? [])
  expect(opened.toSorted()).toEqual([...operationKinds].toSorted())
  for (const row of Object.values<Route>(routes).filter(({ keyed }) => keyed))
    expect(row.opens, row.path).not.toBeNull()
})
