/**
 * `trigger` and `test-users`: order faults of the fake provider of a development stack, and list the people who can sign
 * in there.
 */

import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { wrongUse } from '../failure.ts'
import { fakeProvider } from '../fake-provider.ts'
import { type CommonFlags, commonFlags, textFlag, wholeNumber } from '../flags.ts'

/** The faults by their names at the fake provider. */
export const faults: Readonly<Record<string, string>> = {
  refuse: 'refused, not executed',
  fail: 'failed with a reason, not executed',
  slow: 'executed, answered late',
  accept_drop_reply: 'executed, and the answer is lost',
  accept_error_reply: 'executed, and answered with an error',
  accept_garble_reply: 'executed, and the answer cannot be read',
  drop_before_accept: 'not executed, and the connection breaks',
  error_before_accept: 'not executed, and answered with an error',
  settle_later: 'accepted, and final later',
  never_settle: 'accepted, and never final',
  vanish: 'accepted, and no longer to be found',
  contradict: 'accepted, and later reads contradict each other',
  expire: 'a page has expired before anybody opens it; --kind approval, …',
  decline: 'declined without a person; --kind approval, …',
  approve: 'approved without a person; --kind approval',
  waive: 'the approval turns out not to be needed; --kind approval',
  malform: 'a read answers in a shape that is not documented; --kind accounts, …',
}

/** The other commands of `trigger`. */
const orders: Readonly<Record<string, string>> = {
  list: 'the faults that are ordered',
  clear: 'no faults any more',
  settle: 'everything pending becomes final',
}

type TriggerFlags = CommonFlags & {
  readonly kind?: string
  readonly payee?: string
  readonly times: number
  readonly delay?: number
  readonly after?: number
  readonly reason?: string
}

type Fault = { fault_id: number; script: string; match: Record<string, string>; times?: number; used: number }

const names = [...Object.keys(faults), ...Object.keys(orders)]

export const trigger = command({
  docs: {
    brief: 'Order a fault of the fake provider (development only)',
    fullDescription: [
      'The next matching call of the fake provider has the fault; without --kind, the next instruction. Faults:',
      ...Object.entries(faults).map(([name, meaning]) => `  ${name.padEnd(20)}${meaning}`),
      'And:',
      ...Object.entries(orders).map(([name, meaning]) => `  ${name.padEnd(20)}${meaning}`),
    ].join('\n'),
    customUsage: ['accept_drop_reply --kind payment', 'settle_later --after 10', 'clear'],
  },
  parameters: {
    flags: {
      ...commonFlags,
      kind: textFlag('Only calls of this kind: payment, …; one that does not exist is refused with a list', 'kind'),
      payee: textFlag('Only instructions that name this person', 'name'),
      times: {
        kind: 'parsed',
        parse: wholeNumber(1, 1_000_000),
        brief: 'The number of instructions',
        placeholder: 'n',
        default: '1',
      },
      delay: {
        kind: 'parsed',
        parse: wholeNumber(0, 86_400),
        brief: 'slow: seconds until the answer',
        placeholder: 's',
        optional: true,
      },
      after: {
        kind: 'parsed',
        parse: wholeNumber(0, 86_400),
        brief: 'settle_later: seconds until it is final',
        placeholder: 's',
        optional: true,
      },
      reason: textFlag('fail: the reason of the bank', 'code'),
    },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: (given: string) => {
            if (!names.includes(given))
              throw wrongUse(`there is no fault of this name; give one of ${names.join(', ')}`)
            return given
          },
          brief: 'The fault',
          placeholder: 'fault',
          proposeCompletions: (partial: string) => names.filter((name) => name.startsWith(partial)),
        },
      ],
    },
  },
  run: async (cli: Cli, flags: TriggerFlags, name: string) => {
    const control = await fakeProvider(cli)
    if (name === 'list') return listFaults(cli, (await control('GET', '/control/faults')) as { faults: Fault[] })
    if (name === 'clear') {
      await control('DELETE', '/control/faults')
      return cli.output.one({ faults: [] }, [['Faults', 'none']])
    }
    if (name === 'settle') {
      const { settled } = (await control('POST', '/control/settle', {})) as { settled: number }
      return cli.output.one({ settled }, [['Made final', settled]])
    }
    const { kind, payee, times, delay, after, reason } = flags
    const made = (await control('POST', '/control/faults', {
      script: name,
      times,
      match: { ...(kind !== undefined && { kind }), ...(payee !== undefined && { name: payee }) },
      options: {
        ...(delay !== undefined && { delay_ms: delay * 1_000 }),
        ...(after !== undefined && { settle_after_ms: after * 1_000 }),
        ...(reason !== undefined && { reason }),
      },
    })) as Fault
    cli.output.one(made, [
      ['Ordered', `${name}: ${faults[name]}`],
      ['Times', times],
      ['Kind', kind ?? 'every instruction'],
      ['Payee', payee ?? 'anyone'],
    ])
  },
})

async function listFaults(cli: Cli, { faults: ordered }: { faults: Fault[] }): Promise<void> {
  await cli.output.list(
    ReadableStream.from(ordered),
    [
      ['Fault', ({ script }) => script],
      ['Kind', ({ match }) => match['kind']],
      ['Payee', ({ match }) => match['name']],
      ['Times', ({ times }) => times],
      ['Used', ({ used }) => used],
    ],
    { limit: Infinity, empty: 'No faults are ordered.' },
  )
}

type TestUser = { id: string; name: string; country: string; currency: string; identity: string; about: string }

export const testUsers = command({
  docs: { brief: 'List the people who can sign in at the fake provider (development only)' },
  parameters: { flags: commonFlags },
  run: async (cli: Cli, _flags: CommonFlags) => {
    const { test_users: people } = (await (
      await fakeProvider(cli)
    )('GET', '/control/test-users')) as { test_users: TestUser[] }
    await cli.output.list(
      ReadableStream.from(people),
      [
        ['Id', ({ id }) => id],
        ['Name', ({ name }) => name],
        ['Country', ({ country }) => country],
        ['Currency', ({ currency }) => currency],
        ['Identity', ({ identity }) => identity],
        ['', ({ about }) => about],
      ],
      { limit: Infinity, empty: 'No test users.' },
    )
  },
})
