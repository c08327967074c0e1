/**
 * The money that each test user can spend. A transfer debits its amount at once. A transfer that fails later returns the
 * amount.
 */

import { BigNumber } from 'bignumber.js'
import { convert, decimalText, type Money } from './money.ts'
import type { TestUser } from './test-users.ts'

export type Purse = { readonly held: Money; readonly promotional: Money; readonly owed: Money }

export type Purses = {
  show(testUser: TestUser): Purse
  covers(testUser: TestUser, amount: Money): boolean
  take(testUser: TestUser, amount: Money): void
  giveBack(testUser: TestUser, amount: Money): void
}

export function createPurses(): Purses {
  const taken = new Map<string, BigNumber>()
  const left = (testUser: TestUser) => new BigNumber(testUser.purse.held).minus(taken.get(testUser.id) ?? 0)
  const move = (testUser: TestUser, amount: BigNumber) =>
    taken.set(testUser.id, (taken.get(testUser.id) ?? new BigNumber(0)).plus(amount))
  const inPurse = (testUser: TestUser, amount: Money) => convert(amount, testUser.currency)
  return {
    show(testUser) {
      const money = (value: BigNumber.Value) => ({ value: decimalText(new BigNumber(value)), ccy: testUser.currency })
      const { promotional, owed } = testUser.purse
      return { held: money(left(testUser)), promotional: money(promotional), owed: money(owed) }
    },
    covers: (testUser, amount) => inPurse(testUser, amount)?.lte(left(testUser)) ?? false,
    take: (testUser, amount) => move(testUser, inPurse(testUser, amount) ?? new BigNumber(0)),
    giveBack: (testUser, amount) => move(testUser, inPurse(testUser, amount)?.negated() ?? new BigNumber(0)),
  }
}
