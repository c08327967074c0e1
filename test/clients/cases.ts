/**
 * The failures that every published client has to survive, in one table: what the API answers, and what the client must send and say.
 * A client runs each case whose acts it has. What only one client has is a test beside its code.
 */

import {
  type Answer,
  accepted,
  at,
  broken,
  busy,
  endedGrant,
  forbidden,
  foreign,
  foreignTokens,
  found,
  id,
  invalid,
  json,
  none,
  operation,
  page,
  read,
  refused,
  running,
  staleToken,
  unavailable,
  unknown,
} from './answers.ts'
import type { Act, Client, Ending } from './client.ts'

/** One call of the client. Absent members: a payment of 9.90 that is answered at once, with no time to wait. */
export type Step = {
  do?: Act
  amount?: string
  /** The longest time of the call. 0 waits for no outcome, and limits nothing. */
  timeoutMs?: number
  /** The answers of the API, in order, to this call. All are fetched, and no other request is made. */
  answers?: readonly Answer[]
  tokens?: readonly Answer[]
  is: Ending
  /** Other outcomes of some clients, because their interface says more or less. */
  but?: Partial<Record<Client['name'], Ending>>
  operation?: string
  /** The code of the error, and that of its cause, where the client has such. */
  code?: string | RegExp
  cause?: string
  /** Words that the message contains. */
  says?: Partial<Record<Client['name'], RegExp>>
  /** The requests of this call. */
  requests?: readonly string[]
  /** The requests for tokens of the case so far. */
  tokenRequests?: number
  /** The year of the client's clock, as its proofs have it. */
  year?: number
}

export type Case = {
  name: string
  steps: readonly Step[]
  /** The clients that have what the case needs; all if absent. */
  of?: readonly Client['name'][]
  /** The time for which requests are repeated (0). */
  retryForMs?: number
  /** True if the access token has expired when the case begins. */
  isExpired?: boolean
}

const route = 'POST /v1/spending-account/withdrawals'
const lookUp = 'GET /v1/operations?idempotency_key={key}'
const readsOf = (number: number) => `GET /v1/operations/${id(number)}`
const [one, two] = [id(1), id(2)]
/** Clients whose intent can be given with another request. A draft of the MCP server cannot change. */
const withIntents = ['typescript', 'python', 'cli'] as const
const libraries = ['typescript', 'python'] as const
/** Clients that live longer than one call. */
const lasting = ['typescript', 'python', 'mcp'] as const
const goesOn = {
  typescript: /call again with the same intent/,
  python: /call again with the same intent/,
  cli: /Run the same command again/,
}
const namesIt = { typescript: new RegExp(one), python: new RegExp(one), cli: new RegExp(one) }
const another = { typescript: /use a new intent/, python: /use a new intent/, cli: /--intent/ }
const looksFirst = { typescript: /look before you call again/, python: /look before you call again/ }

const lost: Step = { answers: ['lost'], is: 'uncertain', code: 'unreachable', says: goesOn, requests: [route] }
const conflict: Step = { amount: '1.00', is: 'conflict', code: 'intent_conflict', requests: [] }
const paid: Step = { answers: [accepted], is: 'done', operation: one, requests: [route] }
const paidSecond: Step = { answers: [invalid, found], is: 'done', operation: two, requests: [route, lookUp] }

const each = <Given>(rows: readonly (readonly [string, Given])[], make: (what: string, given: Given) => Case): Case[] =>
  rows.map(([what, given]) => make(what, given))

