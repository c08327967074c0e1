/**
 * A write from the command line. The write gets an intent, a person confirms it if money moves, it is sent, and its
 * outcome is printed. If an equal write is unfinished, that write is continued under its own intent instead.
 *
 * A write is unfinished until its final outcome was printed, even if its operation has ended meanwhile. A program that
 * repeats a command after an uncertain outcome would otherwise pay a second time.
 */

import {
  type Agent,
  ApiProblem,
  type CallOptions,
  ClientError,
  type Operation,
  type Outcome,
  type PaymentCheck,
  type TrackedOperation,
  type WriteOptions,
} from '@financial-agents/client'
import { fileStore } from '@financial-agents/client/stores/file'
import type { Cli } from '../cli.ts'
import { CliError, endingOf, unreadOutcome, wrongUse } from '../failure.ts'
import type { MoneyFlags, PaymentFlags } from '../flags.ts'
import { isPayment } from '../output/kind.ts'
import { ago } from '../output/time.ts'
import { ask } from '../prompt.ts'
import { printCheck } from './check.ts'
import { type Begun, type Journal, journalOf, type Unfinished, unfinishedWith } from './journal.ts'

export type WriteRequest = {
  /** The name of the command. An intent begins with it. */
  kind: string
  /** All data of the request. The journal finds an equal write by them. */
  request: unknown
  /** The write in words for people: "Pay 12.50 EUR to Rui Prado". */
  summary: string
  /** True if a person has to say yes, because money moves or the write cannot be undone. */
  confirmed: boolean
  /** An equal thing that exists already, in words. Another one is made only if a person says yes. */
  exists?(): Promise<string | undefined>
  send(agent: Agent, options: WriteOptions): Promise<TrackedOperation>
  /** Asks what would become of it. Absent if it does not pay. */
  check?(agent: Agent, options: CallOptions): Promise<PaymentCheck>
}

/**
 * After this time, a repeated command no longer counts as the same write by itself. The API forgets keys after a day,
 * too.
 */
const sameWriteMs = 24 * 3_600_000

type Chosen = { intent: string; isNew: boolean }

/** Makes the write, prints its outcome, and sets the exit code. */
export async function makeWrite(cli: Cli, flags: PaymentFlags, agent: Agent, write: WriteRequest): Promise<void> {
  if (flags.check && write.check) {
    printCheck(cli, write.summary, await write.check(agent, cli.calls()))
    return
  }
  const { folders, profile } = await cli.used()
  const journal = journalOf(fileStore(folders.writes), [profile.base_url, profile.client_id, write.kind, write.request])
  const { intent, isNew } = await choose(cli, flags, agent, write, journal)
  cli.output.note(`Intent ${intent}`)
  const operation = await send(cli, agent, write, intent).catch(async (error: unknown) => {
    if (isNew && wasRefused(error)) await journal.end(intent)
    throw error
  })
  const outcome = await waitFor(cli, `${write.summary}: waiting for the outcome.`, operation.id, async () => {
    await journal.accept(intent, operation.id)
    return operation.wait(cli.calls())
  })
  printOutcome(cli, outcome, intent)
  await endIfFinal(cli, outcome.operation, () => Promise.resolve({ journal, intent }))
}

/** Waits for the outcome of an operation by its id, prints it, and sets the exit code. */
export async function waitForOperation(cli: Cli, agent: Agent, id: string): Promise<void> {
  const outcome = await waitFor(cli, 'Waiting for the outcome.', id, () => agent.wait(id, cli.calls()))
  printOutcome(cli, outcome)
  const { folders } = await cli.used()
  await endIfFinal(cli, outcome.operation, () => unfinishedWith(fileStore(folders.writes), id))
}

/** Shows progress while the wait lasts. @throws CliError that names the operation, if its outcome could not be read */
async function waitFor(cli: Cli, text: string, operationId: string, wait: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await cli.during(text, wait)
  } catch (error) {
    if (!cli.signal.aborted) throw unreadOutcome(error, operationId)
    throw interrupted(
      `The operation ${operationId} goes on. To see what became of it: financial-agents operations wait ${operationId}`,
    )
  }
}

/** Ctrl-C after something was sent: it may have been accepted, and may have ended. */
const interrupted = (advice: string) =>
  new CliError('interrupted', 'interrupted', `Interrupted. ${advice}`, { submissionUncertain: true })

type Final = Operation & { state: 'succeeded' | 'failed' | 'cancelled' }

function isFinal(operation: Operation): operation is Final {
  const { state } = operation
  return state === 'succeeded' || state === 'failed' || state === 'cancelled'
}

/**
 * Ends the write if its operation has ended. Call it after the outcome was printed. The outcome decides the exit code,
 * even if the write cannot be ended.
 */
async function endIfFinal(cli: Cli, operation: Operation, find: () => Promise<Unfinished | undefined>): Promise<void> {
  if (!isFinal(operation)) return
  if ((await cli.output.lost()) !== undefined) {
    cli.output.tell('The outcome could not be printed. The next equal command goes on with this write.')
    return
  }
  const { id, state, updated_at } = operation
  const done = state === 'succeeded' ? { operationId: id, atMs: Date.parse(updated_at) } : undefined
  try {
    const found = await find()
    await found?.journal.end(found.intent, done)
  } catch (error) {
    cli.output.tell(`The next equal command goes on with this write: ${(error as Error).message}`)
  }
}

