/**
 * Every read of the port, one row each. The port's types, the Provider API, its adapter, the conformance cases and the cached reads of the
 * services derive from the rows.
 */

import type { z } from 'zod'
import {
  accounts,
  spendingAccount,
  virtualAccountEconomics,
  withdrawalLimits,
  withdrawalLimitsQuery,
} from './account-reads.ts'
import { activityPage, activityQuery } from './activity-reads.ts'
import type { AnonymousCallContext, CallContext, ReadResult } from './call.ts'
import { identityStatus } from './identity.ts'
import { addressCountries, payoutSchemas } from './payout-schemas.ts'
import type { DataOf } from './primitives.ts'
import {
  purchasableServices,
  purchaseQuote,
  purchaseQuoteRequest,
  purchases,
  transferQuote,
  transferQuoteRequest,
} from './quotes.ts'
import { assets, fiatPrices, fiatPricesQuery } from './reference-data.ts'

/** One read. It moves nothing. */
export type ProviderRead<
  Person extends boolean = boolean,
  Asks extends z.ZodObject | undefined = z.ZodObject | undefined,
  Answer extends z.ZodType = z.ZodType,
> = {
  /** `POST`: the request may name a person, who must stand in no address. */
  readonly method: 'GET' | 'POST'
  /** Under the base path of the Provider API. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  /** False: answered without a person's credentials, and the same for everybody. */
  readonly person: Person
  /** The members of the request. */
  readonly asks: Asks
  /** The shape of the data. */
  readonly answer: Answer
  /**
   * The part of the data that does not answer the request; undefined if there is none. It names members, never values.
   * @param asked the members of `asks`
   */
  readonly findMismatch?: (
    data: DataOf<Answer>,
    asked: Asks extends z.ZodObject ? DataOf<Asks> : undefined,
  ) => string | undefined
  /** Examples of the request and of the data, by name, for the document of the Provider API. Invented. */
  readonly examples: {
    readonly asks?: Asks extends z.ZodObject ? z.input<Asks> : undefined
    readonly answers: Readonly<Record<string, z.input<Answer>>>
  }
  /** Refusals with a meaning of their own, by status. */
  readonly refusals?: Readonly<Record<number, string>>
  /** The time for which services may show an answer again, ms; 0: they ask each time. */
  readonly cacheMs: number
  /** The most cached answers of a process. */
  readonly cacheEntries?: number
}

const read =
  <Person extends boolean>(person: Person) =>
  <Answer extends z.ZodType, Asks extends z.ZodObject | undefined = undefined>(
    row: Omit<ProviderRead<Person, Asks, Answer>, 'method' | 'person' | 'asks'> & {
      readonly method?: 'POST'
      readonly asks?: Asks
    },
  ): ProviderRead<Person, Asks, Answer> => ({ method: 'GET', person, asks: undefined as Asks, ...row })

const ofPerson = read(true)
const ofEverybody = read(false)

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const at = '2026-03-14T09:26:53.000Z'
const later = '2026-03-14T09:36:53.000Z'

