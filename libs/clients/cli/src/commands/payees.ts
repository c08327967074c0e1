/** `payees`: the people and companies that can be paid. */

import { payoutSchemaFor } from '@financial-agents/client'
import { buildRouteMap } from '@stricli/core'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { wrongUse } from '../failure.ts'
import { argument, neededFlag, textFlag, type WriteFlags, writeFlags } from '../flags.ts'
import { plain } from '../output/plain.ts'
import { makeWrite } from '../writes/write.ts'
import { payeesList } from './reads.ts'

type AddFlags = WriteFlags & {
  readonly name: string
  readonly country: string
  readonly currency: string
  readonly nickname?: string
  readonly schema?: string
}

const add = command({
  docs: {
    brief: 'Add a payee, and wait until it can be paid',
    fullDescription:
      'The details are those of a payout schema, each as key=value. The schema is found by them; if several fit, the error lists them.',
    customUsage: ['--name "Rui Prado" --country PT --currency EUR iban=PT50000201231234567890154'],
  },
  parameters: {
    flags: {
      ...writeFlags,
      name: neededFlag('The name of the account holder'),
      country: neededFlag('The country of the account: PT', 'code'),
      currency: neededFlag('The currency of payments: EUR', 'code'),
      nickname: textFlag('Your name for the payee'),
      schema: textFlag('The payout schema, if several take these details', 'id'),
    },
    positional: { kind: 'array', parameter: argument('A detail of the account: iban=PT50…', 'key=value'), minimum: 1 },
  },
  run: async (cli: Cli, flags: AddFlags, ...given: string[]) => {
    const { name, country, currency, nickname, schema } = flags
    const details = Object.fromEntries(given.map(pairOf))
    const agent = await cli.agent()
    const body = {
      name,
      country,
      currency,
      details,
      payout_schema_id: schema ?? (await payoutSchemaFor(agent, { country, currency, details }, cli.calls())),
      ...(nickname !== undefined && { nickname }),
    }
    await makeWrite(cli, flags, agent, {
      kind: 'payee',
      request: body,
      summary: `Add the payee ${plain(name)}`,
      confirmed: false,
      send: (sender, options) => sender.beneficiaries.create(body, options),
    })
  },
})

function pairOf(given: string): [key: string, value: string] {
  const at = given.indexOf('=')
  if (at < 1) throw wrongUse(`${given}: give each detail as key=value, for example iban=PT50000201231234567890154.`)
  return [given.slice(0, at), given.slice(at + 1)]
}

export const payees = buildRouteMap({
  routes: { add, list: payeesList },
  docs: { brief: 'The people and companies that can be paid' },
})
