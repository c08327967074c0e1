/** `cards`. No command shows a card number: only the bank's page does. */

import type { Card } from '@financial-agents/client'
import { buildRouteMap } from '@stricli/core'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import {
  argument,
  type CommonFlags,
  commonFlags,
  type MoneyFlags,
  moneyFlags,
  neededFlag,
  textFlag,
  type WriteFlags,
  writeFlags,
} from '../flags.ts'
import { makeWrite } from '../writes/write.ts'
import { cardsList } from './reads.ts'

const card = { kind: 'tuple', parameters: [argument('The card', 'id')] } as const

const show = command({
  docs: { brief: 'Show a card' },
  parameters: { flags: commonFlags, positional: card },
  run: async (cli: Cli, _flags: CommonFlags, id: string) => {
    const found = await (await cli.agent()).cards.get(id, { signal: cli.signal })
    cli.output.one(found, [
      ['Card', found.id],
      ['Label', found.label],
      ['Type', found.type],
      ['Currency', found.currency],
      ['Brand', found.brand],
      ['Ends in', found.last_four],
      ['State', found.state],
      ['Changed by', found.pending_operation_id],
    ])
  },
})

type CreateFlags = WriteFlags & { readonly type: Card['type']; readonly currency: string; readonly label?: string }

const create = command({
  docs: { brief: 'Ask for a card, and wait until it is made' },
  parameters: {
    flags: {
      ...writeFlags,
      type: { kind: 'enum', values: ['virtual', 'physical'], brief: 'The kind of card', default: 'virtual' },
      currency: neededFlag('The currency of the card: EUR', 'code'),
      label: textFlag('Your label for the card'),
    },
  },
  run: async (cli: Cli, flags: CreateFlags) => {
    const { type, currency, label } = flags
    const body = { type, currency, ...(label !== undefined && { label }) }
    await makeWrite(cli, flags, await cli.agent(), {
      kind: 'card',
      request: body,
      summary: `A ${type} card in ${currency}`,
      confirmed: false,
      send: (sender, options) => sender.cards.create(body, options),
    })
  },
})

const change = (name: 'freeze' | 'unfreeze', brief: string) =>
  command({
    docs: { brief },
    parameters: { flags: writeFlags, positional: card },
    run: async (cli: Cli, flags: WriteFlags, id: string) => {
      await makeWrite(cli, flags, await cli.agent(), {
        kind: name,
        request: { id },
        summary: `${name === 'freeze' ? 'Freeze' : 'Unfreeze'} the card ${id}`,
        confirmed: false,
        send: (sender, options) => sender.cards[name](id, options),
      })
    },
  })

const close = command({
  docs: { brief: 'Close a card for good' },
  parameters: { flags: moneyFlags, positional: card },
  run: async (cli: Cli, flags: MoneyFlags, id: string) => {
    await makeWrite(cli, flags, await cli.agent(), {
      kind: 'close',
      request: { id },
      summary: `Close the card ${id} for good`,
      confirmed: true,
      send: (sender, options) => sender.cards.close(id, options),
    })
  },
})

export const cards = buildRouteMap({
  routes: {
    list: cardsList,
    show,
    create,
    freeze: change('freeze', 'Freeze a card'),
    unfreeze: change('unfreeze', 'Unfreeze a card'),
    close,
  },
  docs: { brief: 'Cards' },
})
