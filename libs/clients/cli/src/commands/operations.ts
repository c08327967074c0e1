/** `operations`: every write is one; its outcome is read here. */

import type { Operation } from '@financial-agents/client'
import { buildRouteMap } from '@stricli/core'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { argument, type CommonFlags, commonFlags, type ListFlags, listFlags, textFlag, waitFlags } from '../flags.ts'
import { isPayment, kindWords } from '../output/kind.ts'
import { shortTime } from '../output/time.ts'
import { waitForOperation } from '../writes/write.ts'

const operation = { kind: 'tuple', parameters: [argument('The operation', 'id')] } as const

const list = command({
  docs: { brief: 'List the operations, newest first; the API shows 100 at most' },
  parameters: { flags: { ...listFlags, state: textFlag('Only operations in this state', 'state') } },
  run: async (cli: Cli, { limit, state }: ListFlags & { readonly state?: string }) => {
    const query = { limit: Math.min(limit, 100), ...(state !== undefined && { state: state as Operation['state'] }) }
    await cli.output.list(
      (await cli.agent()).operations.list(query, { signal: cli.signal }),
      [
        ['Id', ({ id }) => id],
        ['Kind', kindWords],
        ['State', (item) => item.state],
        ['Resource', ({ resource_id }) => resource_id],
        ['Reason', ({ failure_code }) => failure_code],
        ['Accepted', ({ created_at }) => shortTime(created_at)],
      ],
      { limit, empty: 'No operations.' },
    )
  },
})

const show = command({
  docs: { brief: 'Show an operation' },
  parameters: { flags: commonFlags, positional: operation },
  run: async (cli: Cli, _flags: CommonFlags, id: string) => {
    const found = await (await cli.agent()).operations.get(id, { signal: cli.signal })
    cli.output.one(found, [
      ['Operation', found.id],
      ['Kind', kindWords(found)],
      ['State', found.state],
      [isPayment(found) ? 'Payment' : found.resource_type, found.resource_id],
      ['Reason', found.failure_code],
      ['', found.failure_detail],
      ['Accepted', found.created_at],
      ['Changed', found.updated_at],
      ['Bank is asked', found.next_reconcile_at],
      ['Owner opens', found.action_required?.url],
    ])
  },
})

const wait = command({
  docs: { brief: 'Wait for the outcome of an operation; the exit code tells it' },
  parameters: { flags: { ...commonFlags, ...waitFlags }, positional: operation },
  run: async (cli: Cli, _flags: CommonFlags, id: string) => {
    await waitForOperation(cli, await cli.agent(), id)
  },
})

export const operations = buildRouteMap({
  routes: { list, show, wait },
  docs: { brief: 'Writes, and what became of them' },
})
