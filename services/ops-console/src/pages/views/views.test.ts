import { existsSync } from 'node:fs'
import { operationStates, transitions } from '@financial-agents/contract/machine'
import type {
  OperatorGrant,
  OperatorOperation,
  OperatorOperationDetail,
} from '@financial-agents/contract/schemas/operator'
import type { Page } from '@financial-agents/pages/page'
import { describe, expect, test } from 'vitest'
import type { Writes } from '../../operations/writes.ts'
import type { AuditRecord } from '../../store/audit.ts'
import { consoleHeaders, renderConsolePage, renderFragment } from '../layout.ts'
import { outsideLinks } from '../outside-links.ts'
import { auditView } from './audit.ts'
import { adviceOn } from './do-now.ts'
import { grantView } from './grant.ts'
import { grantsView } from './grants.ts'
import { operationView } from './operation.ts'
import { operationFilters, operationsView } from './operations.ts'
import { overviewView } from './overview.ts'
import { providerView } from './provider.ts'
import { searchView } from './search.ts'
import { signInView } from './sign-in.ts'
import { suspendView, unconfirmedView } from './suspend.ts'
import { suspendClientView } from './suspend-client.ts'
import { writesBanner, writesView } from './writes.ts'
import { wrongFilterView } from './wrong-filter.ts'

