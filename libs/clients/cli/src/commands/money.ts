/** `pay`: the command that moves money. It asks before it sends. */

import { writtenAmount } from '@financial-agents/client'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { wrongUse } from '../failure.ts'
import { findPayee, payeeWords } from '../find-payee.ts'
import { argument, type PaymentFlags, paymentFlags, textFlag } from '../flags.ts'
import { plain } from '../output/plain.ts'
import { makeWrite } from '../writes/write.ts'

const amount = [argument('The amount: 12.50', 'amount'), argument('The currency: EUR', 'currency')] as const

const once =
  'The payment is made once. Without --intent the command derives one, prints it, and keeps it until the outcome is known: the same command, run again after a crash, a time-out or an uncertain outcome, goes on with the same payment. After its final outcome was printed, by this command or by `operations wait`, the same command is another payment.'

type PayFlags = PaymentFlags & {
  readonly to?: string
  readonly mandate?: string
  readonly reference?: string
  readonly purpose?: string
}

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
      purpose: textFlag('One of the purposes that the limits list; with --to', 'code'),
    },
    positional: { kind: 'tuple', parameters: amount },
  },
  run: async (cli: Cli, flags: PayFlags, amount: string, currency: string) => {
    const { to, mandate, reference, purpose } = flags
    if ((to === undefined) === (mandate === undefined)) throw wrongUse('Give --to <payee> or --mandate <id>.')
    if (mandate !== undefined && purpose !== undefined) throw wrongUse('Only a payment --to a payee has a --purpose.')
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
    const body = {
      beneficiary_id: payee.id,
      amount,
      currency,
      ...(reference !== undefined && { memo: reference }),
      ...(purpose !== undefined && { purpose_code: purpose }),
    }
    return makeWrite(cli, flags, agent, {
      kind: 'pay',
      request: body,
      summary: `Pay ${writtenAmount(amount, currency)} ${currency} to ${plain(payeeWords(payee))}`,
      confirmed: true,
      send: (sender, options) => sender.spending.pay(body, options),
      check: (sender, options) => sender.spending.checkPayment(body, options),
    })
  },
})
