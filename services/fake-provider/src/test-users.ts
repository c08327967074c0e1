/**
 * The people whose accounts this provider keeps. They are invented and differ in country, accounts, money, cards and
 * limits. A provider binding holds the credentials of a test user, which are valid only in this process.
 */

export type Account = {
  readonly account_ref: string
  readonly title: string
  readonly sort: 'current' | 'savings' | 'virtual'
  readonly ccy: string
  readonly status: 'open' | 'restricted' | 'closed'
  readonly available: string
  readonly booked: string
  readonly number_tail: string | null
  readonly opened_at: string | null
}

export type TestUser = {
  readonly id: string
  readonly name: string
  readonly country: string
  readonly countryName: string
  readonly currency: string
  /** BCP 47. */
  readonly locale: string
  /** IANA time zone. */
  readonly timezone: string
  /** One sentence that helps a visitor to choose this test user. */
  readonly about: string
  readonly credentials: string
  readonly accounts: readonly Account[]
  /** The money to spend, in `currency`. */
  readonly purse: { readonly held: string; readonly promotional: string; readonly owed: string }
  readonly cards: {
    readonly brand: string
    readonly currencies: readonly string[]
    readonly forms: readonly ('digital' | 'plastic')[]
    /** The maximum number of cards that have not ended; null: unlimited. */
    readonly most: number | null
  }
  /** The maximum amount of one transfer, in the payee's currency. */
  readonly highestTransfer: string
  /** The instructions that need an approval first. `transfersAbove` is in `currency`; null: no transfer. */
  readonly approvals: { readonly grants: boolean; readonly transfersAbove: string | null }
  /** The ids of the test user's payout schemes; undefined: all. */
  readonly schemes?: readonly string[]
  readonly identity: IdentityStatus
}

export const identityStatuses = ['none', 'open', 'reviewing', 'passed', 'refused', 'lapsed'] as const

export type IdentityStatus = (typeof identityStatuses)[number]

export const testUsers: readonly TestUser[] = [
  {
    id: 'per_ines',
    name: 'Inês Carvalho',
    country: 'PT',
    countryName: 'Portugal',
    currency: 'EUR',
    locale: 'pt-PT',
    timezone: 'Europe/Lisbon',
    about:
      'A euro account in Lisbon. The development stack connects her from the start and registers agents that act for her.',
    credentials: 'test-user-ines-carvalho-lisboa',
    accounts: [
      account('ines_1', 'Conta à ordem', 'current', 'EUR', '48250.75', '4821', '2019-03-11'),
      account('ines_2', 'Poupança', 'savings', 'EUR', '120000.00', '7710', '2020-09-01'),
      account('ines_3', 'Conta em dólares', 'virtual', 'USD', '310.40', null, '2024-05-20'),
    ],
    purse: { held: '2500000.00', promotional: '15.00', owed: '0.00' },
    cards: { brand: 'visa', currencies: ['EUR', 'GBP', 'USD'], forms: ['digital', 'plastic'], most: null },
    highestTransfer: '100000.00',
    approvals: { grants: true, transfersAbove: '500.00' },
    identity: 'passed',
  },
  {
    id: 'per_amara',
    name: 'Amara Okafor',
    country: 'GB',
    countryName: 'United Kingdom',
    currency: 'GBP',
    locale: 'en-GB',
    timezone: 'Europe/London',
    about: 'A sterling account in Leeds. The development stack connects her from the start, with one agent.',
    credentials: 'test-user-amara-okafor-leeds',
    accounts: [account('amara_1', 'Current account', 'current', 'GBP', '1204.17', '0930', '2021-01-15')],
    purse: { held: '125000.00', promotional: '0.00', owed: '12.40' },
    cards: { brand: 'mastercard', currencies: ['GBP', 'EUR'], forms: ['digital', 'plastic'], most: null },
    highestTransfer: '25000.00',
    approvals: { grants: false, transfersAbove: null },
    schemes: ['fps_gb_gbp', 'sepa_de_eur', 'sepa_es_eur', 'sepa_fr_eur', 'sepa_pt_eur', 'swift_us_usd'],
    identity: 'passed',
  },
  {
    id: 'per_daniel',
    name: 'Daniel Reyes',
    country: 'US',
    countryName: 'United States',
    currency: 'USD',
    locale: 'en-US',
    timezone: 'America/Phoenix',
    about: 'A dollar account in Tucson, where clocks never change. Connected to nothing until he signs in.',
    credentials: 'test-user-daniel-reyes-tucson',
    accounts: [
      account('daniel_1', 'Checking', 'current', 'USD', '9800.02', '3310', '2018-07-04'),
      account('daniel_2', 'Savings', 'savings', 'USD', '50000.00', '3311', '2018-07-04'),
    ],
    purse: { held: '9800.00', promotional: '0.00', owed: '0.00' },
    cards: { brand: 'visa', currencies: ['USD'], forms: ['digital'], most: 5 },
    highestTransfer: '5000.00',
    approvals: { grants: false, transfersAbove: '0' },
    schemes: ['ach_us_usd', 'swift_us_usd', 'swift_sg_usd', 'fps_gb_gbp'],
    identity: 'reviewing',
  },
  {
    id: 'per_tomasz',
    name: 'Tomasz Zieliński',
    country: 'PL',
    countryName: 'Poland',
    currency: 'EUR',
    locale: 'pl-PL',
    timezone: 'Europe/Warsaw',
    about: 'A euro account outside the euro area, in Gdańsk. Connected to nothing until he signs in.',
    credentials: 'test-user-tomasz-zielinski-gdansk',
    accounts: [
      account('tomasz_1', 'Konto w euro', 'current', 'EUR', '35.10', '5544', '2025-11-02', 'restricted'),
      account('tomasz_2', 'Stare konto', 'current', 'PLN', '0.00', '1208', '2012-02-29', 'closed'),
    ],
    purse: { held: '35.10', promotional: '0.00', owed: '4.99' },
    cards: { brand: 'mastercard', currencies: ['EUR', 'PLN'], forms: ['digital'], most: 1 },
    highestTransfer: '50.00',
    approvals: { grants: true, transfersAbove: '0' },
    schemes: ['sepa_de_eur', 'sepa_es_eur', 'sepa_fr_eur', 'sepa_it_eur', 'sepa_nl_eur', 'sepa_pt_eur'],
    identity: 'none',
  },
]

function account(
  ref: string,
  title: string,
  sort: Account['sort'],
  ccy: string,
  booked: string,
  tail: string | null,
  openedOn: string,
  status: Account['status'] = 'open',
): Account {
  const opened_at = `${openedOn}T09:00:00.000Z`
  const available = status === 'open' ? booked : '0.00'
  return { account_ref: `acc_${ref}`, title, sort, ccy, status, available, booked, number_tail: tail, opened_at }
}

const byCredentials: ReadonlyMap<string, TestUser> = new Map(
  testUsers.map((testUser) => [testUser.credentials, testUser]),
)

/** Finds the test user of the credentials. Text after a `~` distinguishes several connections to the same person. */
export function findTestUserOf(credentials: string): TestUser | undefined {
  return byCredentials.get(credentials.split('~')[0] ?? '')
}

export function offers({ schemes }: TestUser, schemeId: string): boolean {
  return schemes?.includes(schemeId) ?? true
}
