import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OwnerIntent } from '@financial-agents/bus/messages/intents'
import type { OwnerOperation } from '@financial-agents/bus/messages/owner-activity'
import { environmentNote } from '@financial-agents/pages/environment-note'
import { choiceOfHeader, languages } from '@financial-agents/pages/language'
import { createReader, englishReader, type Reader } from '@financial-agents/pages/reader'
import { describe, expect, test } from 'vitest'
import { accountView } from './account.ts'
import { activityView, operationView } from './activity.ts'
import { applicationView } from './application.ts'
import { approvalReturnView } from './approval-return.ts'
import { decidedView as confirmedView, confirmView } from './confirm.ts'
import { connectView } from './connect.ts'
import { consentPage } from './consent.ts'
import { decidedView } from './decided.ts'
import { deviceConfirm, deviceDeclined, deviceDone, deviceEntry } from './device.ts'
import { disconnectView } from './disconnect.ts'
import { endForGoodView } from './end.ts'
import { errorView } from './error.ts'
import { mayWords } from './grant.ts'
import type { GrantOfOwner } from './grant-of-owner.ts'
import { ownerWays } from './header.ts'
import { limitsView } from './limits.ts'
import { mandateView } from './mandate.ts'
import { mandateLimitsView } from './mandate-limits.ts'
import { refusals } from './refusal.ts'
import { ownSignIn, signedInView, signInView } from './sign-in.ts'
import { mandateOf } from './testing/mandate-of.ts'
import { renderView, type View } from './view.ts'
import { type Waiting, waitingList } from './waiting.ts'
import type { WorksAgain } from './works-again.ts'

