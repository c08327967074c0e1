/** Each misbehaviour of a provider, or of an adapter, is caught by the case that is named for its promise. */

import { randomUUID } from 'node:crypto'
import { operationKinds } from '@financial-agents/contract/kinds'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import type { Provider, SubmitOutcome } from '@financial-agents/provider-port/port'
import { type FakeProvider, startFakeProvider } from '@financial-agents/testkit/fake-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Answered,
  type Asked,
  about,
  aboutRefusals,
  invented,
  isGood,
  isInstruction,
  isSearch,
  type Lie,
  pagePath,
  startFaultyProvider,
} from './faulty-provider.test-helper.ts'
import { type OpenAdapter, runCases } from './run.ts'

let keeping: FakeProvider
let repeating: FakeProvider
beforeAll(async () => {
  keeping = await startFakeProvider({ executesRepeats: false })
  repeating = await startFakeProvider()
})
afterAll(() => Promise.all([keeping.stop(), repeating.stop()]))

const truth: Lie = (asked, ask) => ask(asked)
const ofMovement = 'activity: pages of any size are complete, without repetition, newest first'
const arrivesOnce = 'what is executed arrives once, and a read by either reference proves it with the same facts'
const unapproved = 'an approval, where it is asked for: unapproved, declined or undecided, the mutation is not executed'
const failureInside = 'a failure inside the provider is uncertain, and a read proves what it executed'
const failureAlone = 'a failure inside the provider that executed nothing is as uncertain, and not found'
const unreadable = 'an answer that nobody can read is uncertain, and a read proves what it executed'
const everyAnswer = 'answers: every one of this run has the published form'

/** Searches by our reference alone. */
const byOurs = ({ url }: Asked) => url.searchParams.has('client_reference') || url.searchParams.has('action_reference')

function withQuery(asked: Asked, change: (query: URLSearchParams) => void): Asked {
  const url = new URL(asked.url)
  change(url.searchParams)
  return { ...asked, url }
}

/** Sends the instruction without its deadline, so that it is executed at any time. */
function timeless(asked: Asked): Asked {
  const { valid_until: _, ...body } = asked.body ?? {}
  return isInstruction(asked) ? { ...asked, body } : asked
}

function withoutClock({ status, body }: Answered): Answered {
  const { as_of: _, ...rest } = body
  return { status, body: rest }
}

