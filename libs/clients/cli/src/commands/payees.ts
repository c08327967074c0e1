/** `payees`: the people and companies that can be paid. */

import { type Agent, ApiProblem, type CreateBeneficiaryRequest, payoutSchemaFor } from '@financial-agents/client'
import { buildRouteMap } from '@stricli/core'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { wrongUse } from '../failure.ts'
import { payeeWords } from '../find-payee.ts'
import { argument, type MoneyFlags, moneyFlags, neededFlag, textFlag } from '../flags.ts'
import { plain } from '../output/plain.ts'
import { makeWrite } from '../writes/write.ts'
import { payeesList } from './reads.ts'

type AddFlags = MoneyFlags & {
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
      'It asks first if there is an equal payee already; without a terminal, --yes adds another one. The details are those of a payout schema, each as key=value. The schema is found by them; if several fit, the error lists them.',
    customUsage: ['--name "Rui Prado" --country PT --currency EUR iban=PT50000201231234567890154'],
  },
  parameters: {
    flags: {
      ...moneyFlags,
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
      exists: () => equalPayee(agent, body, cli),
      send: (sender, options) => sender.beneficiaries.create(body, options),
    })
  },
})

/** An active payee with this name, currency and account, in words; undefined if there is none, or if payees may not be read. */
async function equalPayee(agent: Agent, wanted: CreateBeneficiaryRequest, cli: Cli): Promise<string | undefined> {
  const ends = Object.values(wanted.details).map((detail) => detail.replaceAll(/\s/g, ''))
  try {
    for await (const payee of agent.beneficiaries.list({ limit: 100 }, cli.calls())) {
      const { name, currency, masked_details, state } = payee
      const isOne = name.normalize() === wanted.name.normalize() && currency === wanted.currency && state === 'active'
      if (isOne && Object.values(masked_details).every((end) => ends.some((detail) => detail.endsWith(end))))
        return `There is this payee already: ${plain(payeeWords(payee))}, ${payee.id}.`
    }
  } catch (error) {
    if (!(error instanceof ApiProblem && error.code === 'insufficient_scope')) throw error
  }
  return undefined
}

function pairOf(given: string): [key: string, value: string] {
  const at = given.indexOf('=')
  if (at < 1) throw wrongUse(`${given}: give each detail as key=value, for example iban=PT50000201231234567890154.`)
  return [given.slice(0, at), given.slice(at + 1)]
}

export const payees = buildRouteMap({
  routes: { add, list: payeesList },
  docs: { brief: 'The people and companies that can be paid' },
})