const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(2)>&`
const hidden = { csrf_token: hostile }
const until = new Date('2027-02-18T00:00:00.000Z')
const where = { redirectUri: 'https://app.example/callback', device: false }
const face = { logo: undefined, publisher: hostile, isVerified: true, isOperators: false, installation: hostile }
const policy = { ceilings: { per_payment: null, per_day: null }, confirmation: [] }

const grant: GrantOfOwner = {
  grant_id: hostile,
  kind: 'human',
  client_id: hostile,
  client_name: hostile,
  label: hostile,
  profile: 'web',
  client_status: 'active',
  scopes: [hostile],
  openid: false,
  status: 'active',
  status_reason: null,
  status_changed_at: until,
  suspended_for_owner: null,
  policy,
  created_at: until,
  expires_at: until,
  binding_id: null,
  last_used_at: null,
}
const mandate = mandateOf({ beneficiary_name: hostile, per_payment_max: hostile, authorized_rules: [hostile] })
const worksAgain: WorksAgain = { choices: [{ grant, mandates: [mandate] }], serviceNames: [hostile] }

const operation: OwnerOperation = {
  operation_id: 'operation-1',
  grant_id: grant.grant_id,
  client_id: grant.client_id,
  kind: 'transfer',
  state: 'indeterminate',
  resource_type: 'withdrawal',
  resource_id: 'transfer-1',
  failure_code: 'provider_timeout',
  upstream_reference: hostile,
  payment: { amount: '12.5', currency: 'EUR', beneficiary_id: 'payee-1', mandate_id: hostile },
  approval: null,
  submission_uncertain: true,
  created_at: '2026-11-20T09:15:02.104Z',
  updated_at: '2026-11-20T09:15:02.104Z',
}
const intent: OwnerIntent = {
  intent_id: 'intent-1',
  client_id: grant.client_id,
  grant_id: '01990000-0000-7000-8000-0000000000c1',
  action: 'transfer',
  status: 'pending',
  opening: hostile,
  facts: [
    { label: hostile, value: hostile, foreign: true },
    { label: 'Payee', value: hostile, foreign: false },
  ],
  created_at: '2026-11-20T09:15:02.104Z',
  expires_at: '2026-11-20T09:25:02.104Z',
  operation_id: null,
  decided_at: null,
}

const payees = new Map([['payee-1', hostile]])
const names = new Map([[hostile, hostile]])
const spending = [{ client_id: hostile, currency: 'EUR', today: '1', month: '2.5', total: '30', under_way: '12.5' }]
const groupOf = (item: Waiting, count = 1) => ({ type: item.type, items: [item], count })
const waits = (reader: Reader) =>
  waitingList(
    [
      groupOf({ type: 'confirmation', action: 'transfer', clientName: hostile, before: until, href: hostile }, 2),
      groupOf({
        type: 'approval',
        kind: 'transfer',
        payment: operation.payment,
        payee: hostile,
        clientName: hostile,
        before: until,
        href: hostile,
      }),
      groupOf({
        type: 'uncertain',
        kind: 'transfer',
        payment: operation.payment,
        payee: hostile,
        clientName: undefined,
        before: null,
        href: hostile,
      }),
      groupOf({ type: 'ending', clientName: hostile, before: until, href: hostile }),
    ],
    reader,
  )

const over = { clientName: hostile, logo: undefined, device: false }

const viewsFor = (reader: Reader): Record<string, View> => ({
  activity: activityView({
    operations: [operation],
    payees,
    names,
    applications: [[hostile, hostile]],
    months: ['2026-11'],
    filters: { application: hostile, only: 'payments', month: '2026-11', mandate: hostile },
    older: hostile,
    reader,
    hidden,
  }),
  'mandate limits': mandateLimitsView({
    mandate,
    written: { daily_max: hostile },
    errors: { daily_max: hostile },
    hidden,
    reader,
  }),
  mandate: mandateView({
    mandate,
    binding: undefined,
    grants: [grant],
    names,
    underWay: [
      { ...operation, payment: { amount: '2.5', currency: 'EUR', beneficiary_id: 'payee-1', mandate_id: mandate.id } },
    ],
    now: new Date(operation.created_at),
    key: hostile,
    message: undefined,
    reader,
    hidden,
  }),
  operation: operationView({
    operation,
    moves: [{ to: 'accepted', at: operation.created_at }],
    memo: hostile,
    payee: hostile,
    clientName: hostile,
    ownerName: hostile,
    reader,
    hidden,
  }),
  application: framed(
    applicationView({
      grant: {
        ...grant,
        policy: { ...policy, ceilings: { per_payment: null, per_day: { amount: '10', currency: 'EUR' } } },
      },
      face,
      grants: [grant],
      binding: null,
      last: operation,
      knowsLast: true,
      mandates: [mandate],
      spending,
      history: [operation],
      payees,
      names,
      underWay: [operation],
      now: new Date(operation.created_at),
      message: undefined,
      reader,
      hidden,
    }),
  ),
  account: accountView({
    ownerName: hostile,
    reader,
    grants: [grant, { ...grant, grant_id: 'grant-2', status: 'revoked' }],
    faces: new Map([[hostile, face]]),
    activity: {
      counts: { in_flight: 120, approval: 0, uncertain: 1, confirmation: 0 },
      in_flight: Array.from({ length: 7 }, () => operation),
      latest: [operation],
      intents: [],
    },
    payees,
    spending,
    binding: {
      binding_id: 'binding-1',
      owner_id: 'owner-1',
      status: 'connected',
      provider_name: hostile,
      source: 'sign_in',
      connected_at: '2026-11-20T09:15:02.104Z',
    },
    mandates: [mandate],
    clientNames: [{ client_id: hostile, name: hostile }],
    now: new Date(operation.created_at),
    hidden,
    message: undefined,
  }),
  'approval return': approvalReturnView(reader),
  confirm: confirmView({ clientName: hostile, logo: undefined, intent, reader, action: hostile, hidden }),
  decided: confirmedView({
    clientName: hostile,
    logo: undefined,
    intent: { ...intent, status: 'confirmed' },
    reader,
    action: hostile,
    hidden,
    next: hostile,
    waited: false,
  }),
  'sign-in': signInView({
    ...where,
    clientName: hostile,
    face: { ...face, isVerified: false },
    profile: 'web',
    again: true,
    suspended: true,
    toConnect: true,
    signInOrigin: undefined,
    signIn: hostile,
    decline: hostile,
    hidden,
    reader,
  }),
  'own sign-in': ownSignIn({
    title: hostile,
    lead: hostile,
    action: hostile,
    hidden,
    signInOrigin: 'https://pages.provider.example',
    message: undefined,
    reader,
  }),
  'signed in': signedInView(hostile, reader),
  consent: consentPage({
    ...where,
    clientName: hostile,
    face,
    profile: 'web',
    ownerName: hostile,
    reader,
    scopes: ['spending:withdraw', hostile],
    added: new Set([hostile]),
    policy,
    registered: policy.ceilings,
    currency: undefined,
    proposedDay: hostile,
    mandates: [mandateOf({ beneficiary_name: hostile })],
    until,
    connecting: { providerName: hostile, worksAgain },
    isEnding: false,
    written: { per_payment: hostile, per_day: hostile, currency: hostile },
    errors: { per_payment: hostile, per_day: hostile, currency: hostile },
    action: hostile,
    hidden,
  }),
  limits: limitsView({
    clientName: hostile,
    logo: undefined,
    policy,
    registered: policy.ceilings,
    currency: undefined,
    written: { per_payment: hostile, per_day: hostile, currency: hostile },
    errors: { per_payment: hostile, per_day: hostile, currency: hostile },
    mayOnlyLower: true,
    action: hostile,
    signIn: hostile,
    signInOrigin: 'https://pages.provider.example',
    hidden,
    hiddenOfBrowser: hidden,
    reader,
  }),
  'device entry': deviceEntry({ action: hostile, csrfFields: hidden, userCode: hostile, error: 'unknown', reader }),
  'device confirmation': deviceConfirm({
    action: hostile,
    csrfFields: hidden,
    clientName: hostile,
    face: { ...face, publisher: undefined },
    userCode: hostile,
    scopes: [hostile],
    reader,
  }),
  'device done': deviceDone({ clientName: hostile, logo: undefined, reader }),
  'decided, allowed': decidedView({
    ...over,
    reader,
    decided: 'allowed',
    access: hostile,
    goOn: hostile,
  }),
  'decided, ended': decidedView({ ...over, reader, decided: 'ended', access: hostile, goOn: undefined }),
  'decided, declined': decidedView({
    ...over,
    reader,
    device: true,
    decided: 'declined',
    access: undefined,
    goOn: hostile,
  }),
  'device declined': deviceDeclined({ clientName: hostile, logo: undefined, reader }),
  connect: connectView({ providerName: hostile, worksAgain, reader, hidden }),
  'end for good': endForGoodView({ grant, face: { ...face, logo: undefined }, hidden, reader }),
  disconnect: disconnectView({ providerName: hostile, clientNames: [hostile], hidden, reader }),
  error: errorView({ name: 'other', code: hostile, requestId: hostile }, reader),
  ...Object.fromEntries(Object.entries(refusals).map(([name, make]) => [name, make().viewFor(reader)])),
})

/** The view within the frame of a signed-in owner. */
function framed(view: View): View {
  return { ...view, page: { ...view.page, first: waits(view.page.reader), navigation: ownerWays(view.page.reader) } }
}

test('every view of the folder is among these', () => {
  const own = readFileSync(import.meta.filename, 'utf8')
  const made = globSync('*.ts', { cwd: import.meta.dirname })
    .flatMap((file) =>
      readFileSync(join(import.meta.dirname, file), 'utf8')
        .split('\nexport function ')
        .slice(1),
    )
    .map((text) => text.split('\n}\n')[0] ?? '')
    .filter((text) => text.includes('): View {'))
    .map((text) => text.split('(')[0] ?? '')
  expect(made.length).toBeGreaterThan(10)
  expect(made.filter((name) => !own.includes(`${name}(`))).toEqual([])
})

const zone = 'Europe/Lisbon'
const inAllLanguages = languages.flatMap((language) => {
  const reader = createReader(choiceOfHeader(language, languages), language === 'en' ? hostile : zone)
  return Object.entries(viewsFor(reader)).map(([name, view]) => [language, name, view] as const)
})

describe.each(inAllLanguages)('%s: %s', (language, _name, view) => {
  const { body, headers } = renderView(view, { environment: 'local' })

  test('has a language, a title, one heading, and says where no real money moves', () => {
    expect(body).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    expect(headers['content-language']).toBe(language)
    expect(headers['vary']).toContain('Accept-Language')
    expect(body).toMatch(/<title>[^<]+ · Financial Agents<\/title>/)
    expect(body.match(/<h1>[^<]+<\/h1>/g)).toHaveLength(1)
    const note = environmentNote('local', view.page.reader) ?? ''
    expect(body).toContain(note)
    expect(renderView(view, { environment: 'production' }).body).not.toContain(note)
  })

  test('runs nothing, whatever its texts say', () => {
    expect(body).not.toContain('<script')
    expect(body).not.toContain('<img')
    expect(body.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\son\w+=/)
    expect(body).not.toContain(hostile)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(headers['content-security-policy']).not.toContain('script')
  })

  test('may send forms only where it has one', () => {
    const may = !headers['content-security-policy']?.includes("form-action 'none'")
    expect(may).toBe(body.includes('<form'))
  })
})

test('a power that two scopes give is shown once', () => {
  const words = String(mayWords({ scopes: ['identity:read', 'kyc:read'], policy }, englishReader))
  expect(words.match(/know your display name/gi)).toHaveLength(1)
  expect(words).toContain('see whether you are verified')
})