async function choose(
  cli: Cli,
  flags: MoneyFlags,
  agent: Agent,
  write: WriteRequest,
  journal: Journal,
): Promise<Chosen> {
  if (flags.intent !== undefined) {
    await confirm(cli, flags, write, undefined)
    return { intent: flags.intent, isNew: false }
  }
  const begun = await journal.begun()
  const ended = begun && asksPerson(cli, flags, write) ? await endedMeanwhile(cli, agent, begun) : undefined
  if (begun && !ended && (await goesOn(cli, flags, write, begun))) return { intent: begun.intent, isNew: false }
  const done = ended ? undefined : await journal.done()
  const existing = await write.exists?.()
  const note = existing ?? (ended ? endedNote(ended) : done && anotherNote('succeeded', done.atMs, done.operationId))
  await confirm(cli, flags, { ...write, confirmed: write.confirmed || existing !== undefined }, note)
  if (begun) await journal.end(begun.intent)
  const { intent, isMine } = await journal.begin(write.kind)
  return { intent, isNew: isMine }
}

/** True if a person decides about this write at the terminal. */
function asksPerson(cli: Cli, flags: MoneyFlags, { confirmed }: WriteRequest): boolean {
  return confirmed && cli.canAsk && flags.yes !== true
}

/**
 * The operation of an unfinished write, if it has ended meanwhile; undefined if that is not known. Only a person may
 * make another write then. A program has not seen the outcome, so it goes on with the write and gets the outcome.
 */
async function endedMeanwhile(cli: Cli, agent: Agent, { operationId }: Begun): Promise<Final | undefined> {
  if (operationId === undefined) return undefined
  const operation = await agent.operations.get(operationId, cli.calls()).catch(() => undefined)
  cli.signal.throwIfAborted()
  return operation && isFinal(operation) ? operation : undefined
}

const endedNote = ({ state, updated_at, id }: Final) =>
  anotherNote(state === 'cancelled' ? 'was cancelled' : state, Date.parse(updated_at), id)
const anotherNote = (ended: string, atMs: number, operationId: string) =>
  `An equal one ${ended} ${ago(atMs)} (operation ${operationId}). This is another one.`

/** Decides about an unfinished equal write: true continues it, false begins another. */
async function goesOn(cli: Cli, flags: MoneyFlags, write: WriteRequest, begun: Begun): Promise<boolean> {
  const { summary, confirmed } = write
  const { intent, atMs, operationId } = begun
  const named = operationId === undefined ? `intent ${intent}` : `intent ${intent}, operation ${operationId}`
  const words = `${summary}: an equal write was begun ${ago(atMs)} (${named}), and its outcome was not seen.`
  if (asksPerson(cli, flags, write)) {
    cli.output.tell(words)
    const answer = await ask(cli, 'Go on with that one (g), make another one (a), or quit (q)? [g] ')
    cli.signal.throwIfAborted()
    if (answer === undefined) throw notConfirmed()
    if (/^(?:g|go.*)?$/.test(answer)) return true
    if (answer.startsWith('a')) return false
    throw notConfirmed()
  }
  if (confirmed && flags.yes !== true) throw unasked(summary)
  if (Date.now() - atMs > sameWriteMs) {
    const wait =
      operationId === undefined ? '' : ` To see its outcome: financial-agents operations wait ${operationId}.`
    const ways = `To go on with that one: --intent ${intent}. To make another one: --intent <a new name>.`
    throw wrongUse(`${words}${wait} ${ways}`)
  }
  cli.output.tell(`${words} This goes on with it, and makes no second one.`)
  return true
}

async function confirm(
  cli: Cli,
  flags: MoneyFlags,
  { summary, confirmed }: WriteRequest,
  note: string | undefined,
): Promise<void> {
  if (!confirmed || flags.yes === true) return
  if (!cli.canAsk) throw unasked(note ? `${note} ${summary}` : summary)
  if (note) cli.output.tell(note)
  const answer = await ask(cli, `${summary}? [y/N] `)
  cli.signal.throwIfAborted()
  if (answer === undefined || !/^y(?:es)?$/.test(answer)) throw notConfirmed()
}

const notConfirmed = () => new CliError('notConfirmed', 'not_confirmed', 'Nothing was sent.')
const unasked = (summary: string) =>
  wrongUse(`${summary}: there is no terminal to ask on. Nothing was sent. Add --yes to send it without asking.`)

async function send(cli: Cli, agent: Agent, write: WriteRequest, intent: string): Promise<TrackedOperation> {
  try {
    return await cli.during(`${write.summary}: sending.`, () => write.send(agent, { intent, ...cli.calls() }))
  } catch (error) {
    const goesOn = `Run the same command again: it goes on with the intent ${intent}`
    const uncertain = (code: string, message: string) =>
      new CliError('uncertain', code, `${message} ${goesOn}, and does not pay twice.`, { cause: error })
    if (cli.signal.aborted) throw interrupted(`It may have been sent. ${goesOn}, and does not pay twice.`)
    // The keys could not be read, perhaps after an earlier attempt of this call had been sent.
    if (error instanceof CliError) throw error.ending === 'failed' ? uncertain(error.code, error.message) : error
    if (error instanceof ClientError) {
      // Although the last attempt did not arrive, an earlier one may have, of this run or of a run before.
      if (error.code === 'unreachable') throw uncertain(error.code, error.message)
      if (error.code !== 'owner_needed' || error.submissionUncertain) throw error
      throw new CliError('needsOwner', error.code, `The owner has not decided yet. ${goesOn}.`)
    }
    // A proxy in between cannot say what the API received.
    if (error instanceof ApiProblem) throw error.fromApi ? error : uncertain(error.code, error.message)
    throw uncertain('internal', (error as Error).message)
  }
}

/** True if the API refused the request for certain: nothing of it was accepted, and nothing can still take effect. */
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
      [isPayment(operation) ? 'Payment' : operation.resource_type, operation.resource_id],
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