/** The rows by the names of the port. */
export const providerReads = {
  /** Holds no evidence. */
  identityStatus: ofPerson({
    path: '/identity-status',
    summary: 'Read the status of the identity check',
    answer: identityStatus,
    examples: { answers: { verified: { status: 'verified', reason_code: null, updated_at: '2025-11-02T10:00:00Z' } } },
    cacheMs: 0,
  }),
  /** References last. A number shows at most its last four digits. */
  accounts: ofPerson({
    path: '/accounts',
    summary: 'Read the accounts',
    answer: accounts,
    findMismatch: (all) => findRepeated(all, ({ reference }) => reference),
    examples: {
      answers: {
        one: [
          {
            reference: 'acc_1',
            name: 'Everyday account',
            type: 'current',
            currency: 'EUR',
            status: 'active',
            balance: { available: eur('1250.10'), current: eur('1300.00') },
            masked_number: '•••• 0154',
            opened_at: '2019-05-02T09:00:00+02:00',
          },
        ],
      },
    },
    cacheMs: 5_000,
  }),
  /** Promotional credit is not part of `held`. */
  spendingAccount: ofPerson({
    path: '/spending-account',
    summary: 'Read the money to spend',
    answer: spendingAccount,
    examples: { answers: { some: { held: eur('1250.10'), promotional_credit: eur('0.00'), owed: eur('12.40') } } },
    cacheMs: 3_000,
  }),
  /**
   * Null: the provider states no limits for this query, and a withdrawal to such a beneficiary is refused before it is submitted. Limits
   * grant nothing: the provider validates each submission again.
   */
  withdrawalLimits: ofPerson({
    path: '/withdrawal-limits',
    summary: 'Read the limits of one transfer',
    asks: withdrawalLimitsQuery,
    answer: withdrawalLimits.nullable().describe('The limits; null if there are none for this query.'),
    findMismatch: (limits, { currency }) =>
      limits !== null && limits.currency !== (currency ?? limits.currency) ? 'limits in another currency' : undefined,
    examples: {
      asks: { schema: 'sepa_pt_eur' },
      answers: {
        some: {
          currency: 'EUR',
          minimum_amount: '0.01',
          maximum_amount: '25000.00',
          fee_fixed: '0.00',
          fee_basis_points: '0',
          rail: 'sepa.credit_transfer',
          memo: { supported: true, minimum_characters: 0, maximum_characters: 140 },
          purpose_codes: [],
        },
        none: null,
      },
    },
    cacheMs: 10_000,
  }),
  /** One entry for each currency. */
  virtualAccountEconomics: ofPerson({
    path: '/virtual-account-economics',
    summary: 'Read the fees of virtual accounts',
    answer: virtualAccountEconomics,
    examples: {
      answers: {
        one: [
          {
            currency: 'EUR',
            monthly_fee: eur('2.00'),
            inbound_fee_fixed: '0.10',
            inbound_fee_basis_points: '5',
            settlement_days: 1,
          },
        ],
      },
    },
    cacheMs: 60_000,
  }),
  /** Patterns match the whole value. An example is one that its own fields accept. */
  payoutSchemas: ofPerson({
    path: '/payout-schemas',
    summary: 'Read the payout schemas',
    answer: payoutSchemas,
    examples: {
      answers: {
        one: [
          {
            id: 'sepa_pt_eur',
            name: 'Portugal, SEPA',
            country: 'PT',
            currency: 'EUR',
            rail: 'sepa.credit_transfer',
            fields: [
              {
                key: 'iban',
                label: 'IBAN',
                type: 'string',
                pattern: '^PT[0-9]{23}$',
                min_length: 25,
                max_length: 25,
                options: null,
                required: true,
              },
            ],
            example_details: { iban: 'PT50000201231234567890154' },
          },
        ],
      },
    },
    cacheMs: 60_000,
  }),
  /** Without the provider's aliases. */
  addressCountries: ofPerson({
    path: '/address-countries',
    summary: 'Read the countries of addresses',
    answer: addressCountries,
    examples: { answers: { one: [{ code: 'PT', alpha3: 'PRT', name: 'Portugal' }] } },
    cacheMs: 60_000,
  }),
  /**
   * Newest first, in pages of any size, complete and without repetition. `from` is inclusive, `to` is exclusive. A cursor of another query
   * or person gets no data.
   */
  activity: ofPerson({
    path: '/activity',
    summary: 'Read movements of money, newest first',
    asks: activityQuery,
    answer: activityPage,
    refusals: { 400: '`unknown_cursor`: the cursor is not of this query and person' },
    findMismatch: ({ items }, { card_reference: card }) =>
      placeOf(items, (item) => card !== undefined && item.card_reference !== card, 'is of another card'),
    examples: {
      asks: {},
      answers: {
        one: {
          items: [
            {
              reference: 'mov_0001',
              source: 'spending',
              direction: 'out',
              amount: eur('20.00'),
              status: 'posted',
              description: 'With thanks',
              counterparty_name: 'Rui Prado',
              merchant_category: null,
              card_reference: null,
              occurred_at: '2026-03-14T10:26:53+01:00',
            },
          ],
          next_cursor: null,
        },
      },
    },
    cacheMs: 3_000,
    // A page may hold a hundred items with their texts.
    cacheEntries: 1_000,
  }),
  /** All of them, newest first, each bound to a quote. */
  purchases: ofPerson({
    path: '/purchases',
    summary: 'Read the purchases, newest first',
    answer: purchases,
    findMismatch: (all) =>
      placeOf(
        all,
        ({ released_at }, index) => released_at > (all[index - 1]?.released_at ?? released_at),
        'is newer than the one before',
      ) ?? findRepeated(all, ({ reference }) => reference),
    examples: {
      answers: {
        one: [
          {
            reference: 'pur_0001',
            quote_reference: 'quo_0001',
            service_reference: 'srv_books',
            state: 'fulfilled',
            total: eur('20.00'),
            released_at: at,
            updated_at: later,
          },
        ],
      },
    },
    cacheMs: 5_000,
  }),
  /** In the currencies of the request, with the fixed side unchanged. */
  transferQuote: ofPerson({
    method: 'POST',
    path: '/transfer-quotes',
    summary: 'Quote a transfer',
    description: 'A read: it reserves and charges nothing.',
    asks: transferQuoteRequest,
    answer: transferQuote,
    findMismatch: (answer, { source_currency, target_currency }) =>
      answer.type === 'quoted' &&
      (answer.quote.source.currency !== source_currency || answer.quote.target.currency !== target_currency)
        ? 'a quote in other currencies'
        : undefined,
    examples: {
      asks: { source_currency: 'EUR', target_currency: 'GBP', amount: '100.00', fixed_side: 'source' },
      answers: {
        quoted: {
          type: 'quoted',
          quote: {
            source: eur('100.00'),
            target: { amount: '86.20', currency: 'GBP' },
            rate: '0.862',
            fee: eur('0.50'),
            rail: 'faster_payments',
            estimated_arrival: later,
            expires_at: later,
          },
        },
        refused: { type: 'refused', member: 'amount' },
      },
    },
    cacheMs: 0,
  }),
  /** Each quote has a reference of its own. */
  purchaseQuote: ofPerson({
    method: 'POST',
    path: '/purchase-quotes',
    summary: 'Quote a purchase',
    description: 'A read: it reserves and charges nothing.',
    asks: purchaseQuoteRequest,
    answer: purchaseQuote,
    examples: {
      asks: { service_reference: 'srv_books', product_id: 'books-20', quantity: 1, recipient: 'rui@example.com' },
      answers: {
        quoted: { type: 'quoted', quote: { reference: 'quo_0001', total: eur('20.00'), expires_at: later } },
        refused: { type: 'refused', member: 'recipient' },
      },
    },
    cacheMs: 0,
  }),
  /** References and product ids last. */
  purchasableServices: ofEverybody({
    path: '/purchasable-services',
    summary: 'Read the services for sale',
    answer: purchasableServices,
    findMismatch: (all) => findRepeated(all, ({ reference }) => reference),
    examples: {
      answers: {
        one: [
          {
            reference: 'srv_books',
            name: 'Books',
            category: 'vouchers',
            documentation_url: null,
            product_ids: ['books-20'],
          },
        ],
      },
    },
    cacheMs: 300_000,
  }),
  assets: ofEverybody({
    path: '/assets',
    summary: 'Read the assets',
    answer: assets,
    findMismatch: (all) => findRepeated(all, ({ code }) => code),
    examples: { answers: { one: [{ code: 'BTC', name: 'Bitcoin', type: 'crypto', decimals: 8 }] } },
    cacheMs: 300_000,
  }),
  /** Prices in the currency; an empty list if the provider has none in it. */
  fiatPrices: ofEverybody({
    path: '/fiat-prices',
    summary: 'Read prices in a currency',
    asks: fiatPricesQuery,
    answer: fiatPrices,
    findMismatch: (prices, { currency }) =>
      placeOf(prices, (price) => price.currency !== currency, 'is in another currency') ??
      findRepeated(prices, ({ asset }) => asset),
    examples: {
      asks: { currency: 'EUR' },
      answers: { one: [{ asset: 'BTC', currency: 'EUR', price: '61234.50', as_of: at }] },
    },
    cacheMs: 20_000,
    cacheEntries: 200,
  }),
} as const satisfies { readonly [name: string]: ProviderRead<boolean, never, never> | ProviderRead }