/** Each misbehaviour with the case that catches it, the lie, and, if needed, the provider behind the faulty provider. */
const lies: readonly (readonly [name: string, caughtBy: string, lie: Lie, behind?: 'repeating'])[] = [
  [
    'executes a repetition again',
    'transfer: a repetition is answered with the record, and executed once',
    truth,
    'repeating',
  ],
  [
    'executes an action again',
    'card_freeze: a repetition is answered with the record, and executed once',
    truth,
    'repeating',
  ],
  [
    'executes what arrives together more than once',
    'card_create: equal instructions that arrive together make one record',
    truth,
    'repeating',
  ],
  [
    'takes money for a repetition',
    'money: a transfer takes it once, a repetition and a refusal nothing',
    async (asked, ask) => {
      const answer = await ask(asked)
      if (asked.call === 'createTransfer' && answer.status === 200)
        await ask({ ...asked, body: { ...asked.body, client_reference: randomUUID() } })
      return answer
    },
  ],
  [
    'keeps the money of a transfer that failed',
    'money: a transfer that fails later gives it back',
    async (asked, ask, said) => {
      const answer = await ask(asked)
      const who = asked.headers['authorization'] ?? ''
      if (asked.call === 'createTransfer' && answer.status === 202) said.set(who, asked.body.amount.value)
      if (asked.call !== 'readPurse' || !said.has(who)) return answer
      const { held, ...rest } = answer.body.purse
      const value = (Number(held.value) - Number(said.get(who))).toFixed(2)
      return { ...answer, body: { purse: { ...rest, held: { ...held, value } } } }
    },
  ],
  [
    'takes another content for a repetition',
    'transfer: another content under its reference is refused, and changes nothing',
    aboutRefusals(['reference_reused'], invented),
  ],
  [
    'refuses what it executed',
    `card_create: ${arrivesOnce}`,
    async (asked, ask) => {
      const answer = await ask(asked)
      return isInstruction(asked) && isGood(answer) && asked.call === 'createCard'
        ? { status: 422, body: { error: { code: 'form_not_offered' } } }
        : answer
    },
  ],
  [
    'says that it executed what it refused',
    'beneficiary_create: a definitive answer (reject) is failed, and nothing is found afterwards',
    aboutRefusals(['account_closed'], invented),
  ],
  [
    'answers a refusal with a failure inside',
    'card_create: a definitive answer (refuse) is failed, and nothing is found afterwards',
    aboutRefusals(['refused'], () => ({ status: 500, body: { error: { code: 'internal' } } })),
  ],
  [
    'refuses without the refusal document',
    'card_create: a definitive answer (reject) is failed, and nothing is found afterwards',
    aboutRefusals(['account_closed'], (_asked, { status }) => ({ status, body: { message: 'no' } })),
  ],
  [
    'says final while it is pending',
    'transfer: what settles later is submitted, stays pending, and is found succeeded once it is',
    about(isInstruction, ({ result }) => ({
      result: { ...result, status: 'active', settled_at: new Date().toISOString() },
    })),
  ],
  [
    'forgets what it executed',
    'transfer: a lost answer is uncertain, and a read by our reference alone proves it',
    about(['findTransfers'], (body) => ({ ...body, results: [] })),
  ],
  [
    'finds by its own reference alone',
    `card_freeze: ${arrivesOnce}`,
    async (asked, ask) => {
      const answer = await ask(asked)
      const isAlone = isSearch(asked) && byOurs(asked) && !asked.url.searchParams.has('action_ref')
      return isAlone ? { ...answer, body: { ...answer.body, results: [] } } : answer
    },
  ],
  [
    'does not find by its own reference',
    "beneficiary_create: is found by the provider's reference alone, and keeps ours",
    (asked, ask) => ask(isSearch(asked) ? withQuery(asked, (query) => query.delete('provider_ref')) : asked),
  ],
  [
    'shows one of two records',
    'beneficiary_create: records that contradict (two_records) are ambiguous, whichever reference is asked for',
    about(isSearch, (body) => ({ ...body, results: body.results.slice(0, 1) })),
  ],
  [
    'shows a record of another reference',
    `beneficiary_create: ${arrivesOnce}`,
    about(['findBeneficiaries'], (body, _asked, said) => {
      const [first] = body.results
      const shown = first ?? said.get('last')
      said.set('last', first ?? said.get('last') ?? { ...recordOf(randomUUID()) })
      return { ...body, results: [shown ?? said.get('last')] }
    }),
  ],
  [
    'shows records to somebody else',
    'card_create: nobody else finds it',
    async (asked, ask, said) => {
      if (isInstruction(asked)) said.set(asked.body.client_reference, asked.headers)
      const owner = said.get(asked.url.searchParams.get('client_reference') ?? '')
      return ask(isSearch(asked) && owner !== undefined ? { ...asked, headers: owner } : asked)
    },
  ],
  [
    'answers 404 to a search that finds nothing',
    `transfer: ${arrivesOnce}`,
    async (asked, ask) => {
      const answer = await ask(asked)
      const isEmpty = isSearch(asked) && isGood(answer) && answer.body.results.length === 0
      return isEmpty ? { status: 404, body: { error: { code: 'nothing_found' } } } : answer
    },
  ],
  ['never has the whole list', `transfer: ${arrivesOnce}`, about(isSearch, (body) => ({ ...body, more: true }))],
  [
    'changes a final record',
    'card_create: a final record never changes',
    about(isSearch, (body) => ({
      ...body,
      results: body.results.map((one: object) => ({ ...one, settled_at: new Date().toISOString() })),
    })),
  ],
  [
    'has no time of settlement',
    `transfer: ${arrivesOnce}`,
    about(isInstruction, ({ result }) => ({ result: { ...result, settled_at: null } })),
  ],
  [
    'does not say which card it made',
    'card_create: a lost answer is uncertain, and a read by our reference alone proves it',
    about(['findCards'], (body) => ({
      ...body,
      results: body.results.map((one: object) => ({ ...one, number_tail: undefined })),
    })),
  ],
  [
    'refuses members that it does not know',
    'beneficiary_create: members that the provider does not know are ignored',
    async (asked, ask) =>
      asked.body?.member_of_a_later_version === undefined
        ? ask(asked)
        : { status: 400, body: { error: { code: 'invalid_request' } } },
  ],
  [
    'mends a request of another form',
    'card_create: a request of another form is refused and not executed',
    (asked, ask) => ask(asked.body?.form === 7 ? { ...asked, body: { ...asked.body, form: 'digital' } } : asked),
  ],
  [
    'reserves the reference of a refused instruction',
    'card_create: a refused instruction leaves no record, and its reference free',
    async (asked, ask, said) => {
      if (!isInstruction(asked)) return ask(asked)
      const key = asked.body.client_reference
      const answer = said.get(key) ?? (await ask(asked))
      if (!isGood(answer)) said.set(key, answer)
      return answer
    },
  ],
  [
    'executes after the deadline',
    'transfer: after its deadline it is refused and not executed, before it executed',
    async (asked, ask) => {
      const answer = await ask(timeless(asked))
      return isSearch(asked) ? { ...answer, body: { ...answer.body, as_of: new Date().toISOString() } } : answer
    },
  ],
  [
    'promises about the deadlines of all but payees, and does not keep it',
    'transfer: after its deadline it is refused and not executed, before it executed',
    async (asked, ask) => {
      const answer = await ask(timeless(asked))
      return asked.call === 'findBeneficiaries' ? withoutClock(answer) : answer
    },
  ],
  [
    'shows its clock where a card is named, and promises nothing where it is not',
    'deadlines: a promise about them is validated, or not made',
    async (asked, ask) => {
      const answer = await ask(asked)
      return asked.call === 'findCards' && !asked.url.searchParams.has('provider_ref') ? withoutClock(answer) : answer
    },
  ],
  [
    'does not find what it executed and answered with a failure',
    `card_create: ${failureInside}`,
    about(['findCards'], (body) => ({ ...body, results: [] })),
  ],
  ['executes what nobody approved', `transfer: ${unapproved}`, aboutRefusals(['approval_missing'], invented)],
  [
    'shows a declined approval as approved',
    `mandate_create: ${unapproved}`,
    about(['readApproval'], ({ approval }) => ({
      approval: { ...approval, status: approval.status === 'declined' ? 'approved' : approval.status },
    })),
  ],
  [
    'makes another approval for an equal request',
    'transfer: an approval, where it is asked for: prepared twice it is the same one, and nothing moves',
    about(['prepareApproval'], ({ approval }) => ({
      approval: { ...approval, ...(approval.approval_ref ? { approval_ref: `apv_${randomUUID()}` } : {}) },
    })),
  ],
  [
    'pays under a grant that was withdrawn',
    'grants: pay nothing after mandate_revoke',
    aboutRefusals(['grant_withdrawn'], invented),
  ],
  [
    'pays under a grant that is paused',
    'grants: pay nothing after mandate_suspend',
    aboutRefusals(['grant_paused'], invented),
  ],
  [
    'pays beyond the ceiling',
    'grants: pay up to their ceiling, and not beyond',
    aboutRefusals(['over_ceiling'], invented),
  ],
  [
    'pauses a card that has ended',
    'cards: one that has ended can be ended again, and neither paused nor resumed',
    aboutRefusals(['card_ended'], invented),
  ],
  [
    'lists actions that nobody asked for',
    'cards: a search shows the state, the card’s own record, and the actions that were asked for alone',
    about(['findCards'], (body, _asked, said) => ({
      ...body,
      results: body.results.map((card: { provider_ref: string; actions: object[] }) => {
        const all = [...(said.get(card.provider_ref) ?? []), ...card.actions]
        said.set(card.provider_ref, all)
        return { ...card, actions: all }
      }),
    })),
  ],
  [
    'instructs over a connection that was withdrawn',
    'connections: one that was withdrawn reads and searches on, and instructs nothing more',
    aboutRefusals(['connection_withdrawn'], invented),
  ],
  [
    'acts on what is not there',
    'card_freeze: of what is not there is refused',
    aboutRefusals(['unknown_card'], invented),
  ],
  [
    'tells the browser the secret of a sign-in',
    'sign-in: an equal start is the same one, another return address is refused, and the page tells no secret',
    about(['startDeviceAuthentication'], ({ device_authentication: started }) => ({
      device_authentication: { ...started, page_url: `${started.page_url}?of=${started.authentication_ref}` },
    })),
  ],
  [
    'shows the number of a card to anybody',
    'the page of a card reveal shows no card number to a request that proves nothing of who asks',
    about(['startCardReveal'], ({ card_reveal: reveal }) => ({
      card_reveal: { ...reveal, page_url: `${lying.url}${pagePath}` },
    })),
  ],
  [
    'does not say that credentials are refused',
    'accounts: refused credentials are notified from every other failure',
    async (asked, ask) => {
      const answer = await ask(asked)
      return answer.status === 401 ? { ...answer, status: 403 } : answer
    },
  ],
  [
    'answers credentials that nobody has',
    'spendingAccount: refused credentials are notified from every other failure',
    async (asked, ask, said) => {
      const answer = await ask(asked)
      if (asked.call === 'readPurse' && isGood(answer)) said.set('purse', answer)
      return asked.call === 'readPurse' ? (said.get('purse') ?? { status: 200, body: purse }) : answer
    },
  ],
  [
    'shows more than four digits of an account',
    'accounts: answers in the shapes of the API, and holds no credentials',
    about(['readAccounts'], (body) => ({
      accounts: body.accounts.map((one: object) => ({ ...one, number_tail: '00440154' })),
    })),
  ],
  [
    'shows the oldest movement first',
    ofMovement,
    about(['readMovements'], (body) => ({ ...body, movements: body.movements.toReversed() })),
  ],
  [
    'leaves movements out between pages',
    ofMovement,
    about(['readMovements'], (body) => ({ ...body, movements: body.movements.slice(0, 6) })),
  ],
  [
    'takes a token of another query',
    'activity: a cursor of another query, of somebody else or of nobody is not taken for one of this',
    async (asked, ask) => {
      const answer = await ask(asked)
      return answer.status === 400 ? ask(withQuery(asked, (query) => query.delete('page'))) : answer
    },
  ],
  [
    'ignores the end of a period',
    'activity: a period begins with its first moment and ends before its last',
    (asked, ask) => ask(withQuery(asked, (query) => asked.call === 'readMovements' && query.delete('before'))),
  ],
  [
    'shows the orders of one to all',
    'purchases: each has a reference of its own, newest first, the same each time, and is nobody else’s',
    about(['readOrders'], (body, _asked, said) => {
      said.set('orders', said.get('orders') ?? body)
      return said.get('orders')
    }),
  ],
  [
    'estimates in another currency',
    'transferQuote: is in the currencies asked for, and leaves the fixed side as it is',
    about(['estimateTransfer'], ({ estimate }) => ({
      estimate: { ...estimate, receive: { ...estimate.receive, ccy: 'CHF' } },
    })),
  ],
  [
    'changes the fixed side of an estimate',
    'transferQuote: is in the currencies asked for, and leaves the fixed side as it is',
    about(['estimateTransfer'], ({ estimate }) => ({
      estimate: { ...estimate, give: { ...estimate.give, value: '1.00' } },
    })),
  ],
  [
    'has one estimate for everybody',
    'purchaseQuote: each has a reference of its own',
    about(['estimatePurchase'], ({ estimate }) => ({ estimate: { ...estimate, estimate_ref: 'est_1' } })),
  ],
  [
    'has prices in a currency that there is not',
    'fiatPrices: are of assets that there are, one each, in the currency asked for, and none in an unknown one',
    about(['readPrices'], (body, { url }) => ({
      prices: body.prices.length > 0 ? body.prices : [price(url.searchParams.get('ccy') ?? '')],
    })),
  ],
  [
    'answers a page where the shape is promised',
    everyAnswer,
    async (asked, ask) => (asked.call === 'readOffers' ? { status: 200, body: '<p>Offers</p>' } : ask(asked)),
  ],
  [
    'answers a status that is not published',
    everyAnswer,
    async (asked, ask) => {
      const answer = await ask(asked)
      return asked.call === 'readOffers' ? { ...answer, status: 203 } : answer
    },
  ],
]

