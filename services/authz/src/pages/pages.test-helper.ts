/**
 * The application with its real pages on a real bus. The test sets the answers of onboarding, operations and
 * beneficiaries. Helpers read a page's forms and send them as a browser does.
 */

import { randomBytes } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { Binding } from '@financial-agents/bus/messages/authority'
import type { TunnelledResponse } from '@financial-agents/bus/messages/http'
import type { DecideIntentAnswer, DecideIntentRequest, OwnerIntent } from '@financial-agents/bus/messages/intents'
import type {
  OwnerActivity,
  OwnerHistoryRequest,
  OwnerOperation,
  OwnerOperationAnswer,
  OwnerSpending,
} from '@financial-agents/bus/messages/owner-activity'
import {
  type AuthorizeMandatesRequest,
  type OwnerMandate,
  type OwnerMandateAction,
  type OwnerNames,
  ownerMandatesPage,
} from '@financial-agents/bus/messages/resources'
import type {
  ConnectAnswer,
  FinishSignInAnswer,
  MayConnectAnswer,
  StartSignInAnswer,
} from '@financial-agents/bus/messages/sign-in'
import { serveCall } from '@financial-agents/bus/rpc'
import { startTestNats } from '@financial-agents/bus/testing/nats'
import { Problem } from '@financial-agents/contract/problem'
import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'
import { createLog } from '@financial-agents/runtime/log'
import { type AuthorizationServer, createAuthorizationServer } from '../authorization-server.ts'
import { startFeed } from '../background/feed.ts'
import { endsAreKnown } from '../background/known-ends.ts'
import { type Browser, browse, locationOf, makeBrowser, textOf } from '../test-client.test-helper.ts'
import { baseUrl, startTestServer, type TestServer } from '../test-server.test-helper.ts'
import { addPages } from './pages.ts'

export const providerPagesOrigin = 'https://pages.provider.example'
export const ines = '01980000-0000-7000-8000-000000000001'
export const amara = '01980000-0000-7000-8000-000000000002'

/** The answers of the other services, and the requests that they received. */
export type Others = {
  start: StartSignInAnswer
  finish: FinishSignInAnswer
  bindings: Binding[]
  mayConnect: MayConnectAnswer
  connect: ConnectAnswer
  /** The owners who connected. */
  connected: string[]
  /** Without numbers, all that waits stands in its lists. */
  activity: Omit<OwnerActivity, 'counts'> & { counts?: OwnerActivity['counts'] }
  history: OwnerOperation[]
  histories: OwnerHistoryRequest[]
  operation: OwnerOperationAnswer
  spending: OwnerSpending[]
  /** The names of payees by id. */
  payees: OwnerNames
  mandates: OwnerMandate[]
  /** The authority under mandates that consents renewed. */
  authorized: AuthorizeMandatesRequest[]
  /** The actions of owners on their mandates. */
  acted: OwnerMandateAction[]
  /** A problem that replaces the answer to such an action. */
  refuseAction: ProblemCode | undefined
  /** True if beneficiaries is out of reach for these requests. */
  refuseMandates: boolean
  intent: OwnerIntent | null
  decide: DecideIntentAnswer
  disconnected: string[]
  /** The subject that was sent with the disconnect of each owner. */
  subjects: Map<string, string>
  /** A problem that replaces the answer to a disconnect. */
  refuseDisconnect: ProblemCode | undefined
  /** True if a disconnect is answered after its fence. */
  fencesBindings: boolean
  decided: DecideIntentRequest[]
  returned: string[]
  returnUrls: string[]
  /** The responses with which onboarding was asked; undefined for a return without one. */
  responses: (string | undefined)[]
  /** The grants that the submitter was asked to fence. */
  fenced: string[]
}

export type TestPages = {
  server: AuthorizationServer
  base: TestServer
  others: Others
  /** Returns what was logged as an error. */
  logged: () => string
  /** The paths of all routes that answer GET. */
  paths: readonly string[]
  /** Ends all answers of operations. */
  stopOperations: () => Promise<void>
  /** Ends all answers of beneficiaries. */
  stopBeneficiaries: () => Promise<void>
  /** Ends all answers of the submitter. */
  stopSubmitter: () => Promise<void>
  close: () => Promise<void>
}

export function signedInAs(owner_id: string, display_name: string): FinishSignInAnswer {
  return {
    type: 'signed_in',
    owner: { owner_id, display_name, locale: 'en-GB', timezone: 'Europe/Lisbon' },
  }
}

function countsOf({ in_flight, intents }: Others['activity']): OwnerActivity['counts'] {
  const approval = in_flight.filter((one) => one.approval).length
  const uncertain = in_flight.filter((one) => !one.approval && one.submission_uncertain && one.payment).length
  return { in_flight: in_flight.length, approval, uncertain, confirmation: intents.length }
}

