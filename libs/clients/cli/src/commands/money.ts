/** `pay` and `withdraw`: the commands that move money. They ask before they send. */

import { writtenAmount } from '@financial-agents/client'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { wrongUse } from '../failure.ts'
import { findPayee } from '../find-payee.ts'
import { argument, neededFlag, type PaymentFlags, paymentFlags, textFlag } from '../flags.ts'
import { plain } from '../output/plain.ts'
import { makeWrite } from '../writes/write.ts'

const amount = [argument('The amount: 12.50', 'amount'), argument('The currency: EUR', 'currency')] as const

const once =
  'The payment is made once. Without --intent the command derives one, prints it, and keeps it until the outcome is known: the same command, run again after a crash, a time-out or an uncertain outcome, goes on with the same payment. After its final outcome was printed, by this command or by `operations wait`, the same command is another payment.'

type PayFlags = PaymentFlags & { readonly to?: string; readonly mandate?: string; readonly reference?: string }

export const pay = command({
  docs: {
    brief: 'Pay a payee, or under a mandate, and wait for the outcome',
    fullDescription: once,
    customUsage: [
      '12.50 EUR --to "Rui Prado"',
      '9.90 EUR --mandate <id> --reference "Order 17" --intent order-17 --yes',
      '900 EUR --to "Rui Prado" --check',
    ],
  },
  parameters: {
    flags: {
      ...paymentFlags,
      to: textFlag('The payee: its id, name or nickname', 'payee'),
      mandate: textFlag('The mandate to pay under, instead of a payee', 'id'),
      reference: textFlag('The text that the payee reads'),
    },
    positional: { kind: 'tuple', parameters: amount },
  },
  run: async (cli: Cli, flags: PayFlags, amount: string, currency: string) => {
    const { to, mandate, reference } = flags
    if ((to === undefined) === (mandate === undefined)) throw wrongUse('Give --to <payee> or --mandate <id>.')
    const agent = await cli.agent()
    if (mandate !== undefined) {
      const body = { amount, currency, ...(reference !== undefined && { reference }) }
      return makeWrite(cli, flags, agent, {
        kind: 'pay',
        request: { mandate, ...body },
        summary: `Pay ${writtenAmount(amount, currency)} ${currency} under the mandate ${mandate}`,
        confirmed: true,
        send: (sender, options) => sender.mandates.pay(mandate, body, options),
        check: (sender, options) => sender.mandates.checkPayment(mandate, body, options),
      })
    }
    const payee = await findPayee(agent, to ?? '', cli.calls())
    const body = { beneficiary_id: payee.id, amount, currency, ...(reference !== undefined && { memo: reference }) }
    return makeWrite(cli, flags, agent, {
      kind: 'pay',
      request: body,
      summary: `Pay ${writtenAmount(amount, currency)} ${currency} to ${plain(payee.name)}`,
      confirmed: true,
      send: (sender, options) => sender.spending.pay(body, options),
      check: (sender, options) => sender.spending.checkPayment(body, options),
    })
  },
})

type WithdrawFlags = PaymentFlags & { readonly to: string; readonly memo?: string; readonly purpose?: string }

export const withdraw = command({
  docs: {
    brief: 'Withdraw from the spending account, with a memo and a purpose',
    fullDescription: `The same as pay --to, with all that a withdrawal takes. ${once}`,
  },
  parameters: {
    flags: {
      ...paymentFlags,
      to: neededFlag('The payee: its id, name or nickname', 'payee'),
      memo: textFlag('The memo, if the limits allow one'),
      purpose: textFlag('One of the purposes that the limits list', 'code'),
    },
    positional: { kind: 'tuple', parameters: amount },
  },
  run: async (cli: Cli, flags: WithdrawFlags, amount: string, currency: string) => {
    const { memo, purpose } = flags
    const agent = await cli.agent()
    const payee = await findPayee(agent, flags.to, cli.calls())
    const body = {
      beneficiary_id: payee.id,
      amount,
      currency,
      ...(memo !== undefined && { memo }),
      ...(purpose !== undefined && { purpose_code: purpose }),
    }
    await makeWrite(cli, flags, agent, {
      kind: 'withdraw',
      request: body,
      summary: `Withdraw ${writtenAmount(amount, currency)} ${currency} to ${plain(payee.name)}`,
      confirmed: true,
      send: (sender, options) => sender.spending.pay(body, options),
      check: (sender, options) => sender.spending.checkPayment(body, options),
    })
  },
})