type Submit = Provider['submit']

/** Calls a doubt a refusal. */
function refusing(isMeant: (outcome: Extract<SubmitOutcome, { type: 'uncertain' }>) => boolean) {
  return (honest: Submit): Submit =>
    async (asked) => {
      const outcome = await honest(asked)
      return outcome.type === 'uncertain' && isMeant(outcome) ? { ...outcome, type: 'failed' } : outcome
    }
}

/** Each misbehaviour of an adapter with the case that catches it. */
const lyingAdapters: readonly (readonly [name: string, caughtBy: string, lie: (honest: Submit) => Submit])[] = [
  [
    'calls a failure inside the provider a refusal',
    `transfer: ${failureInside}`,
    refusing(({ failureCode }) => failureCode === 'provider_error'),
  ],
  [
    'calls the failure of a gateway a refusal',
    `transfer: ${failureAlone}`,
    refusing(({ failureDetail }) => failureDetail.includes('status 503')),
  ],
  [
    'sends again after the failure of a gateway',
    `card_create: ${failureAlone}`,
    (honest) => async (asked) => {
      const outcome = await honest(asked)
      if (outcome.type === 'uncertain' && outcome.failureCode === 'provider_error') await honest(asked)
      return outcome
    },
  ],
  [
    'calls an answer that it cannot read a refusal',
    `transfer: ${unreadable}`,
    refusing(({ failureCode }) => failureCode === 'provider_response_invalid'),
  ],
  [
    'calls an answer that it cannot read a success',
    `card_create: ${unreadable}`,
    (honest) => async (asked) => {
      const outcome = await honest(asked)
      const isUnread = outcome.type === 'uncertain' && outcome.failureCode === 'provider_response_invalid'
      return isUnread ? { type: 'submitted', upstreamReference: 'unread' } : outcome
    },
  ],
]

