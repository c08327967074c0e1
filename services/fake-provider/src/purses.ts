/**
 * The money that each persona can spend. A transfer debits its amount at once. A transfer that fails later returns the
 * amount.
 */

import { BigNumber } from 'bignumber.js'
import { convert, decimalText, type Money } from './money.ts'
import type { Persona } from './personas.ts'

export type Purse = { readonly held: Money; readonly promotional: Money; readonly owed: Money }

export type Purses = {
  show(persona: Persona): Purse
  covers(persona: Persona, amount: Money): boolean
  take(persona: Persona, amount: Money): void
  giveBack(persona: Persona, amount: Money): void
}

export function createPurses(): Purses {
  const taken = new Map<string, BigNumber>()
  const left = (persona: Persona) => new BigNumber(persona.purse.held).minus(taken.get(persona.id) ?? 0)
  const move = (persona: Persona, amount: BigNumber) =>
    taken.set(persona.id, (taken.get(persona.id) ?? new BigNumber(0)).plus(amount))
  const inPurse = (persona: Persona, amount: Money) => convert(amount, persona.currency)
  return {
    show(persona) {
      const money = (value: BigNumber.Value) => ({ value: decimalText(new BigNumber(value)), ccy: persona.currency })
      const { promotional, owed } = persona.purse
      return { held: money(left(persona)), promotional: money(promotional), owed: money(owed) }
    },
    covers: (persona, amount) => inPurse(persona, amount)?.lte(left(persona)) ?? false,
    take: (persona, amount) => move(persona, inPurse(persona, amount) ?? new BigNumber(0)),
    giveBack: (persona, amount) => move(persona, inPurse(persona, amount)?.negated() ?? new BigNumber(0)),
  }
}
