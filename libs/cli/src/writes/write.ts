/**
 * A write from the command line. The write gets an intent, a person confirms it if money moves, it is sent, and its
 * outcome is printed. If an equal write is unfinished, that write is continued under its own intent instead.
 */

import {
  type Agent,
  ApiProblem,
  ClientError,
  type Outcome,
  type TrackedOperation,
  type WriteOptions,
} from '@financial-agents/client'
import { fileStore } from '@financial-agents/client/stores/file'
import type { Cli } from '../cli.ts'
import { CliError, endingOf, wrongUse } from '../failure.ts'
import type { MoneyFlags } from '../flags.ts'
import { ago } from '../output/time.ts'
import { ask } from '../prompt.ts'
import { type Begun, type Journal, journalOf } from './journal.ts'

/** A write that a command asks for. */
export type WriteRequest = {
  /** The name of the command. An intent begins with it. */
  kind: string
  /** All data of the request. The journal finds an equal write by them. */
  request: unknown
  /** The write in words for people: "Pay 12.50 EUR to Rui Prado". */
  summary: string
  /** True if a person has to say yes, because money moves or the write cannot be undone. */
  confirmed: boolean
  send(agent: Agent, options: WriteOptions): Promise<TrackedOperation>
}

/**
 * After this time, a repeated command no longer counts as the same write by itself. The API forgets keys after a day,
 * too.
 */
const sameWriteMs = 24 * 3_600_000

type Chosen = { intent: string; isNew: boolean; isGiven: boolean }

/** Makes the write, prints its outcome, and sets the exit code. */
export async function makeWrite(cli: Cli, flags: MoneyFlags, agent: Agent, write: WriteRequest): Promise<void> {
  const { folders, profile } = await cli.used()
  const journal = journalOf(fileStore(folders.writes), [profile.base_url, profile.client_id, write.kind, write.request])
  const chosen = await choose(cli, flags, write, journal)
  cli.output.note(`Intent ${chosen.intent}`)
  const operation = await send(cli, flags, agent, write, chosen).catch(async (error: unknown) => {
    if (chosen.isNew && wasRefused(error)) await journal.end()
    throw error
  })
  const outcome = await cli.during(`${write.summary}: waiting for the outcome.`, () =>
    operation.wait(waitOptions(cli, flags.timeout)),
  )
  printOutcome(cli, outcome, chosen.intent)
  const { status } = outcome
  if (chosen.isGiven) return
  if (status === 'succeeded') await journal.end({ intent: chosen.intent, operationId: operation.id })
  else if (status === 'failed' || status === 'cancelled') await journal.end()
}

/** The options of a wait that lasts at most this number of seconds. */
export const waitOptions = ({ signal }: Cli, timeoutS: number) => ({ signal, timeoutMs: timeoutS * 1_000 })

async function choose(cli: Cli, flags: MoneyFlags, write: WriteRequest, journal: Journal): Promise<Chosen> {
  if (flags.intent !== undefined) {
    await confirm(cli, flags, write, undefined)
    return { intent: flags.intent, isNew: false, isGiven: true }
  }
  const begun = await journal.begun()
  if (begun && (await goesOn(cli, flags, write, begun))) return { intent: begun.intent, isNew: false, isGiven: false }
  if (begun) await journal.end()
  const done = await journal.done()
  await confirm(
    cli,
    flags,
    write,
    done && `An equal one succeeded ${ago(done.atMs)} (operation ${done.operationId}). This is another one.`,
  )
  const { intent, isMine } = await journal.begin(write.kind)
  return { intent, isNew: isMine, isGiven: false }
}

/** Decides about an unfinished equal write: true continues it, false begins another. */
async function goesOn(
  cli: Cli,
  flags: MoneyFlags,
  { summary, confirmed }: WriteRequest,
  begun: Begun,
): Promise<boolean> {
  const words = `${summary}: an equal write was begun ${ago(begun.atMs)} (intent ${begun.intent}), and its outcome was not seen.`
  if (confirmed && cli.canAsk && flags.yes !== true) {
    cli.output.tell(words)
    const answer = await ask(cli, 'Go on with that one (g), make another one (a), or quit (q)? [g] ')
    cli.signal.throwIfAborted()
    if (answer === undefined) throw notConfirmed()
    if (/^(?:g|go.*)?$/.test(answer)) return true
    if (answer.startsWith('a')) return false
    throw notConfirmed()
  }
  if (confirmed && flags.yes !== true) throw unasked(summary)
  if (Date.now() - begun.atMs > sameWriteMs)
    throw wrongUse(
      `${words} To go on with that one: --intent ${begun.intent}. To make another one: --intent <a new name>.`,
    )
  cli.output.tell(`${words} This goes on with it.`)
  return true
}

