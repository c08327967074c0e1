/** `mandates`: the owner's permission to pay one payee within limits. */

import { type AllowanceTerms, mandateOf, writtenAmount } from '@financial-agents/client'
import { buildRouteMap } from '@stricli/core'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { wrongUse } from '../failure.ts'
import { findPayee, payeeWords } from '../find-payee.ts'
import { argument, neededFlag, textFlag, type WriteFlags, wholeNumber, writeFlags } from '../flags.ts'
import { plain } from '../output/plain.ts'
import { makeWrite } from '../writes/write.ts'
import { mandatesList } from './reads.ts'

type CreateFlags = WriteFlags &
  Omit<AllowanceTerms, 'payee' | 'until'> & { readonly to: string; readonly until: string }

const create = command({
  docs: {
    brief: 'Ask the owner for a mandate, and wait until it is active',
    fullDescription: 'The owner confirms the mandate on a page. No limit may be above the next longer one.',
    customUsage: ['--to "Rui Prado" --per-payment 10 --total 100 --payments 12 --until 2027-06-30'],
  },
  parameters: {
    flags: {
      ...writeFlags,
      to: neededFlag('The payee: its id, name or nickname', 'payee'),
      perPayment: neededFlag('The maximum of one payment', 'amount'),
      perDay: textFlag('The maximum in a UTC day (that of a week)', 'amount'),
      perWeek: textFlag('The maximum in an ISO week (that of a month)', 'amount'),
      perMonth: textFlag('The maximum in a month (the total)', 'amount'),
      total: neededFlag('The maximum in total', 'amount'),
      payments: {
        kind: 'parsed',
        parse: wholeNumber(1, 10_000),
        brief: 'The maximum number of payments',
        placeholder: 'n',
      },
      until: {
        kind: 'parsed',
        parse: endOf,
        brief: 'The end: a day, or a time in UTC (RFC 3339)',
        placeholder: 'date',
      },
    },
  },
  run: async (cli: Cli, flags: CreateFlags) => {
    const agent = await cli.agent()
    const payee = await findPayee(agent, flags.to, cli.calls())
    const body = mandateOf({ ...flags, payee })
    await makeWrite(cli, flags, agent, {
      kind: 'mandate',
      request: body,
      summary: `Mandate to pay ${plain(payeeWords(payee))} up to ${writtenAmount(body.total_cap, payee.currency)} ${payee.currency}`,
      confirmed: false,
      send: (sender, options) => sender.mandates.create(body, options),
    })
  },
})

/** Reads a time, or a day as its last second in UTC. A repeated command therefore asks for the same end. */
function endOf(given: string): string {
  const text = /^\d{4}-\d{2}-\d{2}$/.test(given) ? `${given}T23:59:59Z` : given
  if (Number.isNaN(Date.parse(text))) throw wrongUse('give a day, 2027-06-30, or a time, 2027-06-30T12:00:00Z')
  return text
}

const change = (name: 'suspend' | 'revoke', brief: string) =>
  command({
    docs: { brief },
    parameters: { flags: writeFlags, positional: { kind: 'tuple', parameters: [argument('The mandate', 'id')] } },
    run: async (cli: Cli, flags: WriteFlags, id: string) => {
      await makeWrite(cli, flags, await cli.agent(), {
        kind: name,
        request: { id },
        summary: `${name === 'suspend' ? 'Suspend' : 'Revoke'} the mandate ${id}`,
        confirmed: false,
        send: (sender, options) => sender.mandates[name](id, options),
      })
    },
  })

export const mandates = buildRouteMap({
  routes: {
    create,
    list: mandatesList,
    suspend: change('suspend', 'Suspend a mandate: no payment under it is sent any more'),
    revoke: change('revoke', 'Revoke a mandate for good; the owner confirms it'),
  },
  docs: { brief: 'The permission to pay one payee within limits' },
})