export async function startTestPages(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestPages> {
  const [nats, base] = await Promise.all([startTestNats(), startTestServer(options)])
  const [bus, onboarding, operations, beneficiaries, submitter] = await Promise.all([
    nats.connect('authz'),
    nats.connect('onboarding'),
    nats.connect('operations'),
    nats.connect('beneficiaries'),
    nats.connect('submitter'),
  ])
  const others: Others = {
    start: {
      type: 'started',
      sign_in_id: 'sign-in-1',
      url: `${providerPagesOrigin}/hosted/1`,
      expires_at: new Date(Date.now() + 600_000).toISOString(),
    },
    finish: signedInAs(ines, 'Ines Carvalho'),
    bindings: [],
    mayConnect: { type: 'connected' },
    connect: { type: 'connected' },
    connected: [],
    activity: { in_flight: [], latest: [], intents: [] },
    history: [],
    histories: [],
    operation: null,
    spending: [],
    payees: [],
    mandates: [],
    authorized: [],
    acted: [],
    refuseAction: undefined,
    refuseMandates: false,
    intent: null,
    decide: null,
    disconnected: [],
    subjects: new Map(),
    refuseDisconnect: undefined,
    fencesBindings: true,
    decided: [],
    returned: [],
    returnUrls: [],
    responses: [],
    fenced: [],
  }
  const lines: string[] = []
  const log = createLog({ service: 'authz', level: 'error', destination: { write: (line) => lines.push(line) } })
  answerAs(onboarding, operations, others, log)
  answerForMandates(beneficiaries, others, log)
  serveCall(
    submitter,
    'int.submitter.fence',
    async ({ target_id }) => (others.fenced.push(target_id), { open_operation_ids: [] }),
    { log },
  )
  await Promise.all([onboarding, operations, beneficiaries, submitter].map((one) => one.check()))
  const { db, clock, sealer, pairwiseKey, keys } = base
  const parts = {
    baseUrl,
    environment: 'test',
    db,
    clock,
    sealer,
    pairwiseKey,
    log,
    dpopNonceKey: randomBytes(32),
  } as const
  const paths: string[] = []
  const feed = await startFeed({ bus, db, log, pauseMs: 1_000 })
  const server = await createAuthorizationServer({
    ...parts,
    keys: keys[0],
    endsAreKnown: (clientId) => endsAreKnown({ ...parts, bus, feed }, clientId, 60_000),
    addPages: (app, tools) => {
      app.addHook('onRoute', ({ method, url }) => {
        if ([method].flat().includes('GET')) paths.push(url)
      })
      addPages(app, { ...parts, ...tools, bus, feed, providerPagesOrigin, signInOrigin: providerPagesOrigin })
    },
  })
  return {
    server,
    base,
    others,
    logged: () => lines.join(''),
    paths,
    stopOperations: () => operations.drain(),
    stopBeneficiaries: () => beneficiaries.drain(),
    stopSubmitter: () => submitter.drain(),
    close: async () => {
      await feed.stop()
      await nats.stop()
      await server.app.close()
      await base.close()
    },
  }
}

function answerForMandates(beneficiaries: Bus, others: Others, log: ReturnType<typeof createLog>): void {
  serveCall(
    beneficiaries,
    'int.beneficiaries.owner-action',
    async (asked) => {
      if (others.refuseAction) throw new Problem(others.refuseAction)
      others.acted.push(asked)
      return null
    },
    { log },
  )
  serveCall(
    beneficiaries,
    'int.beneficiaries.owner-names',
    async ({ beneficiary_ids, mandate_ids }) =>
      others.payees.filter(({ id }) => [...beneficiary_ids, ...mandate_ids].includes(id)),
    { log },
  )
  serveCall(
    beneficiaries,
    'int.beneficiaries.owner-mandates',
    async (request) => {
      if (request.which === 'over') return []
      const from = others.mandates.findIndex(({ id }) => id === request.after?.id) + 1
      return others.mandates.slice(from, from + ownerMandatesPage)
    },
    { log },
  )
  serveCall(
    beneficiaries,
    'int.beneficiaries.authorize-mandates',
    async (request) => {
      if (others.refuseMandates) throw new Problem('service_unavailable')
      others.authorized.push(request)
      return { mandate_ids: request.mandate_ids }
    },
    { log },
  )
}

function answerAs(onboarding: Bus, operations: Bus, others: Others, log: ReturnType<typeof createLog>): void {
  const options = { log }
  serveCall(
    onboarding,
    'int.onboarding.start-sign-in',
    async ({ return_url }) => (others.returnUrls.push(return_url), others.start),
    options,
  )
  serveCall(
    onboarding,
    'int.onboarding.finish-sign-in',
    async ({ response }) => (others.responses.push(response), others.finish),
    options,
  )
  serveCall(onboarding, 'int.onboarding.bindings', async () => others.bindings, options)
  serveCall(onboarding, 'int.onboarding.may-connect', async () => others.mayConnect, options)
  serveCall(
    onboarding,
    'int.onboarding.connect',
    async ({ owner_id }) => (others.connected.push(owner_id), others.connect),
    options,
  )
  serveCall(
    onboarding,
    'int.onboarding.disconnect',
    async ({ owner_id, subject }) => {
      others.subjects.set(owner_id, subject)
      if (others.refuseDisconnect) throw new Problem(others.refuseDisconnect)
      others.disconnected.push(owner_id)
      return { disconnected: true, fenced: others.fencesBindings }
    },
    options,
  )
  serveCall(
    operations,
    'int.operations.owner-activity',
    async () => ({ counts: countsOf(others.activity), ...others.activity }),
    options,
  )
  serveCall(
    operations,
    'int.operations.owner-history',
    async (asked) => (others.histories.push(asked), others.history),
    options,
  )
  serveCall(operations, 'int.operations.owner-spending', async () => others.spending, options)
  serveCall(
    operations,
    'int.operations.owner-operation',
    async ({ operation_id, owner_id }) =>
      operation_id === others.operation?.operation.operation_id && owner_id === ines ? others.operation : null,
    options,
  )
  serveCall(
    operations,
    'int.operations.find-intent',
    async ({ intent_id, owner_id }) =>
      intent_id === others.intent?.intent_id && owner_id === ines ? others.intent : null,
    options,
  )
  serveCall(
    operations,
    'int.operations.decide-intent',
    async (request) => (others.decided.push(request), others.decide),
    options,
  )
  serveCall(
    operations,
    'int.operations.approval-returned',
    async ({ operation_id }) => (others.returned.push(operation_id), null),
    options,
  )
}

export type PageForm = { action: string; fields: Record<string, string>; buttons: Record<string, string> }

export type OpenedPage = {
  status: number
  headers: Map<string, string>
  text: string
  forms: PageForm[]
  title: string
}

/** Reads a page as a browser does. */
export function readPage(answer: TunnelledResponse): OpenedPage {
  const text = textOf(answer)
  const forms = [...text.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map((match) => {
    const inside = match[2] ?? ''
    const sent = [...inside.matchAll(/<input\b[^>]*>/g)].filter(([tag]) => !/type="checkbox"(?!.* checked)/.test(tag))
    const inputs = sent.map(([tag]) => [attribute(tag, 'name'), attribute(tag, 'value')])
    const buttons = [...inside.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)]
    return {
      action: unescape(match[1] ?? ''),
      fields: Object.fromEntries(inputs) as Record<string, string>,
      buttons: Object.fromEntries(
        buttons.map(([, tag = '', label = '']) => [label.replaceAll(/<[^>]*>/g, ''), attribute(tag, 'value')]),
      ),
    }
  })
  const title = unescape(/<h1>(.*?)<\/h1>/s.exec(text)?.[1] ?? '')
  return { status: answer.status, headers: new Map(answer.headers), text, forms, title }
}

export async function open(pages: TestPages, browser: Browser, target: string): Promise<OpenedPage> {
  return readPage(await browse(pages.server, browser, target))
}

/** The headers that a browser sends with a form of our pages. */
export const fromOurPage: [string, string][] = [
  ['origin', baseUrl],
  ['sec-fetch-site', 'same-origin'],
]

export function send(
  pages: TestPages,
  browser: Browser,
  { action, fields }: Pick<PageForm, 'action' | 'fields'>,
  more: Record<string, string> = {},
  headers = fromOurPage,
): Promise<TunnelledResponse> {
  const body = new URLSearchParams({ ...fields, ...more }).toString()
  return browse(pages.server, browser, action, { method: 'POST', body, headers })
}

/** Finds the form whose address ends like this. */
export function formTo(page: OpenedPage, end: string): PageForm {
  const form = page.forms.find(({ action }) => action.endsWith(end))
  if (!form) throw new Error(`no form to …${end} on "${page.title}" (${page.status})`)
  return form
}

/** Goes from the page with the button to the return from the provider. Returns the next address of the browser. */
export async function signInFrom(pages: TestPages, browser: Browser, page: OpenedPage): Promise<string> {
  const away = await send(pages, browser, formTo(page, '/sign-in'))
  if (locationOf(away) !== `${providerPagesOrigin}/hosted/1`) throw new Error('not sent to the provider')
  return locationOf(await browse(pages.server, browser, pages.others.returnUrls.at(-1) ?? ''))
}

export async function signedInBrowser(pages: TestPages): Promise<Browser> {
  const browser = makeBrowser()
  const next = await signInFrom(pages, browser, await open(pages, browser, '/account'))
  if (next !== '/account') throw new Error(`sent to ${next}`)
  return browser
}

function attribute(tag: string, name: string): string {
  return unescape(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
}

function unescape(text: string): string {
  const known: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => known[entity] ?? entity)
}