async function confirm(
  cli: Cli,
  flags: MoneyFlags,
  { summary, confirmed }: WriteRequest,
  note: string | undefined,
): Promise<void> {
  if (!confirmed || flags.yes === true) return
  if (!cli.canAsk) throw unasked(summary)
  if (note) cli.output.tell(note)
  const answer = await ask(cli, `${summary}? [y/N] `)
  cli.signal.throwIfAborted()
  if (answer === undefined || !/^y(?:es)?$/.test(answer)) throw notConfirmed()
}

const notConfirmed = () => new CliError('notConfirmed', 'not_confirmed', 'Nothing was sent.')
const unasked = (summary: string) =>
  wrongUse(`${summary}: there is no terminal to ask on. Nothing was sent. Add --yes to send it without asking.`)

async function send(
  cli: Cli,
  { timeout }: MoneyFlags,
  agent: Agent,
  write: WriteRequest,
  { intent }: Chosen,
): Promise<TrackedOperation> {
  // The request itself takes a moment, even if the command does not wait for the outcome.
  const limit = AbortSignal.timeout(Math.max(timeout, 30) * 1_000)
  const signal = AbortSignal.any([cli.signal, limit])
  try {
    return await cli.during(`${write.summary}: sending.`, () => write.send(agent, { intent, signal }))
  } catch (error) {
    const goesOn = `Run the same command again: it goes on with the intent ${intent}`
    // Although the last attempt did not arrive, an earlier one may have, of this run or of a run before.
    if (error instanceof ClientError && error.code === 'unreachable')
      throw new CliError('uncertain', error.code, `${error.message} ${goesOn}, and does not pay twice.`, error)
    if (!limit.aborted || error instanceof ApiProblem || error instanceof ClientError) throw error
    if (cli.owner.wasAsked)
      throw new CliError('needsOwner', 'owner_needed', `The owner has not decided yet. ${goesOn}.`)
    throw new CliError('uncertain', 'outcome_unknown', `No answer in time. ${goesOn}, and does not pay twice.`)
  }
}

/** True if the API refused the request, and nothing of the request can still take effect. */
function wasRefused(error: unknown): boolean {
  return (
    error instanceof ApiProblem && error.fromApi && !error.retryable && !error.submissionUncertain && error.status < 500
  )
}

const words: Readonly<Record<Outcome['status'], string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  needs_owner: 'waits for the owner',
  indeterminate: 'not known yet: it may have happened',
  still_running: 'still running',
}

/** Prints an outcome, and sets the exit code. */
export function printOutcome(cli: Cli, outcome: Outcome, intent?: string): void {
  const { status, operation } = outcome
  cli.output.one(
    { ...(intent === undefined ? {} : { intent }), status, resource_id: operation.resource_id, operation },
    [
      ['Outcome', words[status]],
      ['Operation', operation.id],
      [operation.resource_type, operation.resource_id],
      ...(operation.failure_code === null
        ? []
        : [['Reason', `${operation.failure_code}: ${operation.failure_detail}`] as const]),
      ...(status === 'needs_owner' && outcome.action ? [['Owner opens', outcome.action.url] as const] : []),
    ],
  )
  cli.end(endingOf[status])
  const next = nextSteps[status]
  if (next) cli.output.note(next.replace('<id>', operation.id))
}

const nextSteps: Partial<Record<Outcome['status'], string>> = {
  needs_owner: 'Run the same command again when the owner has decided, or: financial-agents operations wait <id>',
  indeterminate: 'Do not send it under another intent. To see what became of it: financial-agents operations wait <id>',
  still_running: 'To go on waiting: financial-agents operations wait <id>',
}