const afterLoss: Case[] = [
  {
    name: 'a lost answer is asked for again with the same key, and the intent then leads to its operation',
    retryForMs: 60_000,
    steps: [
      { answers: ['lost', 'lost', accepted], is: 'done', operation: one, requests: [route, route, route] },
      { answers: [read()], is: 'done', operation: one, requests: [readsOf(1)] },
    ],
  },
  {
    name: 'a lost answer keeps the intent for its request alone',
    of: withIntents,
    steps: [lost, conflict, paid],
  },
  ...each<Answer>(
    [
      ['a limit', busy],
      ['a busy service', unavailable],
      ['no connection', 'unsent'],
    ] as const,
    (what, answer) => ({
      name: `after a lost answer, ${what} until the time is over leaves the payment uncertain`,
      of: withIntents,
      // The command line reads the payee first. Without a connection it never comes to the payment.
      steps: [
        lost,
        { answers: [answer], is: 'uncertain', ...(answer === 'unsent' && { but: { cli: 'unavailable' } }) },
        conflict,
      ],
    }),
  ),
  {
    name: 'the loss and no connection can be of one call',
    retryForMs: 400,
    steps: [{ answers: ['lost', 'unsent'], is: 'uncertain', code: 'unreachable' }],
  },
  {
    name: 'after a lost answer, a refusal proves nothing: the attempt may still arrive, and is found',
    of: withIntents,
    steps: [
      lost,
      {
        answers: [invalid, none],
        is: 'uncertain',
        code: 'validation_failed',
        says: goesOn,
        requests: [route, lookUp],
      },
      conflict,
      paidSecond,
      { answers: [json(200, operation(2))], is: 'done', operation: two, requests: [readsOf(2)] },
    ],
  },
  { name: 'after a lost answer, a refusal is none if an operation has the key', steps: [lost, paidSecond] },
  ...each<Answer>(
    [
      ['is refused', forbidden],
      ['gets no answer', 'lost'],
    ] as const,
    (how, answer) => ({
      name: `after a lost answer, a refusal is uncertain if the look-up ${how}, and the intent is not free`,
      of: withIntents,
      steps: [lost, { answers: [invalid, answer], is: 'uncertain', code: 'validation_failed' }, conflict],
    }),
  ),
  {
    name: 'after a lost answer, the operation of a conflict is another payment',
    steps: [
      lost,
      {
        answers: [refused('idempotency_key_conflict', 409)],
        is: 'uncertain',
        code: 'intent_conflict',
        requests: [route],
      },
    ],
  },
  {
    name: 'an intent that the API knows with another request is a conflict, also without a record of it',
    of: withIntents,
    steps: [
      { answers: [refused('idempotency_key_conflict', 409)], is: 'conflict', code: 'intent_conflict', says: another },
      paid,
    ],
  },
  {
    name: 'after a lost answer, the end of the access leaves the payment uncertain',
    retryForMs: 60_000,
    steps: [{ answers: ['lost', staleToken], tokens: [endedGrant], is: 'uncertain' }],
  },
  {
    name: 'an answer that breaks off is looked up by its key',
    retryForMs: 60_000,
    steps: [{ answers: ['cut', found], is: 'done', operation: two, requests: [route, lookUp] }],
  },
  ...each<Answer>(
    [
      ['finds nothing', none],
      ['gets no answer', 'lost'],
      ['gets a page', page(403)],
    ] as const,
    (how, answer) => ({
      name: `an answer that breaks off is uncertain if the look-up ${how}`,
      steps: [{ answers: ['cut', answer], is: 'uncertain' }, paid],
    }),
  ),
]

const notKnown: Case[] = [
  ...each<Answer>(
    [
      ['503', unavailable],
      ['403', forbidden],
      ['409', refused('provider_connection_unavailable', 409)],
      ['no answer', 'lost'],
      ['no connection', 'unsent'],
      ['an answer of a proxy', page(404)],
    ] as const,
    (how, answer) => ({
      name: `after "acceptance unknown", a look-up that ends with ${how} leaves the payment uncertain`,
      steps: [
        {
          answers: [unknown, answer],
          is: 'uncertain',
          code: 'acceptance_unknown',
          says: { cli: goesOn.cli },
          requests: answer === 'unsent' ? [route] : [route, lookUp],
        },
        paid,
      ],
    }),
  ),
  {
    name: 'after "acceptance unknown", the key is looked up before anything is sent again',
    steps: [{ answers: [unknown, found], is: 'done', operation: two, requests: [route, lookUp] }],
  },
  {
    name: 'after "acceptance unknown" and no operation, the same key is sent again',
    retryForMs: 60_000,
    steps: [{ answers: [unknown, none, accepted], is: 'done', operation: one, requests: [route, lookUp, route] }],
  },
  {
    name: 'an internal error is uncertain if the look-up is refused',
    steps: [
      {
        answers: [broken, forbidden],
        is: 'uncertain',
        cause: 'insufficient_scope',
        says: goesOn,
        requests: [route, lookUp],
      },
      paid,
    ],
  },
  {
    name: 'an expired key whose operation is not found is uncertain',
    steps: [
      {
        answers: [refused('idempotency_key_expired', 409), none],
        is: 'uncertain',
        code: 'intent_expired',
        requests: [route, lookUp],
      },
    ],
  },
]

