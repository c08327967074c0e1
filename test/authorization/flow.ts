/**
 * A person at the pages: signs in at the provider's hosted page, then allows or refuses. The flow records the pages
 * that came up.
 */

import type { Arrival, Browser, Left } from './browser.ts'
import { environment } from './environment.ts'
import { type Page, pressable, wordsOf } from './page.ts'
import type { AuthorizationRequest, Parameters, Party } from './party.ts'

/** Test users of the fake provider. */
export const people = { ines: 'per_ines', amara: 'per_amara', daniel: 'per_daniel', tomasz: 'per_tomasz' } as const

export type Person = keyof typeof people

export type Plan = {
  person?: Person
  /** The choice on the provider's page; `decline` returns without approval. */
  signIn?: 'approve' | 'decline'
  consent?: 'allow' | 'deny'
  /** Values typed or chosen on the consent page. */
  choices?: Record<string, string>
}

export type FlowEnd = {
  /** The request to the client's redirect URI, if the flow got there. */
  left: Left | undefined
  /** The page on which the flow stopped. */
  page: Page | undefined
  /** The pages that asked for something, in order. */
  asked: ('sign-in' | 'provider' | 'consent')[]
  /** The words of the consent page. */
  consent: string | undefined
}

export const buttons = {
  /** This button also connects a person who has no connection yet. */
  allow: /^(?:connect and )?allow$/i,
  deny: /^do not allow$/i,
  signIn: /^sign in at your provider$/i,
  cancel: /^cancel$/i,
  approve: /^approve$/i,
  decline: /^decline$/i,
}

export async function flow(browser: Browser, start: Arrival, plan: Plan = {}): Promise<FlowEnd> {
  const flowEnd: FlowEnd = { left: undefined, page: undefined, asked: [], consent: undefined }
  let here = start
  for (let steps = 0; steps < 12; steps += 1) {
    const { left, page } = here
    if (left) return { ...flowEnd, left }
    const next = await answer(browser, page, plan, flowEnd)
    if (!next) return { ...flowEnd, page }
    here = next
  }
  throw new Error(`the pages do not end: ${flowEnd.asked.join(', ')}`)
}

async function answer(browser: Browser, page: Page, plan: Plan, flowEnd: FlowEnd): Promise<Arrival | undefined> {
  if (page.url.origin === environment().providerUrl) {
    flowEnd.asked.push('provider')
    if (plan.signIn === 'decline') return browser.press(page, buttons.decline)
    return browser.press(page, buttons.approve, { test_user: people[plan.person ?? 'ines'] })
  }
  if (page.status !== 200 || !page.url.pathname.startsWith('/interaction/')) return undefined
  if (pressable(page, buttons.allow) && pressable(page, buttons.deny)) {
    flowEnd.asked.push('consent')
    flowEnd.consent = wordsOf(page)
    return plan.consent === 'deny'
      ? browser.press(page, buttons.deny)
      : browser.press(page, buttons.allow, plan.choices)
  }
  if (!pressable(page, buttons.signIn)) return undefined
  flowEnd.asked.push('sign-in')
  return browser.press(page, buttons.signIn)
}

/** Opens an authorization request and follows it to its end. */
export async function authorize(
  browser: Browser,
  party: Party,
  request: AuthorizationRequest,
  plan: Plan = {},
): Promise<FlowEnd> {
  return flow(browser, await browser.open(await party.authorizeUrl(request)), plan)
}

export type Obtained = { code: string; request: AuthorizationRequest; flowEnd: FlowEnd }

/** Gets a code, or throws an error that describes the end of the flow. */
export async function obtainCode(
  browser: Browser,
  party: Party,
  changes: Parameters = {},
  plan: Plan = {},
): Promise<Obtained> {
  const request = party.request(changes)
  const flowEnd = await authorize(browser, party, request, plan)
  const code = flowEnd.left?.params.get('code')
  if (!code) throw new Error(`no code: ${describeEnd(flowEnd)}`)
  return { code, request, flowEnd }
}

export function describeEnd({ left, page, asked }: FlowEnd): string {
  const where = left
    ? `left with ${left.params.toString()}`
    : `${page?.status} at ${page?.url.pathname}: ${page && wordsOf(page)}`
  return `${where.slice(0, 600)} (asked: ${asked.join(', ') || 'nothing'})`
}

export type Tokens = {
  access_token: string
  refresh_token: string
  id_token?: string
  scope: string
  expires_in: number
}

/** Gets a person's tokens for a client. */
export async function obtainTokens(
  browser: Browser,
  party: Party,
  changes: Parameters = {},
  plan: Plan = {},
): Promise<Tokens> {
  const { code, request } = await obtainCode(browser, party, changes, plan)
  const answered = await party.redeem(code, request)
  if (answered.status !== 200) throw new Error(`no tokens: ${answered.status} ${answered.text}`)
  return answered.body as Tokens
}

/** The claims of a JWT, not verified. */
// oxlint-disable-next-line typescript/no-explicit-any -- claims are looked at member by member
export function claimsOf(token: string): Record<string, any> {
  return JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())
}