/** Timestamps of the port sort as text. */
function placeOf<Item>(
  items: readonly Item[],
  isWrong: (item: Item, index: number) => boolean,
  why: string,
): string | undefined {
  const wrong = items.findIndex(isWrong)
  return wrong < 0 ? undefined : `${wrong} ${why}`
}

/** Lists continue after a key, and ids are given by reference: a repetition would break both. */
function findRepeated<Item>(items: readonly Item[], keyOf: (item: Item) => string): string | undefined {
  const keys = items.map(keyOf)
  if (new Set(keys).size === keys.length) return undefined
  return placeOf(keys, (key, index) => keys.indexOf(key) < index, 'is listed twice')
}

type Rows = typeof providerReads

export type ReadName = keyof Rows

/** The members of a read's request, without the context of the call. */
export type ReadAsks<Name extends ReadName> = Rows[Name]['asks'] extends z.ZodObject
  ? DataOf<Rows[Name]['asks']>
  : object

export type ReadRequest<Name extends ReadName> = (Rows[Name]['person'] extends true
  ? CallContext
  : AnonymousCallContext) &
  ReadAsks<Name>

export type ReadData<Name extends ReadName> = DataOf<Rows[Name]['answer']>

export type ProviderReads = {
  readonly [Name in keyof Rows]: (request: ReadRequest<Name>) => Promise<ReadResult<ReadData<Name>>>
}

export const allReads = Object.entries(providerReads) as readonly (readonly [ReadName, ProviderRead])[]

/** Name of a read whose request has required members. */
export type AskingName = {
  [Name in ReadName]: Rows[Name]['asks'] extends z.ZodObject
    ? object extends z.input<Rows[Name]['asks']>
      ? never
      : Name
    : never
}[ReadName]

/** The shapes of the requests that have required members, by their reads. */
export const askingReads = Object.fromEntries(
  allReads.flatMap(([name, { asks }]) => (asks === undefined || asks.safeParse({}).success ? [] : [[name, asks]])),
) as { readonly [Name in AskingName]: Rows[Name]['asks'] }

/** Every read of a provider that offers none. An adapter spreads it below its own reads, so that a new read of the port needs no line there. */
export const notOffered = Object.fromEntries(
  allReads.map(([name]) => [name, async () => ({ type: 'unavailable', reason: 'provider_refused' })]),
) as unknown as ProviderReads