const certain: Case[] = [
  ...each<Step>(
    [
      ['a refusal', { answers: [invalid], is: 'refused' }],
      ['a limit', { answers: [busy], is: 'unavailable' }],
      ['no connection', { answers: ['unsent'], is: 'unavailable' }],
      [
        'an internal error without an operation',
        { answers: [broken, none], is: 'unavailable', but: { mcp: 'refused' } },
      ],
    ] as const,
    (what, first) => ({
      name: `${what} of a first attempt is certain, and frees the intent`,
      steps: [first, { answers: [invalid], is: 'refused', code: 'validation_failed', requests: [route] }, paid],
    }),
  ),
]

const acceptedBefore: Case[] = [
  {
    name: 'an accepted payment is uncertain as long as its operation cannot be read, and is never sent again',
    steps: [
      paid,
      ...[busy, refused('operation_not_found', 404), 'lost' as const].map(
        (answer): Step => ({ answers: [answer], is: 'uncertain', says: namesIt, requests: [readsOf(1)] }),
      ),
      { answers: [read()], is: 'done', operation: one, requests: [readsOf(1)] },
    ],
  },
  ...each<Answer>(
    [
      ['403', forbidden],
      ['404', refused('operation_not_found', 404)],
      ['429 that does not pass', refused('rate_limited', 429)],
    ] as const,
    (how, answer) => ({
      name: `a wait that ends with ${how} is no refusal, and the same intent finds the payment`,
      steps: [
        {
          timeoutMs: 60_000,
          answers: [running, answer],
          is: 'uncertain',
          says: namesIt,
          requests: [route, readsOf(1)],
        },
        { answers: [read()], is: 'done', operation: one, requests: [readsOf(1)] },
      ],
    }),
  ),
  {
    name: 'the end of the access ends a wait, and does not refuse the payment',
    steps: [{ timeoutMs: 60_000, answers: [running, staleToken], tokens: [endedGrant], is: 'uncertain' }],
  },
  ...each<Answer>(
    [
      ['an internal error', broken],
      ['a busy API', unavailable],
      ['a lost answer', 'lost'],
      ['a page with 404', page(404)],
      ['a page with 200', page(200)],
      ['other JSON', json(200, { status: 'ok' })],
      ['null', json(200, null)],
      ['another operation', json(200, operation(9, 'failed'))],
    ] as const,
    (what, answer) => ({
      name: `a wait goes on after ${what}`,
      steps: [{ timeoutMs: 60_000, answers: [running, answer, read()], is: 'done', operation: one }],
    }),
  ),
  ...each<Answer>(
    [
      ['no answer', 'lost'],
      ['403', forbidden],
      ['500', broken],
    ] as const,
    (how, answer) => ({
      name: `a wait for an operation whose first read ends with ${how} is uncertain`,
      steps: [{ do: 'wait', answers: [answer], is: 'uncertain' }],
    }),
  ),
  {
    name: 'a wait for an operation that the API does not know is refused, where that says nothing about a payment',
    steps: [
      {
        do: 'wait',
        answers: [refused('operation_not_found', 404)],
        is: 'refused',
        but: { cli: 'uncertain', mcp: 'uncertain' },
        code: 'operation_not_found',
      },
    ],
  },
  {
    name: 'a failed operation is an outcome',
    steps: [
      {
        answers: [json(202, operation(1, 'failed', { failure_code: 'provider_refused' }))],
        is: 'failed',
        operation: one,
      },
    ],
  },
  {
    name: 'an operation that nobody knows the outcome of is uncertain',
    of: withIntents,
    steps: [{ do: 'wait', answers: [read('indeterminate')], is: 'uncertain', operation: one }],
  },
]

const inADay = new Date(Date.now() + 86_400_000)
/** A day has passed, by the clock of the API. */
const nextDay: Step = { do: 'show', answers: [at(inADay, read())], is: 'done' }

const oldIntents: Case[] = [
  {
    name: 'an intent that is older than a day is never sent: uncertain while it cannot be looked up, expired if it is not found',
    of: libraries,
    steps: [
      lost,
      nextDay,
      { answers: [at(inADay, busy)], is: 'uncertain', requests: [lookUp] },
      { answers: ['lost'], is: 'uncertain', requests: [lookUp] },
      { answers: [at(inADay, none)], is: 'expired', requests: [lookUp] },
    ],
  },
  {
    name: 'an intent that is older than a day is found by its key',
    of: lasting,
    steps: [lost, nextDay, { answers: [found], is: 'done', operation: two, requests: [lookUp] }],
  },
]

