/**
 * The money that each test user can spend. A transfer debits its amount at once. A transfer that fails later returns the
 * amount.
 */

import { BigNumber } from 'bignumber.js'
import { convert, decimalText, type Money } from './money.ts'
import type { TestUser } from './test-users.ts'

export type SpendingAccount = {
  readonly held: Money
  readonly promotional_credit: Money
  readonly owed: Money
}

export type SpendingAccounts = {
  show(testUser: TestUser): SpendingAccount
  covers(testUser: TestUser, amount: Money): boolean
  take(testUser: TestUser, amount: Money): void
  giveBack(testUser: TestUser, amount: Money): void
}

export function createSpendingAccounts(): SpendingAccounts {
  const taken = new Map<string, BigNumber>()
  const left = (testUser: TestUser) => new BigNumber(testUser.spendingAccount.held).minus(taken.get(testUser.id) ?? 0)
  const move = (testUser: TestUser, amount: BigNumber) =>
    taken.set(testUser.id, (taken.get(testUser.id) ?? new BigNumber(0)).plus(amount))
  const converted = (testUser: TestUser, amount: Money) => convert(amount, testUser.currency)
  return {
    show(testUser) {
      const money = (value: BigNumber.Value) => ({
        amount: decimalText(new BigNumber(value)),
        currency: testUser.currency,
      })
      const { promotional_credit, owed } = testUser.spendingAccount
      return { held: money(left(testUser)), promotional_credit: money(promotional_credit), owed: money(owed) }
    },
    covers: (testUser, amount) => converted(testUser, amount)?.lte(left(testUser)) ?? false,
    take: (testUser, amount) => move(testUser, converted(testUser, amount) ?? new BigNumber(0)),
    giveBack: (testUser, amount) => move(testUser, converted(testUser, amount)?.negated() ?? new BigNumber(0)),
  }
}
