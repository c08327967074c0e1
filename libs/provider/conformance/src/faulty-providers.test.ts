/** Each misbehaviour of a provider, or of an adapter, is caught by the case that is named for its promise. */

import { randomUUID } from 'node:crypto'
import { operationKinds } from '@financial-agents/contract/kinds'
import { createSameClockAdapter } from '@financial-agents/provider-http/testing/same-clock'
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
const byOurs = ({ url }: Asked) =>
  url.searchParams.has('client_reference') || url.searchParams.has('action_client_reference')

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
      if (asked.call === 'createTransfer' && answer.status === 202) said.set(who, asked.body.amount)
      if (asked.call !== 'spendingAccount' || !said.has(who)) return answer
      const { held, ...rest } = answer.body.data
      const amount = (Number(held.amount) - Number(said.get(who))).toFixed(2)
      return { ...answer, body: { data: { ...rest, held: { ...held, amount } } } }
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
        ? { status: 422, body: { error: { code: 'card_type_not_offered' } } }
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
    about(isInstruction, ({ data }) => ({
      data: { ...data, status: 'succeeded', settled_at: new Date().toISOString() },
    })),
  ],
  [
    'forgets what it executed',
    'transfer: a lost answer is uncertain, and a read by our reference alone proves it',
    about(['findTransfers'], (body) => ({ ...body, data: [] })),
  ],
  [
    'finds by its own reference alone',
    `card_freeze: ${arrivesOnce}`,
    async (asked, ask) => {
      const answer = await ask(asked)
      const isAlone = isSearch(asked) && byOurs(asked) && !asked.url.searchParams.has('action_reference')
      return isAlone ? { ...answer, body: { ...answer.body, data: [] } } : answer
    },
  ],
  [
    'does not find by its own reference',
    "beneficiary_create: is found by the provider's reference alone, and keeps ours",
    (asked, ask) => ask(isSearch(asked) ? withQuery(asked, (query) => query.delete('reference')) : asked),
  ],
  [
    'shows one of two records',
    'beneficiary_create: records that contradict (two_records) are ambiguous, whichever reference is asked for',
    about(isSearch, (body) => ({ ...body, data: body.data.slice(0, 1) })),
  ],
  [
    'shows a record of another reference',
    `beneficiary_create: ${arrivesOnce}`,
    about(['findBeneficiaries'], (body, _asked, said) => {
      const [first] = body.data
      const shown = first ?? said.get('last')
      said.set('last', first ?? said.get('last') ?? { ...recordOf(randomUUID()) })
      return { ...body, data: [shown ?? said.get('last')] }
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
      const isEmpty = isSearch(asked) && isGood(answer) && answer.body.data.length === 0
      return isEmpty ? { status: 404, body: { error: { code: 'nothing_found' } } } : answer
    },
  ],
  ['never has the whole list', `transfer: ${arrivesOnce}`, about(isSearch, (body) => ({ ...body, has_more: true }))],
  [
    'changes a final record',
    'card_create: a final record never changes',
    about(isSearch, (body) => ({
      ...body,
      data: body.data.map((one: object) => ({ ...one, settled_at: new Date().toISOString() })),
    })),
  ],
  [
    'has no time of settlement',
    `transfer: ${arrivesOnce}`,
    about(isInstruction, ({ data }) => ({ data: { ...data, settled_at: null } })),
  ],
  [
    'does not say which card it made',
    'card_create: a lost answer is uncertain, and a read by our reference alone proves it',
    about(['findCards'], (body) => ({
      ...body,
      data: body.data.map((one: object) => ({ ...one, last_four: undefined })),
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
    (asked, ask) => ask(asked.body?.type === 7 ? { ...asked, body: { ...asked.body, type: 'virtual' } } : asked),
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
    'promises about the deadlines of all but beneficiaries, and does not keep it',
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
      return asked.call === 'findCards' && !asked.url.searchParams.has('reference') ? withoutClock(answer) : answer
    },
  ],
  [
    'does not find what it executed and answered with a failure',
    `card_create: ${failureInside}`,
    about(['findCards'], (body) => ({ ...body, data: [] })),
  ],
  ['executes what nobody approved', `transfer: ${unapproved}`, aboutRefusals(['approval_required'], invented)],
  [
    'shows a declined approval as approved',
    `mandate_create: ${unapproved}`,
    about(['readApproval'], ({ data }) => ({
      data: { ...data, status: data.status === 'declined' ? 'granted' : data.status },
    })),
  ],
  [
    'makes another approval for an equal request',
    'transfer: an approval, where it is asked for: prepared twice it is the same one, and nothing moves',
    about(['prepareApproval'], ({ data }) => ({
      data: { ...data, ...(data.reference ? { reference: `apv_${randomUUID()}` } : {}) },
    })),
  ],
  [
    'pays under a revoked mandate',
    'mandates: pay nothing after mandate_revoke',
    aboutRefusals(['mandate_revoked'], invented),
  ],
  [
    'pays under a suspended mandate',
    'mandates: pay nothing after mandate_suspend',
    aboutRefusals(['mandate_suspended'], invented),
  ],
  [
    'pays beyond the limit',
    'mandates: pay up to their limit, and not beyond',
    aboutRefusals(['mandate_limit_exceeded'], invented),
  ],
  [
    'freezes a closed card',
    'cards: a closed card can be closed again, and neither frozen nor unfrozen',
    aboutRefusals(['card_closed'], invented),
  ],
  [
    'lists actions that nobody asked for',
    'cards: a search shows the state, the card’s own record, and the actions that were asked for alone',
    about(['findCards'], (body, _asked, said) => ({
      ...body,
      data: body.data.map((card: { reference: string; actions: object[] }) => {
        const all = [...(said.get(card.reference) ?? []), ...card.actions]
        said.set(card.reference, all)
        return { ...card, actions: all }
      }),
    })),
  ],
  [
    'instructs over a revoked connection',
    'connections: a revoked connection reads and searches on, and instructs nothing more',
    aboutRefusals(['connection_revoked'], invented),
  ],
  [
    'acts on what is not there',
    'card_freeze: of what is not there is refused',
    aboutRefusals(['unknown_card'], invented),
  ],
  [
    'tells the browser the secret of a sign-in',
    'sign-in: an equal start is the same one, another return address is refused, and the page tells no secret',
    about(['startDeviceAuthentication'], ({ data }) => ({
      data: { ...data, hosted_url: `${data.hosted_url}?of=${data.reference}` },
    })),
  ],
  [
    'shows the number of a card to anybody',
    'the page of a card reveal shows no card number to a request that proves nothing of who asks',
    about(['startCardReveal'], ({ data }) => ({ data: { ...data, hosted_url: `${lying.url}${pagePath}` } })),
  ],
  [
    'does not say that credentials are refused',
    'accounts: refused credentials are distinct from every other failure',
    async (asked, ask) => {
      const answer = await ask(asked)
      return answer.status === 401 ? { ...answer, status: 403 } : answer
    },
  ],
  [
    'answers credentials that nobody has',
    'spendingAccount: refused credentials are distinct from every other failure',
    async (asked, ask, said) => {
      const answer = await ask(asked)
      if (asked.call === 'spendingAccount' && isGood(answer)) said.set('account', answer)
      return asked.call === 'spendingAccount' ? (said.get('account') ?? { status: 200, body: spendingAccount }) : answer
    },
  ],
  [
    'shows more than four digits of an account',
    'accounts: answers in the shapes of the API, and holds no credentials',
    about(['accounts'], ({ data }) => ({
      data: data.map((one: object) => ({ ...one, masked_number: '00440154' })),
    })),
  ],
  [
    'shows the oldest movement first',
    ofMovement,
    about(['activity'], ({ data }) => ({ data: { ...data, items: data.items.toReversed() } })),
  ],
  [
    'leaves movements out between pages',
    ofMovement,
    about(['activity'], ({ data }) => ({ data: { ...data, items: data.items.slice(0, 6) } })),
  ],
  [
    'takes a cursor of another query',
    'activity: a cursor of another query, of somebody else or of nobody is not taken for one of this',
    async (asked, ask) => {
      const answer = await ask(asked)
      return answer.status === 400 ? ask(withQuery(asked, (query) => query.delete('cursor'))) : answer
    },
  ],
  [
    'ignores the end of a period',
    'activity: a period begins with its first moment and ends before its last',
    (asked, ask) => ask(withQuery(asked, (query) => asked.call === 'activity' && query.delete('to'))),
  ],
  [
    'shows the purchases of one to all',
    'purchases: each has a reference of its own, newest first, the same each time, and is nobody else’s',
    about(['purchases'], (body, _asked, said) => {
      said.set('purchases', said.get('purchases') ?? body)
      return said.get('purchases')
    }),
  ],
  [
    'quotes in another currency',
    'transferQuote: is in the currencies asked for, and leaves the fixed side as it is',
    about(['transferQuote'], ({ data: { type, quote } }) => ({
      data: { type, quote: { ...quote, target: { ...quote.target, currency: 'CHF' } } },
    })),
  ],
  [
    'changes the fixed side of a quote',
    'transferQuote: is in the currencies asked for, and leaves the fixed side as it is',
    about(['transferQuote'], ({ data: { type, quote } }) => ({
      data: { type, quote: { ...quote, source: { ...quote.source, amount: '1.00' } } },
    })),
  ],
  [
    'has one quote for everybody',
    'purchaseQuote: each has a reference of its own',
    about(['purchaseQuote'], ({ data: { type, quote } }) => ({
      data: { type, quote: { ...quote, reference: 'quo_1' } },
    })),
  ],
  [
    'has prices in a currency that there is not',
    'fiatPrices: are of assets that there are, one each, in the currency asked for, and none in an unknown one',
    about(['fiatPrices'], ({ data }, { url }) => ({
      data: data.length > 0 ? data : [price(url.searchParams.get('currency') ?? '')],
    })),
  ],
  [
    'answers a page where the shape is promised',
    everyAnswer,
    async (asked, ask) =>
      asked.call === 'purchasableServices' ? { status: 200, body: '<p>Services</p>' } : ask(asked),
  ],
  [
    'answers a status that is not published',
    everyAnswer,
    async (asked, ask) => {
      const answer = await ask(asked)
      return asked.call === 'purchasableServices' ? { ...answer, status: 203 } : answer
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
  return { reference: 'ben_other', client_reference, status: 'succeeded', settled_at: at, failure_code: null }
}

const nothing = { amount: '0.00', currency: 'EUR' }
const spendingAccount = { data: { held: nothing, promotional_credit: nothing, owed: nothing } }
const price = (currency: string) => ({ asset: 'BTC', currency, price: '1.00', as_of: new Date().toISOString() })

/** The address of the faulty provider that answers now. */
const lying = { url: '' }

/** The outcome of each case. Cases that validate the whole run need calls before them. */
async function validate(lie: Lie, url: string, cases: ReadonlySet<string>, open: OpenAdapter = createSameClockAdapter) {
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
      const honest = createSameClockAdapter(options)
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