const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(2)>&`
const now = new Date('2026-11-20T20:20:00.000Z')
const at = '2026-11-20T20:18:05.000Z'
const publicUrl = 'https://api.example'
const links = outsideLinks({
  LOG_URL_TEMPLATE: 'https://logs.example/?q={id}',
  TRACE_URL_TEMPLATE: 'https://traces.example/{id}',
  RUNBOOK_BASE_URL: 'https://runbooks.example/pages/',
})
const session = {
  operator: { id: hostile, name: hostile },
  scopes: ['ops:read', 'ops:suspend'] as const,
  formToken: { csrf_token: hostile },
}
const counts = Object.fromEntries(operationStates.map((state) => [state, 1])) as Record<
  (typeof operationStates)[number],
  number
>
const operation: OperatorOperation = {
  id: hostile,
  kind: 'transfer',
  state: 'indeterminate',
  submission_uncertain: true,
  failure_code: 'provider_timeout',
  failure_detail: hostile,
  created_at: at,
  updated_at: at,
  resource_id: hostile,
  resource_type: 'withdrawal',
  next_reconcile_at: '2026-11-20T20:20:12.000Z',
  upstream_reference: hostile,
  subject: hostile,
  client: { id: hostile, name: hostile },
  grant_id: hostile,
  mandate_id: hostile,
  trace_id: hostile,
  payment: { amount: '12.50', currency: 'EUR' },
  review: true,
  review_reason: hostile,
  age_seconds: 115,
}
const { event: _event, basis: _basis, ...move } = transitions[0]
const detail: OperatorOperationDetail = {
  ...operation,
  history: [
    {
      ...move,
      sequence: 1,
      at,
      reason: hostile,
      evidence: { read: hostile, result: hostile, observed_at: at, digest: hostile },
    },
    {
      from: 'submitting',
      to: 'indeterminate',
      by: 'submitter',
      sequence: 2,
      at: '2026-11-20T20:18:09.200Z',
      reason: 'provider_timeout',
      evidence: null,
    },
  ],
  reads: {
    count: 12,
    not_found: 11,
    items: [{ read: hostile, result: 'not_found', observed_at: at, digest: hostile }],
    late_answer: { outcome: hostile, observed_at: at },
  },
  webhook_deliveries: [
    {
      id: hostile,
      event_type: 'operation.accepted',
      operation_id: hostile,
      status: 'failed',
      attempts: 3,
      last_status_code: 500,
      next_attempt_at: at,
      created_at: at,
    },
  ],
}
const grant: OperatorGrant = {
  id: hostile,
  subject: hostile,
  client: { id: hostile, name: hostile, profile: 'native' },
  status: 'active',
  scopes: ['spending:withdraw'],
  created_at: at,
  last_used_at: at,
  suspended: null,
  operations_in_flight: 2,
}
const record: AuditRecord = {
  id: 7,
  at,
  action: 'getOperatorOperation',
  operator: { id: hostile, name: hostile },
  detail: { operation_id: hostile, [hostile]: [hostile] },
  outcome: 'answered',
  request_id: hostile,
  remote_address: hostile,
}
const { id: operation_id, client: _client, submission_uncertain: _flag, review: _review, ...row } = operation
const lastRow = { ...row, payment: null, operation_id, client_id: hostile, grant_id: hostile, failure_code: null }
const { review_reason: _reason, age_seconds: _age, ...last } = lastRow
const query = { state: hostile, client_id: hostile, cursor: hostile, operator_id: hostile, min_age_seconds: '7200' }
const hours = Array.from({ length: 24 }, (_hour, index) => ({
  hour: new Date(Date.parse('2026-11-19T21:00:00.000Z') + index * 3_600_000).toISOString(),
  created: index,
  succeeded: 0,
  failed: index === 3 ? 2 : 0,
  cancelled: 0,
}))
const overview = {
  counts,
  ages: [60, 300, null].map((under_seconds) => ({ state: 'indeterminate' as const, under_seconds, operations: 4 })),
  oldest: [last],
  hours,
  failures: [
    { failure_code: 'provider_timeout' as const, operations: 3 },
    { failure_code: 'authority_withdrawn' as const, operations: 1 },
  ],
}
const suspended = {
  ...grant,
  status: 'suspended' as const,
  suspended: { at, by: hostile, reason: hostile, reason_for_owner: hostile },
}

const names = new Map([[last.client_id, `Called ${hostile}`]])

const closed = { since: at, from: at, to: at, transactions: 2 }
const writes: Writes = {
  operations: { ...closed, reason: 'elsewhere' },
  submitter: { ...closed, reason: 'loss' },
  lost: {
    count: 2,
    operations: [
      {
        operation_id: hostile,
        kind: 'transfer',
        owner_id: hostile,
        client_id: hostile,
        state: 'submitted',
        at,
        upstream_reference: hostile,
      },
    ],
  },
}

const suspendPage = (operations: OperatorOperation[]) =>
  suspendView({
    grant,
    inFlight: { operations, more: true },
    hidden: session.formToken,
    refused: {
      entered: { reason: hostile, reason_for_owner: hostile },
      fields: new Set(['reason', 'reason_for_owner']),
    },
    now,
  })

const views: Record<string, Page> = {
  overview: overviewView({ overview, names, reviews: { items: [operation], more: true }, publicUrl, now }),
  operations: operationsView({ items: [operation], nextCursor: hostile, counts, query, publicUrl, now }),
  operation: operationView({ operation: detail, links, publicUrl, now }),
  grants: grantsView({
    items: [grant, suspended],
    nextCursor: null,
    activity: [{ grant_id: hostile, operations_in_flight: 2, last }],
    query,
    maySuspend: true,
    now,
  }),
  grant: grantView({ grant: suspended, last, maySuspend: true, flash: 'suspended', now }),
  suspend: suspendPage([operation]),
  unconfirmed: unconfirmedView({
    grant: suspended,
    inFlight: { operations: [operation], more: true },
    hidden: { ...session.formToken, reason: hostile },
    now,
  }),
  audit: auditView({ items: [record], nextCursor: hostile, query, now }),
  'suspend client': suspendClientView({
    client: grant.client,
    active: 3,
    more: true,
    inFlight: 4,
    byTwo: true,
    hidden: session.formToken,
    asked: { by: hostile, reason: hostile, at },
    isStale: true,
    isOwn: false,
    refused: undefined,
    done: undefined,
  }),
  provider: providerView({
    health: {
      lastHour: [{ kind: 'transfer', answered: 7, refused: 1, unknown: 2, median_ms: 120, slow_ms: 4_000 }],
      days: ['2026-11-19', '2026-11-20'].map((day) => ({
        day,
        kinds: [{ kind: 'transfer' as const, answered: 7, refused: 1, unknown: 2, median_ms: null, slow_ms: null }],
      })),
    },
    reads: {
      lastHour: [
        { provider: hostile, read: hostile, calls: 9, failed: 3, turned_away: 4, mean_ms: 40, most_ms: 4_000 },
      ],
      circuits: [
        { provider: hostile, read: hostile, processes: 2, open: 1, half_open: 1, since: new Date(at) },
        { provider: '', read: 'assets', processes: 1, open: 0, half_open: 0, since: new Date(at) },
      ],
      days: [{ day: '2026-11-20', calls: 9, failed: 3, turned_away: 4, mean_ms: 40, most_ms: 4_000 }],
    },
    days: 7,
    links,
    now,
  }),
  writes: { ...writesView({ writes, links, now }), first: writesBanner({ writes, links, now }) },
  search: searchView({
    asked: hostile,
    matches: [
      { word: 'Grant', path: `/ops/grants/${encodeURIComponent(hostile)}`, isCertain: true },
      { word: 'Operations', path: '/ops/operations?resource_id=1', isCertain: false },
    ],
    logs: links.logs({ id: hostile }),
  }),
  'sign-in': signInView({ hidden: session.formToken, isSignedOut: true }),
  'wrong filter': wrongFilterView({
    title: 'Operations',
    way: 'operations',
    fields: [{ path: hostile, message: hostile }],
    form: operationFilters(query),
  }),
}

describe.each(Object.entries(views))('%s', (_name, page) => {
  const body = renderConsolePage(page, { session, environment: 'local' })

  test('escapes every text, and runs nothing in it', () => {
    expect(body).not.toContain('<script')
    expect(body).not.toContain('<img')
    expect(body).not.toContain(hostile)
    expect(body.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\s(on\w+|style)=/)
  })

  test('has one heading, the navigation and the sign-out, and says if no real money moves', () => {
    expect(body.match(/<h1>[^<]+<\/h1>/g)).toHaveLength(1)
    for (const way of ['/ops/operations', '/ops/grants', '/ops/audit', '/ops/sign-out'])
      expect(body).toContain(`"${way}"`)
    expect(body).toContain('Development environment: no real money moves here.')
    expect(renderConsolePage(page, { session, environment: 'production' })).not.toContain('real money')
  })

  test('offers nothing that edits, retries, resolves or resumes', () => {
    const posts = [...body.matchAll(/<form method="post" action="([^"]*)"/g)].map((match) => match[1])
    for (const action of posts) expect(action).toMatch(/^\/ops\/(sign-in|sign-out|(grants|clients)\/[^/]+\/suspend)$/)
  })
})

test('a page allows the one script only if it runs it', () => {
  expect(consoleHeaders({ forms: true })['content-security-policy']).not.toContain('script')
  expect(consoleHeaders({ scripts: true })['content-security-policy']).toContain(
    "script-src 'self'; connect-src 'self'",
  )
})

test('a refresh is the main part without the message of the last action', () => {
  const fragment = renderFragment(grantView({ grant, last: null, maySuspend: false, flash: 'suspended', now }))
  expect(fragment).toMatch(/<h1>[^]*id="fresh"/)
  expect(fragment).not.toMatch(/Suspended\.|<header|<footer/)
})

test('the history shows each mover, waiting time and read result, and the next step', () => {
  const story = renderFragment(operationView({ operation: detail, links, publicUrl, now }))
  for (const words of [
    'by operations',
    'by the submitter',
    'It stayed so for 4.2 s.',
    'SHA-256',
    `href="${publicUrl}/failure-codes/provider_timeout"`,
    'The provider is asked next at',
    '20:20:12 UTC</time> (in 12 s)',
    '3, the last answered 500',
    'Under review',
  ])
    expect(story).toContain(words)
})

test.each(transitions.map((one) => [`${one.from ?? 'new'} > ${one.to}`, one] as const))(
  '%s has a sentence',
  (_name, { from, to, by }) => {
    const history = [{ sequence: 1, from, to, by, at, reason: null, evidence: null }]
    expect(renderFragment(operationView({ operation: { ...detail, history }, links, publicUrl, now }))).toMatch(
      /<li data-key="1">[^]*<h3>\w[^<]+<\/h3>[^]*<p>\w[^<]+\.<\/p>/,
    )
  },
)

test('the confirmation separates unsent operations, which stop, from the others and those that only remove authority', () => {
  const flying = (id: string, state: OperatorOperation['state'], kind: OperatorOperation['kind'] = 'transfer') => ({
    ...operation,
    id,
    state,
    kind,
  })
  const text = renderFragment(
    suspendPage([
      flying('unsent', 'accepted'),
      flying('waiting', 'requires_action'),
      flying('freeze', 'accepted', 'card_freeze'),
      flying('sending', 'submitting'),
      flying('unknown', 'indeterminate'),
    ]),
  )
  const [cancelled = '', rest = ''] = text.split('waits for the owner’s approval')
  const [waits = '', goesOn = ''] = rest.split('What does not stop')
  const listed = (part: string) => [...part.matchAll(/<span class="id">(\w+)<\/span><\/li>/g)].map((match) => match[1])
  expect(listed(cancelled)).toEqual(['unsent'])
  expect(listed(waits)).toEqual(['waiting'])
  expect(waits).toContain('is never sent, and is cancelled soon')
  expect(listed(goesOn)).toEqual(['freeze', 'sending', 'unknown'])
})

test('the page of the provider says at a glance if it is the provider', () => {
  const at = (answered: number, refused: number, unknown: number) =>
    renderFragment(
      providerView({
        health: { lastHour: [{ kind: 'transfer', answered, refused, unknown, median_ms: 1, slow_ms: 2 }], days: [] },
        reads: { lastHour: [], circuits: [], days: [] },
        days: 7,
        links,
        now,
      }),
    )
  expect(at(1, 0, 2)).toContain('Too little was sent to tell.')
  expect(at(8, 0, 2)).toContain('It is the provider, or the way to it.')
  expect(at(99, 0, 1)).toContain('not always as usual')
  expect(at(99, 1, 0)).toContain('The provider answers.')
  expect(at(8, 0, 2)).toContain('2 without an answer (20 %)')
})

test('the page of the provider says which circuits are open, in how many processes and since when', () => {
  const at = (open: number, half_open: number) =>
    renderFragment(
      providerView({
        health: { lastHour: [], days: [] },
        reads: {
          lastHour: [
            { provider: 'fake', read: 'accounts', calls: 120, failed: 30, turned_away: 7, mean_ms: 40, most_ms: 900 },
          ],
          circuits: [
            {
              provider: 'fake',
              read: 'accounts',
              processes: 3,
              open,
              half_open,
              since: new Date('2026-11-20T20:18:05Z'),
            },
          ],
          days: [],
        },
        days: 7,
        links,
        now,
      }),
    )
  expect(at(0, 0)).toContain('Every reported circuit is closed.')
  expect(at(0, 0)).toContain('Closed since')
  expect(at(2, 1)).toContain('Circuits are open for 1 of 1 kinds of read.')
  expect(at(2, 1)).toContain('<strong>Not closed</strong>: open in 2, half-open in 1 of 3 processes, since')
  expect(at(0, 1)).toContain('<strong>Not closed</strong>: half-open in 1 of 3 processes, since')
  for (const words of ['30 (25 %)', '>2.0<', '900 ms', '(1 min 55 s ago)']) expect(at(0, 0)).toContain(words)
})

test('an unsettled operation names what holds it, its runbook, and the words for the provider', () => {
  const text = renderFragment(
    operationView({
      operation: {
        ...detail,
        id: 'our-id',
        upstream_reference: null,
        review: false,
        updated_at: '2026-11-20T19:00:00.000Z',
      },
      links,
      publicUrl,
      now,
    }),
  )
  for (const words of [
    'The provider, which does not show how it ended.',
    'href="https://runbooks.example/pages/OperationsIndeterminateOld.md"',
    'Our reference: our-id\nYour reference: we have none\n',
    '12.50 EUR',
    'We never send it again.',
    'href="https://traces.example/',
    'href="https://logs.example/?q=our-id"',
    '12 reads, 11 of which did not find it.',
    'did not find it (<code>not_found</code>)',
  ])
    expect(text).toContain(words)
})

test.each([
  ['requires_action', 0, undefined],
  ['accepted', 0, undefined],
  ['accepted', 120, 'OperationsUnclaimed'],
  ['submitting', 0, undefined],
  ['submitting', 600, 'SubmitterSlotsExhausted'],
  ['submitted', 0, undefined],
  ['submitted', 7_200, 'ReconcilerReadsOverdue'],
  ['indeterminate', 0, undefined],
  ['indeterminate', 7_200, 'OperationsIndeterminateOld'],
  ['succeeded', 0, undefined],
] as const)('%s for %i s has the runbook %s, which exists', (state, heldS, runbook) => {
  const updated_at = new Date(now.getTime() - heldS * 1_000).toISOString()
  expect(adviceOn({ ...detail, state, review: false, updated_at }, now).runbook).toBe(runbook)
  const pages = new URL('../../../../../deploy/runbooks/', import.meta.url)
  if (runbook) expect(existsSync(new URL(`${runbook}.md`, pages))).toBe(true)
})

test('an operator without ops:suspend sees no link to it', () => {
  const pages = [
    grantsView({ items: [grant], nextCursor: null, activity: [], query: {}, maySuspend: false, now }),
    grantView({ grant, last: null, maySuspend: false, flash: undefined, now }),
  ]
  for (const page of pages) expect(renderFragment(page)).not.toContain('/suspend')
})

test.each([
  ['web', 'the owner has to sign in afresh and consent again'],
  ['spa', 'the owner has to sign in afresh and consent again'],
  ['native', 'the owner has to sign in afresh and consent again'],
  ['device', 'the owner has to enter a new code of the device, sign in afresh and consent again'],
  ['service', 'an operator has to take the service account out of the declared clients'],
] as const)('what brings a suspended grant of the profile %s back is said before and after', (profile, words) => {
  const client = { ...grant.client, profile }
  const inFlight = { operations: [], more: false }
  const before = suspendView({ grant: { ...grant, client }, inFlight, hidden: {}, now })
  const after = grantView({ grant: { ...suspended, client }, last: null, maySuspend: true, flash: undefined, now })
  for (const page of [before, after]) {
    expect(renderFragment(page)).toContain(words)
    expect(renderFragment(page).includes('sign in afresh')).toBe(profile !== 'service')
  }
})

test('an unconfirmed suspension shows its known state and the operations that may still be sent, and can be repeated', () => {
  const facts = {
    inFlight: { operations: [{ ...operation, id: 'unsent', state: 'accepted' as const }], more: false },
    hidden: {},
    now,
  }
  const known = renderFragment(unconfirmedView({ grant: suspended, ...facts }))
  const unknown = renderFragment(unconfirmedView({ grant, ...facts }))
  expect(known).toContain('is not confirmed yet')
  expect(unknown).toContain('may be suspended already, or not')
  for (const text of [known, unknown]) {
    expect(text).toContain('<span class="id">unsent</span>')
    expect(text).toContain('Ask again')
    expect(text).not.toContain('<strong>Suspended.</strong>')
  }
})

test('every entry of the audit is a row, even if two are equal', () => {
  const items = [4, 3, 2, 1].map((id) => ({ ...record, id }))
  const text = renderFragment(auditView({ items, nextCursor: null, query: {}, now }))
  expect(text.match(/<tr data-key/g)).toHaveLength(4)
})

test('a list’s next page and its first keep the filters; a filter that is none of the usual is shown as it is', () => {
  const text = renderFragment(
    operationsView({
      items: [],
      nextCursor: 'next',
      counts,
      query: { kind: 'transfer', cursor: 'here', min_age_seconds: '7200' },
      publicUrl,
      now,
    }),
  )
  expect(text).toContain('href="/ops/operations?kind=transfer&amp;min_age_seconds=7200&amp;cursor=next"')
  expect(text).toContain('href="/ops/operations?kind=transfer&amp;min_age_seconds=7200"')
  expect(text).toContain('<option value="7200" selected>2 h or more</option>')
  expect(text).toContain(
    'href="/ops/operations?kind=transfer&amp;min_age_seconds=7200&amp;state=failed&amp;ended_from=2026-11-19T20%3A20%3A00.000Z"',
  )
})

test('the oldest operations show the names of their clients', () => {
  const reviews = { items: [], more: false }
  const text = renderFragment(
    overviewView({ overview, names: new Map([[last.client_id, 'Tally']]), reviews, publicUrl, now }),
  )
  expect(text.split('id="oldest"')[1]).toContain('>Tally</a>')
})

test('plots are put into words, and their table leaves out only hours with nothing', () => {
  const text = renderFragment(overviewView({ overview, names, reviews: { items: [], more: false }, publicUrl, now }))
  expect(text).toContain(
    'aria-label="Failed in each of the last 24 hours: 2 in all, most (2) in the hour from 00:00 UTC."',
  )
  expect(text).toContain('aria-label="Cancelled in each of the last 24 hours: none."')
  expect(text.match(/<tr data-key="2026[^"]*"/g)).toHaveLength(23)
  expect(text).toContain('href="/ops/operations?state=indeterminate&amp;min_age_seconds=60&amp;max_age_seconds=300"')
})

test('every number of the overview that counts operations is a link to their list', () => {
  const reviews = { items: [operation], more: true }
  const text = renderFragment(overviewView({ overview, names, reviews, publicUrl, now }))
  const cells = [...text.matchAll(/<td class="number-cell[^"]*"[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell)
  const tiles = [...text.matchAll(/<li data-key="[a-z_]+">(.*?)<\/li>/g)].map(([, tile = '']) => tile)
  const counts = [...cells, ...tiles].filter((cell) => /\d/.test(cell.replaceAll(/<[^>]*>/g, '').replaceAll('0', '')))
  expect(counts.length).toBeGreaterThan(20)
  for (const cell of counts) expect(cell).toMatch(/^<a href="\/ops\/operations\?[^"]+"/)
})

test('an archived operation says where its moves are, and one that is not archived does not', () => {
  const of = (state: OperatorOperationDetail['state']) =>
    renderFragment(operationView({ operation: { ...detail, id: 'the-id', state }, links, publicUrl, now }))
  expect(of('succeeded')).toContain('<code>operations archive show the-id</code>')
  expect(of('indeterminate')).not.toContain('archive')
})
