/** `webhooks`: notifications at an address of this machine, and the subscriptions of the API. */

import type { WebhookSubscription } from '@financial-agents/client'
import { buildRouteMap } from '@stricli/core'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { CliError } from '../failure.ts'
import {
  argument,
  type CommonFlags,
  commonFlags,
  type ListFlags,
  listFlags,
  loopbackUrl,
  textFlag,
  wholeNumber,
} from '../flags.ts'
import { shortTime } from '../output/time.ts'
import { webhookKey, webhookSecret } from '../webhooks/keys.ts'
import { notificationOf, post } from '../webhooks/notification.ts'
import { changes } from '../webhooks/watch.ts'
import { listing } from './reads.ts'

const to = { kind: 'parsed', parse: loopbackUrl, brief: 'The receiver, on this machine', placeholder: 'url' } as const

type SentEvent = { id: string; type: string; operation_id: string; answer: number | string }

function printSent({ output }: Cli, sent: SentEvent): void {
  const { type, operation_id, answer } = sent
  const isGood = typeof answer === 'number' && answer >= 200 && answer < 300
  if (output.format === 'text') {
    const shown = typeof answer === 'number' ? `${answer}` : `no answer (${answer})`
    output.line(`${isGood ? output.paint.good(shown) : output.paint.bad(shown)}  ${type}  ${operation_id}`)
  } else output.line(sent)
}

async function signingKeys(cli: Cli) {
  return { secret: await webhookSecret(cli), signingKey: (await webhookKey(cli)).signingKey }
}

type ListenFlags = CommonFlags & {
  readonly to: string
  readonly events?: string
  readonly count?: number
  readonly interval: number
}

const listen = command({
  docs: {
    brief: 'Send notifications of this client to an address of this machine',
    fullDescription:
      'Deliveries of the API need a public HTTPS address. This command asks the API for changes of operations, makes the same notifications of them, signs them as the API does (v1 and v1a), and posts each once. The receiver verifies with the secret that `webhooks secret` prints, or with the public key that `webhooks keys` prints. It runs until Ctrl-C.',
    customUsage: ['--to http://127.0.0.1:3000/webhooks'],
  },
  parameters: {
    flags: {
      ...commonFlags,
      to,
      events: textFlag('Only these events: operation.succeeded,operation.failed', 'a,b'),
      count: {
        kind: 'parsed',
        parse: wholeNumber(1, 1_000_000),
        brief: 'End after so many notifications',
        placeholder: 'n',
        optional: true,
      },
      interval: {
        kind: 'parsed',
        parse: wholeNumber(1, 3_600),
        brief: 'Seconds between two looks',
        placeholder: 's',
        default: '2',
      },
    },
  },
  run: async (cli: Cli, flags: ListenFlags) => {
    const events = flags.events?.split(/[\s,]+/).filter(Boolean)
    const agent = await cli.agent()
    const keys = await signingKeys(cli)
    const ready = () => cli.output.tell(`Listening. Changes of operations go to ${flags.to}. Ctrl-C ends it.`)
    let count = 0
    try {
      for await (const operation of changes(agent, { pauseMs: flags.interval * 1_000, signal: cli.signal, ready })) {
        const type = `operation.${operation.state}`
        if (events && !events.includes(type)) continue
        const notification = notificationOf(operation)
        const answer = await post(flags.to, keys, notification, cli.signal)
        printSent(cli, { id: notification.id, type, operation_id: operation.id, answer })
        count += 1
        if (count === flags.count || (await cli.output.lost()) !== undefined) return
      }
    } catch (error) {
      // Ctrl-C is the usual way to end this command.
      if (!cli.signal.aborted) throw error
    }
  },
})

const resend = command({
  docs: {
    brief: 'Send the notification of an operation again, to an address of this machine',
    fullDescription:
      'The notification of the present state, with the id that `webhooks listen` gave it. The API itself repeats deliveries that fail, and takes no order to repeat one: `webhooks deliveries` shows how they stand.',
  },
  parameters: {
    flags: { ...commonFlags, to },
    positional: { kind: 'tuple', parameters: [argument('The operation', 'id')] },
  },
  run: async (cli: Cli, flags: CommonFlags & { readonly to: string }, id: string) => {
    const operation = await (await cli.agent()).operations.get(id, { signal: cli.signal })
    const notification = notificationOf(operation)
    const answer = await post(flags.to, await signingKeys(cli), notification, cli.signal)
    printSent(cli, { id: notification.id, type: `operation.${operation.state}`, operation_id: id, answer })
    if (typeof answer === 'string')
      throw new CliError(
        'unavailable',
        'receiver_away',
        `${flags.to} did not answer (${answer}). Is the receiver running?`,
      )
    if (answer < 200 || answer > 299)
      throw new CliError('failed', 'receiver_refused', `The receiver answered ${answer}, not 2xx.`)
  },
})

const secret = command({
  docs: {
    brief: 'Print the secret that verifies what `listen` and `resend` send',
    fullDescription:
      'One for each profile, made at its first use. FINANCIAL_AGENTS_WEBHOOK_SECRET takes its place: set it to test with the secret of a subscription.',
  },
  parameters: { flags: commonFlags },
  run: async (cli: Cli, _flags: CommonFlags) => {
    const value = await webhookSecret(cli)
    cli.output.line(cli.output.format === 'text' ? value : { secret: value })
  },
})

const keys = command({
  docs: {
    brief: 'Print the public key that verifies what `listen` and `resend` send',
    fullDescription:
      'A JWK Set with the Ed25519 key of the profile, in place of /.well-known/webhooks-jwks.json, which has the keys of the API.',
  },
  parameters: { flags: commonFlags },
  run: async (cli: Cli, _flags: CommonFlags) => {
    const { jwks } = await webhookKey(cli)
    cli.output.line(cli.output.format === 'text' ? JSON.stringify(jwks) : jwks)
  },
})

const list = listing<WebhookSubscription>({
  brief: 'List the subscriptions of the API',
  empty: 'No subscriptions.',
  columns: [
    ['Id', ({ id }) => id],
    ['Address', ({ url }) => url],
    ['Events', ({ events }) => events.join(' ')],
    ['Status', ({ status, disabled_reason }) => (disabled_reason ? `${status} (${disabled_reason})` : status)],
  ],
  read: (agent, query, signal) => agent.webhooks.list(query, { signal }),
})

const deliveries = command({
  docs: { brief: 'List the deliveries of a subscription, newest first' },
  parameters: { flags: listFlags, positional: { kind: 'tuple', parameters: [argument('The subscription', 'id')] } },
  run: async (cli: Cli, { limit }: ListFlags, id: string) => {
    await cli.output.list(
      (await cli.agent()).webhooks.deliveries(id, { limit: Math.min(limit, 100) }, { signal: cli.signal }),
      [
        ['Id', (item) => item.id],
        ['Event', ({ event_type }) => event_type],
        ['Operation', ({ operation_id }) => operation_id],
        ['Status', ({ status }) => status],
        ['Attempts', ({ attempts }) => attempts],
        ['Last answer', ({ last_status_code }) => last_status_code],
        ['Next attempt', ({ next_attempt_at }) => shortTime(next_attempt_at)],
      ],
      { limit, empty: 'No deliveries.' },
    )
  },
})

export const webhooks = buildRouteMap({
  routes: { listen, resend, secret, keys, list, deliveries },
  docs: { brief: 'Notifications of operations' },
})