const inBetween: Case[] = [
  ...each<Answer>(foreign, (what, answer) => ({
    name: `a payment that gets ${what} is looked up by its key, and found`,
    steps: [
      { answers: [answer, found], is: 'done', operation: two, requests: [route, lookUp] },
      { answers: [json(200, operation(2))], is: 'done', operation: two, requests: [readsOf(2)] },
    ],
  })),
  ...each<Answer>(foreign, (what, answer) => ({
    name: `a payment that gets ${what} is uncertain if it is not found, and the same intent goes on with it`,
    steps: [
      {
        answers: [answer, none],
        is: 'uncertain',
        code: /^http_\d+$/,
        says: goesOn,
        requests: [route, lookUp],
      },
      { answers: [answer, page(403)], is: 'uncertain', requests: [route, lookUp] },
      paid,
    ],
  })),
  ...each<Answer>(
    [
      ['an answer that is no list', json(200, { status: 'ok' })],
      ['an operation of another kind', json(200, { items: [operation(2, 'succeeded', { kind: 'card_freeze' })] })],
    ] as const,
    (what, answer) => ({
      name: `a payment is not found in ${what}`,
      steps: [{ answers: [page(408), answer], is: 'uncertain', requests: [route, lookUp] }],
    }),
  ),
  {
    name: 'a payment that a load balancer answers with 502 is sent again with the same key',
    retryForMs: 60_000,
    steps: [{ answers: [page(502), accepted], is: 'done', operation: one, requests: [route, route] }],
  },
  ...each<Answer>(foreign, (what, answer) => ({
    name: `a call without a key that gets ${what} is uncertain, and is not repeated`,
    retryForMs: 60_000,
    steps: [
      {
        do: 'subscribe',
        answers: [answer],
        is: 'uncertain',
        says: looksFirst,
        requests: ['POST /v1/webhook-subscriptions'],
      },
    ],
  })),
  {
    name: 'a call without a key that gets no answer is uncertain, and is not repeated',
    retryForMs: 60_000,
    steps: [{ do: 'subscribe', answers: ['lost'], is: 'uncertain', code: 'unreachable', says: looksFirst }],
  },
  {
    name: 'a call that is promised no body is done only by that',
    steps: [
      ...[page(200), json(200, {}), page(404)].map(
        (answer): Step => ({ do: 'unsubscribe', answers: [answer], is: 'uncertain' }),
      ),
      { do: 'unsubscribe', answers: [{ status: 204 }], is: 'done' },
    ],
  },
  ...each<Answer>(
    [
      ['404', refused('webhook_subscription_not_found', 404)],
      ['500', broken],
    ] as const,
    (how, answer) => ({
      name: `a call without a key stays uncertain if its repetition is answered with ${how}`,
      retryForMs: 60_000,
      steps: [{ do: 'unsubscribe', answers: ['lost', answer], is: 'uncertain', says: looksFirst }],
    }),
  ),
  {
    name: 'a call without a key stays uncertain if its repetition finds no connection',
    retryForMs: 400,
    steps: [{ do: 'unsubscribe', answers: ['lost', 'unsent'], is: 'uncertain', code: 'unreachable' }],
  },
]

/** Requests are repeated for a minute, unless the time of the call ends before. It is long where the request has to arrive in it. */
const inTime: Case[] = [
  ...each<Answer>(
    [
      ['no answer', 'never'],
      ['half an answer', 'stuck'],
    ] as const,
    (what, answer) => ({
      name: `a payment that gets ${what} ends in its time, and the same intent goes on with it`,
      retryForMs: 60_000,
      of: withIntents,
      steps: [
        { timeoutMs: 10_000, answers: [answer], is: 'uncertain', code: 'unreachable', says: goesOn, requests: [route] },
        conflict,
        paid,
      ],
    }),
  ),
  {
    name: 'a payment that finds no connection ends in its time, and is certain',
    retryForMs: 60_000,
    of: withIntents,
    steps: [
      { timeoutMs: 1_000, answers: ['unsent'], is: 'unavailable', code: 'unreachable', requests: [] },
      { amount: '1.00', answers: [accepted], is: 'done', operation: one },
    ],
  },
  {
    name: 'a payment that gets no token ends in its time, and is certain',
    isExpired: true,
    retryForMs: 60_000,
    of: withIntents,
    steps: [{ timeoutMs: 1_000, tokens: ['never'], is: 'unavailable', code: 'unreachable', requests: [] }],
  },
  {
    name: 'a wait for an operation that gives no answer ends in its time, and is uncertain',
    retryForMs: 60_000,
    of: withIntents,
    steps: [{ do: 'wait', timeoutMs: 1_000, answers: ['never'], is: 'uncertain' }],
  },
  {
    name: 'a read that gets no answer ends in its time',
    retryForMs: 60_000,
    of: libraries,
    steps: [{ do: 'show', timeoutMs: 1_000, answers: ['never'], is: 'unavailable', code: 'unreachable' }],
  },
]

