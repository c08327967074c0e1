/**
 * The people whose accounts this provider keeps. They are invented and differ in country, accounts, money, cards and
 * limits. A provider binding holds the credentials of a test user, which are valid only in this process.
 */

import type { ProviderAccount } from '@financial-agents/provider-port/account-reads'
import type { IdentityStatus } from '@financial-agents/provider-port/identity'

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
  readonly accounts: readonly ProviderAccount[]
  /** The money to spend, in `currency`. */
  readonly spendingAccount: { readonly held: string; readonly promotional_credit: string; readonly owed: string }
  readonly cards: {
    readonly brand: string
    readonly currencies: readonly string[]
    readonly types: readonly ('virtual' | 'physical')[]
    /** The maximum number of cards that are not closed; null: unlimited. */
    readonly most: number | null
  }
  /** The maximum amount of one transfer, in the beneficiary's currency. */
  readonly highestTransfer: string
  /** The instructions that need an approval first. `transfersAbove` is in `currency`; null: no transfer. */
  readonly approvals: { readonly mandates: boolean; readonly transfersAbove: string | null }
  /** The ids of the test user's payout schemas; undefined: all. */
  readonly payoutSchemas?: readonly string[]
  readonly identity: IdentityStatus['status']
}

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
    spendingAccount: { held: '2500000.00', promotional_credit: '15.00', owed: '0.00' },
    cards: { brand: 'visa', currencies: ['EUR', 'GBP', 'USD'], types: ['virtual', 'physical'], most: null },
    highestTransfer: '100000.00',
    approvals: { mandates: true, transfersAbove: '500.00' },
    identity: 'verified',
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
    spendingAccount: { held: '125000.00', promotional_credit: '0.00', owed: '12.40' },
    cards: { brand: 'mastercard', currencies: ['GBP', 'EUR'], types: ['virtual', 'physical'], most: null },
    highestTransfer: '25000.00',
    approvals: { mandates: false, transfersAbove: null },
    payoutSchemas: ['fps_gb_gbp', 'sepa_de_eur', 'sepa_es_eur', 'sepa_fr_eur', 'sepa_pt_eur', 'swift_us_usd'],
    identity: 'verified',
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
    spendingAccount: { held: '9800.00', promotional_credit: '0.00', owed: '0.00' },
    cards: { brand: 'visa', currencies: ['USD'], types: ['virtual'], most: 5 },
    highestTransfer: '5000.00',
    approvals: { mandates: false, transfersAbove: '0' },
    payoutSchemas: ['ach_us_usd', 'swift_us_usd', 'swift_sg_usd', 'fps_gb_gbp'],
    identity: 'in_review',
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
    spendingAccount: { held: '35.10', promotional_credit: '0.00', owed: '4.99' },
    cards: { brand: 'mastercard', currencies: ['EUR', 'PLN'], types: ['virtual'], most: 1 },
    highestTransfer: '50.00',
    approvals: { mandates: true, transfersAbove: '0' },
    payoutSchemas: ['sepa_de_eur', 'sepa_es_eur', 'sepa_fr_eur', 'sepa_it_eur', 'sepa_nl_eur', 'sepa_pt_eur'],
    identity: 'not_started',
  },
]

function account(
  ref: string,
  name: string,
  type: ProviderAccount['type'],
  currency: string,
  current: string,
  tail: string | null,
  openedOn: string,
  status: ProviderAccount['status'] = 'active',
): ProviderAccount {
  const money = (amount: string) => ({ amount, currency })
  return {
    reference: `acc_${ref}`,
    name,
    type,
    currency,
    status,
    balance: { available: money(status === 'active' ? current : '0.00'), current: money(current) },
    masked_number: tail,
    opened_at: `${openedOn}T09:00:00.000Z`,
  }
}

const byCredentials: ReadonlyMap<string, TestUser> = new Map(
  testUsers.map((testUser) => [testUser.credentials, testUser]),
)

/** Finds the test user of the credentials. Text after a `~` distinguishes several connections to the same person. */
export function findTestUserOf(credentials: string): TestUser | undefined {
  return byCredentials.get(credentials.split('~')[0] ?? '')
}

export function offers({ payoutSchemas }: TestUser, id: string): boolean {
  return payoutSchemas?.includes(id) ?? true
}
