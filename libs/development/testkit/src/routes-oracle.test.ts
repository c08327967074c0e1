/** The promised properties of every route, copied by hand. No line of this file derives from the table under test. */

import { problemCatalogue } from '@financial-agents/contract/problem-catalogue'
import { problemsOf } from '@financial-agents/contract/problems-of'
import { type Route, routeString } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { expect, test } from 'vitest'
import { byKind, kindsOracle } from './kinds-oracle.ts'

/**
 * The reads below each path: scope (`—`: no credentials) and marks. A read answers 200. A new read below one of these paths
 * needs what they need.
 */
const promisedReads = `
/v1/health | — |
/v1/metadata | — |
/v1/public-config | — |
/v1/openapi.json | — |
/v1/reference-data | — |
/v1/accounts | accounts:read | B
/v1/activity | activity:read | B
/v1/authorization | authorization:read |
/v1/confirmation-intents | spending:withdraw services:read |
/v1/identity | identity:read |
/v1/kyc | kyc:read |
/v1/onboarding | kyc:read |
/v1/service-connections | services:read |
/v1/session | — | S
/v1/beneficiaries | beneficiaries:read | B
/v1/mandates | authorization:read | B
/v1/cards | cards:read | B
/v1/operations | operations:read | B
/v1/transfers | operations:read | B
/v1/webhook-subscriptions | operations:read |
/v1/purchases | purchases:read | B
/v1/services | services:read |
/v1/spending-account | spending:read | B
/v1/ops | ops:read |
`

/**
 * Every other route, scope, success, marks; those that start an operation are in the oracle of kinds. K: keyed write. C: needs a confirmation. c: needs one if the
 * policy says so. B: needs the binding. T and R: gated by `transfers.execute` and `cards.reveal`. O: errors have
 * `refresh_onboarding`. U: must not simply be repeated after a missing answer. S: answers by the browser's session.
 */
const promised = `
POST /v1/confirmation-intents | spending:withdraw services:read | 201 |
POST /v1/kyc/sessions | kyc:read | 201 |
POST /v1/cards/{card_id}/reveals | cards:manage | 201 | B R
POST /v1/operations/{operation_id}/approval/poll | operations:read | 200 | B
POST /v1/webhook-subscriptions | operations:read | 201 | U
DELETE /v1/webhook-subscriptions/{id} | operations:read | 204 |
POST /v1/webhook-subscriptions/{id}/rotate-secret | operations:read | 200 |
POST /v1/webhook-subscriptions/{id}/deliveries/{delivery_id}/resend | operations:read | 200 |
POST /v1/spending-account/withdrawals/check | spending:withdraw | 200 | B T
POST /v1/mandates/{mandate_id}/transfers/check | spending:withdraw | 200 | B T
POST /v1/quotes | transfers:quote | 201 | B
POST /v1/purchases/quotes | purchases:read | 201 | B
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
const isRead = ({ method }: Route) => method === 'GET'
const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim())
const linesOf = (table: string) => table.trim().split('\n').map(cellsOf)

/** The words of a cell; none if it is empty. */
const wordsOf = (cell = '') => cell.split(' ').filter((word) => word !== '')

function expectPromise(row: Route | undefined, scope: string, status: string, columns: string | undefined): void {
  expect(
    row && { scope: row.scope === null ? ['—'] : [row.scope].flat(), status: row.status, marks: marks(row) },
  ).toEqual({ scope: wordsOf(scope), status: Number(status), marks: wordsOf(columns) })
  expect(row?.audience).toBe(row?.path.startsWith('/v1/ops/') ? 'operator' : 'customer')
}

test.each(rows.filter(isRead).map((row) => [row.path, row] as const))('GET %s', (path, row) => {
  const [found, ...others] = linesOf(promisedReads).filter(([prefix]) => `${path}/`.startsWith(`${prefix}/`))
  expect(others).toEqual([])
  const [, scope = '', columns] = found ?? []
  expectPromise(row, scope, '200', columns)
})

const others = [...linesOf(promised), ...Object.values(kindsOracle).map(({ route }) => cellsOf(route))]

test.each(others)('%s', (name = '', scope = '', status = '', columns = '') => {
  expectPromise(
    rows.find((one) => routeString(one) === name),
    scope,
    status,
    columns,
  )
})

test('every route that changes something is promised, and occurs once; every promised path has a read', () => {
  const names = others.map(([name]) => name)
  const changing = rows.filter((row) => !isRead(row))
  expect(new Set(changing.map(routeString))).toEqual(new Set(names))
  expect(changing).toHaveLength(names.length)
  for (const [prefix] of linesOf(promisedReads))
    expect(rows.filter(isRead).some(({ path }) => path.startsWith(`${prefix}`))).toBe(true)
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

test('each kind of operation is opened by the route that was promised, and every keyed route opens one', () => {
  const opened = rows.flatMap((row) => (row.opens === null ? [] : [[row.opens, routeString(row)] as const]))
  expect(new Map(opened)).toEqual(new Map(Object.entries(byKind(({ route }) => cellsOf(route)[0]))))
  expect(opened).toHaveLength(new Set(opened.map(([kind]) => kind)).size)
  expect(rows.filter(({ keyed, opens }) => keyed && opens === null)).toEqual([])
})
