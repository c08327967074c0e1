/** Reads: `accounts`, `payees list`, `mandates list`, `payments list`. */

import type { Account, Agent, Beneficiary, Card, Mandate, Pages, Transfer } from '@financial-agents/client'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { accountWords } from '../find-payee.ts'
import { type ListFlags, listFlags } from '../flags.ts'
import type { Column } from '../output/table.ts'
import { shortTime } from '../output/time.ts'

type Money = { amount: string; currency: string }

export const money = ({ amount, currency }: Money) => `${amount} ${currency}`

type Listing<Item> = {
  brief: string
  empty: string
  columns: readonly Column<Item>[]
  read: (agent: Agent, options: { limit: number }, signal: AbortSignal) => Pages<Item>
}

/** A page is at most 100 items, and the next page is read only if it is needed. */
export function listing<Item>({ brief, empty, columns, read }: Listing<Item>) {
  return command({
    docs: { brief },
    parameters: { flags: listFlags },
    run: async (cli: Cli, { limit }: ListFlags) => {
      const items = read(await cli.agent(), { limit: Math.min(limit, 100) }, cli.signal)
      await cli.output.list(items, columns, { limit, empty })
    },
  })
}

export const accounts = listing<Account>({
  brief: 'List the accounts with their balances',
  empty: 'No accounts.',
  columns: [
    ['Id', ({ id }) => id],
    ['Name', ({ name }) => name],
    ['Type', ({ type }) => type],
    ['Available', ({ balance }) => money(balance.available)],
    ['Booked', ({ balance }) => money(balance.current)],
    ['Number', ({ masked_number }) => masked_number],
    ['Status', ({ status }) => status],
  ],
  read: (agent, query, signal) => agent.accounts.list(query, { signal }),
})

export const payeesList = listing<Beneficiary>({
  brief: 'List the payees',
  empty: 'No payees. Add one: financial-agents payees add',
  columns: [
    ['Id', ({ id }) => id],
    ['Name', ({ name }) => name],
    ['Nickname', ({ nickname }) => nickname],
    ['Country', ({ country }) => country],
    ['Currency', ({ currency }) => currency],
    ['Account', accountWords],
    ['State', ({ state }) => state],
  ],
  read: (agent, query, signal) => agent.beneficiaries.list(query, { signal }),
})

export const mandatesList = listing<Mandate>({
  brief: 'List the mandates with what is left of them',
  empty: 'No mandates. Ask for one: financial-agents mandates create',
  columns: [
    ['Id', ({ id }) => id],
    ['State', ({ state }) => state],
    ['Payee', ({ beneficiary_id }) => beneficiary_id],
    ['Per payment', ({ per_payment_max, currency }) => `${per_payment_max} ${currency}`],
    ['Left', ({ remaining, currency }) => `${remaining.total} ${currency}`],
    ['Payments left', ({ remaining }) => remaining.payments],
    ['Until', ({ expires_at }) => shortTime(expires_at)],
  ],
  read: (agent, query, signal) => agent.mandates.list(query, { signal }),
})

export const paymentsList = listing<Transfer>({
  brief: 'List the payments, newest first',
  empty: 'No payments.',
  columns: [
    ['Id', ({ id }) => id],
    ['State', ({ state }) => state],
    ['Amount', ({ amount }) => money(amount)],
    ['Payee', ({ beneficiary_id }) => beneficiary_id],
    ['Reference', ({ reference }) => reference],
    ['Accepted', ({ created_at }) => shortTime(created_at)],
    ['Operation', ({ operation_id }) => operation_id],
  ],
  read: (agent, query, signal) => agent.payments.list(query, { signal }),
})

export const cardsList = listing<Card>({
  brief: 'List the cards',
  empty: 'No cards. Ask for one: financial-agents cards create',
  columns: [
    ['Id', ({ id }) => id],
    ['Label', ({ label }) => label],
    ['Type', ({ type }) => type],
    ['Currency', ({ currency }) => currency],
    ['Brand', ({ brand }) => brand],
    ['Ends in', ({ last_four }) => last_four],
    ['State', ({ state }) => state],
  ],
  read: (agent, query, signal) => agent.cards.list(query, { signal }),
})