function recordOf(client_reference: string): object {
  const at = new Date().toISOString()
  return { provider_ref: 'ben_other', client_reference, status: 'active', settled_at: at, failure_reason: null }
}

const nothing = { value: '0.00', ccy: 'EUR' }
const purse = { purse: { held: nothing, promotional: nothing, owed: nothing } }
const price = (ccy: string) => ({ ticker: 'BTC', ccy, price: '1.00', at: new Date().toISOString() })

/** The address of the faulty provider that answers now. */
const lying = { url: '' }

/** The outcome of each case. Cases that validate the whole run need calls before them. */
async function validate(lie: Lie, url: string, cases: ReadonlySet<string>, open: OpenAdapter = createHttpAdapter) {
  const faultyProvider = await startFaultyProvider(url, lie)
  lying.url = faultyProvider.url
  const before = cases.has(everyAnswer) ? 'purchasableServices: answers in the shapes' : undefined
  const isWanted = (name: string) => cases.has(name) || (before !== undefined && name.startsWith(before))
  try {
    const results = await runCases({ url: faultyProvider.url, open, kinds: operationKinds, isWanted })
    return results.filter(({ name }) => cases.has(name)).map(({ name, outcome }) => [name, outcome] as const)
  } finally {
    await faultyProvider.close()
  }
}