const aList = json(200, { items: [], next_cursor: null })
const readsNothing = { cli: /in between/, typescript: /something in between/, python: /something in between/ }

const reads: Case[] = [
  ...each<Answer>(
    [
      ['no answer', 'lost'],
      ...[429, 500, 502, 503, 504].map((status) => [`a page with ${status}`, page(status)] as const),
      ['a limit', busy],
    ] as const,
    (what, answer) => ({
      name: `a read that gets ${what} is repeated`,
      retryForMs: 60_000,
      steps: [{ do: 'read', answers: [answer, aList], is: 'done' }],
    }),
  ),
  ...each<Answer>(
    [
      ...[200, 204, 302, 403, 404, 408].map((status) => [`a page with ${status}`, page(status)] as const),
      ['null', json(200, null)],
      ['other JSON', json(200, { status: 'ok' })],
      ['a list without items', json(200, [])],
    ] as const,
    (what, answer) => ({
      name: `a read that gets ${what} ends without a refusal, and says who answered`,
      retryForMs: 60_000,
      steps: [{ do: 'read', answers: [answer], is: 'unavailable', code: /^http_\d+$/, says: readsNothing }],
    }),
  ),
  ...each<Answer>(
    [
      ['no answer', 'lost'],
      ['an internal error', broken],
      ['a busy API', unavailable],
      ['a page with 403', page(403)],
      ['null', json(200, null)],
      ['other JSON', json(200, { status: 'ok' })],
      ['another operation', json(200, operation(9))],
    ],
    (what, answer) => ({
      name: `a read of an operation that gets ${what} says nothing about the operation`,
      // A model that reads less would pay again.
      steps: [{ do: 'show', answers: [answer], is: 'unavailable', but: { mcp: 'uncertain' } }],
    }),
  ),
  {
    name: 'a read of an operation that the API refuses is refused, and says nothing about the operation',
    steps: [{ do: 'show', answers: [forbidden], is: 'refused', but: { cli: 'needs_owner', mcp: 'uncertain' } }],
  },
  {
    name: 'a read of one thing is done only by an object with an id',
    steps: [
      ...[page(200), json(200, null), json(200, { status: 'ok' }), json(200, [])].map(
        (answer): Step => ({ do: 'get', answers: [answer], is: 'unavailable' }),
      ),
      { do: 'get', answers: [json(200, { id: 'one', state: 'active' })], is: 'done' },
    ],
  },
  {
    name: 'a read that the API refuses is refused',
    steps: [
      { do: 'read', answers: [forbidden], is: 'refused', but: { cli: 'needs_owner' }, code: 'insufficient_scope' },
    ],
  },
  {
    name: 'a read that was lost and then refused is certain',
    retryForMs: 60_000,
    of: libraries,
    steps: [{ do: 'show', answers: ['lost', refused('operation_not_found', 404)], is: 'refused' }],
  },
]

const longAgo = new Date('2015-01-01T00:00:00Z')
const thisYear = new Date().getUTCFullYear()

const clocks: Case[] = [
  ...each<Answer>([...foreign, ['JSON of another server', json(200, { id: 'one' })]] as const, (what, answer) => ({
    name: `the clock is not moved by ${what}`,
    of: lasting,
    steps: [
      lost,
      { do: 'read', answers: [at(longAgo, answer as Exclude<Answer, string>)], is: 'unavailable' },
      { ...paid, year: thisYear },
    ],
  })),
  ...each<Step>(
    [
      ['a refusal', { answers: [at(longAgo, invalid)], is: 'refused' }],
      ['an operation', { answers: [at(longAgo, read())], is: 'done' }],
    ] as const,
    (what, first) => ({
      name: `the clock is moved by ${what} of the API`,
      of: libraries,
      steps: [
        { do: 'show', ...first },
        { do: 'read', answers: [aList], is: 'done', year: 2015 },
      ],
    }),
  ),
]

