/**
 * The page "Try it": signs in to the development stack that serves it, sends requests with the published client, and shows each of them
 * as it was sent.
 *
 * Invariants: the code of a sign-in leaves the address before it is redeemed. A write keeps its idempotency key until the reader asks
 * for a new one.
 */

import { FinancialAgents } from '@financial-agents/client'
import { spa } from '@financial-agents/client/auth/spa'
import { make } from './elements.ts'
import { type Exchange, reportingFetch } from './exchange.ts'
import { tryStore } from './kept.ts'
import type { TryData } from './operation.ts'
import { findPlace, type Place } from './place.ts'
import { createRequestForm } from './request-form.ts'
import { showExchange } from './show-exchange.ts'
import { createSignIn } from './sign-in.ts'

export async function start(data: TryData): Promise<void> {
  const root = document.getElementById('try')
  if (root === null) return
  const back = takeAnswer()
  const place = await findPlace(data.clientId, data.path)
  if (place.kind !== 'ready') return root.replaceChildren(explain(place, data))
  const exchanges = make('div', { class: 'exchanges' })
  const report = (exchange: Exchange) => {
    for (const shown of exchanges.querySelectorAll('details')) shown.open = false
    exchanges.prepend(showExchange(exchange, true))
  }
  const store = tryStore()
  const reporting = reportingFetch(report)
  const agentFor = (scopes: readonly string[]) =>
    FinancialAgents({
      baseUrl: location.origin,
      clientId: data.clientId,
      auth: spa({ scopes, redirectUri: location.origin + data.path }),
      store,
      fetch: reporting,
      onOwnerNeeded: ({ url }) => form.showOwner(url),
    })
  const agent = agentFor(data.scopes)
  const form = createRequestForm({ data, agent, fetch: reporting, clear: () => exchanges.replaceChildren() })
  const signIn = createSignIn({ data, agentFor, store })
  const answers = make(
    'section',
    { 'aria-label': 'Requests and answers' },
    make('h2', {}, 'Requests and answers'),
    exchanges,
  )
  root.replaceChildren(signIn.element, form.element, answers)
  await signIn.begin(back === undefined ? undefined : () => agent.completeSignIn(back))
}

/** Takes the answer of a sign-in out of the address, so that no history, copy or bookmark has the code. */
function takeAnswer(): string | undefined {
  const { href, search, pathname } = location
  const parameters = new URLSearchParams(search)
  if (!parameters.has('state')) return undefined
  history.replaceState(null, '', pathname)
  return href
}

function explain(place: Exclude<Place, { kind: 'ready' }>, { clientId, path }: TryData): HTMLElement {
  const says = (title: string, ...text: (Node | string)[]) =>
    make('div', { class: 'notice', role: 'status' }, make('p', {}, make('strong', {}, title)), make('p', {}, ...text))
  if (place.kind === 'other_address') {
    const href = place.origin + path
    return says(
      'Open this page at the address of the stack.',
      'The stack knows itself as ',
      make('a', { href }, href),
      '.',
    )
  }
  if (place.kind === 'no_client')
    return says(
      'This stack has no client for this page.',
      'Start a stack with ',
      make('code', {}, 'npx -y pnpm@12 dev'),
      ' of this version of the repository: it registers the client ',
      make('code', {}, clientId),
      ' on its own origin. A stack that was started in another way has none.',
    )
  const { environment } = place
  return says(
    environment === undefined
      ? 'No environment of the API serves this page.'
      : `This is the environment “${environment}”.`,
    'Requests are tried on a development stack only. Start one with ',
    make('code', {}, 'npx -y pnpm@12 dev --enable transfers.execute'),
    ', and open ',
    make('code', {}, `http://127.0.0.1:8080${path}`),
    '.',
  )
}