test('an honest provider passes every case that catches a faulty provider', async () => {
  const cases = new Set([...lies, ...lyingAdapters].map(([, caughtBy]) => caughtBy))
  const found = await validate(truth, keeping.url, cases)
  expect(found.length, 'a case of the table is no case of the kit').toBe(cases.size)
  expect(found.filter(([, outcome]) => outcome === 'failed')).toEqual([])
})

for (const [name, caughtBy, lie, behind] of lies) {
  test(`a provider that ${name} is caught by: ${caughtBy}`, async () => {
    const found = await validate(lie, behind === undefined ? keeping.url : repeating.url, new Set([caughtBy]))
    expect(found).toEqual([[caughtBy, 'failed']])
  })
}

for (const [name, caughtBy, lie] of lyingAdapters) {
  test(`an adapter that ${name} is caught by: ${caughtBy}`, async () => {
    const open: OpenAdapter = (options) => {
      const honest = createHttpAdapter(options)
      return { ...honest, submit: lie((submission) => honest.submit(submission)) }
    }
    expect(await validate(truth, keeping.url, new Set([caughtBy]), open)).toEqual([[caughtBy, 'failed']])
  })
}

test('a promise about deadlines is validated for each kind whose search shows the clock, and left out for the others', async () => {
  const lie: Lie = async (asked, ask) => {
    if (asked.call === 'createTransfer') return ask(timeless(asked))
    const answer = await ask(asked)
    return asked.call === 'findTransfers' ? withoutClock(answer) : answer
  }
  const ofKind = (kind: string) => [
    `${kind}: a request that arrives after its deadline is failed, and is not found by the provider's own clock`,
    `${kind}: a request that waited inside the provider until after its deadline is never executed`,
    `${kind}: a request that waited inside the provider and is still in time is executed`,
    `${kind}: after its deadline it is refused and not executed, before it executed`,
  ]
  const validated = [...ofKind('card_create'), 'deadlines: a promise about them is validated, or not made']
  const leftOut = ofKind('transfer')
  const found = await validate(lie, keeping.url, new Set([...validated, ...leftOut]))
  expect(new Set(found)).toEqual(
    new Set([...validated.map((name) => [name, 'passed']), ...leftOut.map((name) => [name, 'left_out'])]),
  )
})