/** The MCP server says in words that the person has to be asked before another sign-in. */
const ended = { is: 'needs_owner', but: { mcp: 'refused' }, requests: [], tokenRequests: 1 } as const

const tokens: Case[] = [
  ...each<Answer>(foreignTokens, (what, answer) => ({
    name: `${what} in place of a token says nothing about the grant, which goes on afterwards`,
    isExpired: true,
    steps: [
      { do: 'read', tokens: [answer], is: 'unavailable', code: /^(?:unreachable|response_invalid)$/, requests: [] },
      { do: 'read', answers: [aList], is: 'done' },
    ],
  })),
  {
    name: 'no answer in place of a token says nothing about the grant, and nothing about a payment',
    isExpired: true,
    steps: [
      { tokens: ['lost'], is: 'unavailable', code: 'unreachable', requests: [] },
      { do: 'read', answers: [aList], is: 'done' },
    ],
  },
  {
    name: 'the end of the grant is kept, so that nobody is asked again',
    isExpired: true,
    steps: [
      { do: 'read', tokens: [endedGrant], ...ended },
      { do: 'read', ...ended },
    ],
  },
  {
    name: 'a refused token is renewed once',
    steps: [{ do: 'read', answers: [staleToken, aList], is: 'done', tokenRequests: 1 }],
  },
]

const toCome = { a_member_to_come: { of: ['any', 'shape'] } }
const operationToCome = operation(1, 'submitted', { kind: 'a_kind_to_come', ...toCome })
const account = {
  id: id(5),
  name: 'Everyday',
  type: 'a_type_to_come',
  currency: 'EUR',
  status: 'a_status_to_come',
  balance: { available: { amount: '1.00', currency: 'EUR' }, current: { amount: '1.00', currency: 'EUR' } },
  masked_number: null,
  opened_at: null,
  ...toCome,
}

const versionsToCome: Case[] = [
  {
    name: 'a kind of operation that the client does not know is shown and listed as any other',
    steps: [
      {
        do: 'show',
        answers: [json(200, operationToCome)],
        is: 'done',
        but: { mcp: 'running', cli: 'done' },
        operation: one,
      },
      { do: 'list', answers: [json(200, { items: [operationToCome, operation()], next_cursor: null })], is: 'done' },
    ],
  },
  {
    name: 'the wait for an operation of an unknown kind ends with its outcome',
    steps: [
      {
        do: 'wait',
        timeoutMs: 60_000,
        answers: [json(200, operationToCome), json(200, { ...operationToCome, state: 'succeeded' })],
        is: 'done',
        operation: one,
      },
    ],
  },
  {
    name: 'a state that the client does not know is no end: the wait goes on',
    steps: [
      {
        timeoutMs: 60_000,
        answers: [json(202, operation(1, 'a_state_to_come')), read('a_state_to_come', toCome), read()],
        is: 'done',
        operation: one,
      },
    ],
  },
  {
    name: 'an operation with a state that the client does not know is still running',
    steps: [{ answers: [json(202, operation(1, 'a_state_to_come', toCome))], is: 'running', operation: one }],
    of: withIntents,
  },
  {
    name: 'a failure code that the client does not know is a failure',
    steps: [
      {
        answers: [json(202, operation(1, 'failed', { failure_code: 'a_code_to_come', ...toCome }))],
        is: 'failed',
        operation: one,
      },
    ],
  },
  {
    name: 'a problem that the client does not know is a refusal',
    steps: [
      {
        answers: [refused('a_problem_to_come', 409, toCome)],
        is: 'refused',
        code: 'a_problem_to_come',
        requests: [route],
      },
    ],
  },
  {
    name: 'a resource with members and values that the client does not know is read',
    steps: [{ do: 'read', answers: [json(200, { items: [account], next_cursor: null })], is: 'done' }],
  },
]

export const cases: readonly Case[] = [
  ...afterLoss,
  ...notKnown,
  ...certain,
  ...acceptedBefore,
  ...oldIntents,
  ...inBetween,
  ...inTime,
  ...reads,
  ...clocks,
  ...tokens,
  ...versionsToCome,
]

export function casesOf({ name, acts }: Pick<Client, 'name' | 'acts'>): readonly Case[] {
  return cases.filter(
    ({ of, steps }) => (of ?? [name]).includes(name) && steps.every(({ do: act = 'pay' }) => acts.includes(act)),
  )
}
