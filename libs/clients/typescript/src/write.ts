/**
 * Durable writes (contract, "Idempotency contract"): one intent is one write, whatever fails and however often it is
 * repeated.
 *
 * The record of the intent is in the store before the first byte is sent. Every repetition sends the same key and the
 * same body. The client never makes a second key for an intent. If the key is too old to be sent, the client only looks
 * for the operation.
 */

import { type Attempt, attempt } from './attempt.ts'
import { call } from './call.ts'
import type { CallOptions, WriteOptions } from './call-options.ts'
import { ClientError } from './client-error.ts'
import { askToConfirm, decided } from './confirmation.ts'
import type { Core } from './core.ts'
import type { Operation } from './generated/types.ts'
import {
  type Intended,
  type IntentRecords,
  intentConflict,
  intentRecords,
  requestHash,
  type SendingRecord,
} from './intent-record.ts'
import { listOf, operationOf, promisedOf } from './own-answer.ts'
import { ApiProblem } from './problem.ts'
import { type Repetition, repetition, unreachable } from './repeat.ts'
import type { Row } from './row.ts'
import { type Limited, limited } from './time-limit.ts'
import { operationRead } from './transport.ts'
import { asUncertain, isReason, uncertainly } from './uncertain.ts'

/** The API honours a key for 24 hours; the client sends it for a little less. */
const windowMs = 24 * 3_600_000 - 600_000

/**
 * Makes the write, or finds its operation.
 *
 * @throws ApiProblem if the API refuses it; ClientError `intent_conflict`, `intent_expired` or `unreachable`. If
 * `submissionUncertain` is true, the write may have been accepted. Then, after `unreachable` and after a crash: call it
 * again with the same intent.
 */
export async function write(
  core: Core,
  row: Row,
  { path, body }: { path: string; body: object | undefined },
  given: WriteOptions,
): Promise<Operation> {
  const options = limited(given)
  const { intent, metadata } = options
  if (typeof intent !== 'string' || intent === '' || intent.length > 512)
    throw new ClientError('invalid_use', 'A write needs an intent: 1 to 512 characters.')
  const text = body === undefined ? undefined : JSON.stringify(body)
  const intended = { row, path, body: text, hash: await requestHash(path, text), intent }
  const records = await intentRecords(core, intended)
  const accepted = await records.accepted()
  if (accepted) {
    await records.note(metadata, accepted.operationId)
    return readOperation(core, accepted.operationId, options)
  }
  const { record, fresh } = await records.claim()
  const ageMs = core.clock.now() - record.at
  // A time far in the future comes from a clock that was wrong, so the age of the key is unknown.
  if (ageMs > windowMs || ageMs < -windowMs) return foundOrExpired(core, intended, records, options)
  return new Sending(core, intended, records, record, fresh, options).run()
}

/** The attempts of one write. */
class Sending {
  readonly #core: Core
  readonly #intended: Intended
  readonly #records: IntentRecords
  readonly #options: Limited<WriteOptions>
  readonly #repeat: Repetition
  #record: SendingRecord
  /**
   * True while the API itself has refused every attempt, so no attempt can have been accepted or arrive late. If it is
   * false, only the operation of the key proves anything: an attempt that is not known yet may still arrive.
   */
  #fresh: boolean
  #hasAsked = false

  constructor(
    core: Core,
    intended: Intended,
    records: IntentRecords,
    record: SendingRecord,
    fresh: boolean,
    options: Limited<WriteOptions>,
  ) {
    this.#core = core
    this.#intended = intended
    this.#records = records
    this.#record = record
    this.#fresh = fresh
    this.#options = options
    this.#repeat = repetition(core, { method: intended.row.method, path: intended.path }, options)
  }

  /** Sends the write to its end. An error is uncertain, unless nothing can have been accepted. */
  async run(): Promise<Operation> {
    try {
      await this.#records.note(this.#options.metadata)
      return await this.#accepted(await this.#sent())
    } catch (error) {
      // If the record cannot be changed, the next call takes the write for one that may have been sent.
      if (this.#fresh) await this.#records.unsent(this.#record).catch(() => {})
      if (this.#fresh || isReason(error, this.#options.signal)) throw error
      throw asUncertain(error, mayBeAccepted(this.#intended.intent))
    }
  }

  /** Repeats attempts until there is an operation. */
  async #sent(): Promise<Operation> {
    const isAsked = !this.#intended.row.always || this.#record.confirmation !== undefined
    const early = isAsked ? undefined : await this.#ask()
    if (early) return early
    for (;;) {
      const last = await this.#attempt()
      if (last.end === 'answered') return last.body as Operation
      if (last.end === 'failed') throw last.error
      const found = await this.#after(last)
      if (found) return found
    }
  }

  async #attempt(): Promise<Attempt> {
    const { unsent, ...record } = this.#record
    if (unsent) await this.#records.save((this.#record = record))
    const last = await attempt(this.#core, this.#request(), this.#options)
    if (last.end !== 'refused' && last.end !== 'unsent') this.#fresh = false
    return last
  }

  /** Returns the operation if there is one after all; otherwise waits for the next attempt, or throws. */
  #after(last: Extract<Attempt, { afterMs: unknown }>): Promise<Operation | undefined> {
    if (last.end === 'refused') return this.#refused(last)
    return last.end === 'foreign' ? this.#foreign(last) : this.#unanswered(last)
  }

  #request() {
    const { row, path, body } = this.#intended
    const { key, confirmation } = this.#record
    const headers = {
      'Idempotency-Key': key,
      ...(confirmation === undefined ? {} : { 'Confirmation-Intent-ID': confirmation }),
    }
    return { method: row.method, path, headers, body, promised: promisedOf(row) }
  }

  async #accepted(operation: Operation): Promise<Operation> {
    await this.#records.accept(operation.id)
    return operation
  }

  async #refused({ problem, afterMs }: Extract<Attempt, { end: 'refused' }>): Promise<Operation | undefined> {
    const { code } = problem
    if (this.#needsOwner(code)) return code === 'confirmation_pending' ? this.#decided() : this.#ask()
    // The API may have carried out the write although its answer is an error. The key finds the operation.
    const isUnknown = problem.submissionUncertain || (problem.status >= 500 && !problem.retryable)
    if (isUnknown || code === 'idempotency_key_expired') {
      const wasFresh = this.#fresh
      this.#fresh = false
      const found = await this.#lookUp(problem)
      if (found) return found
      if (problem.submissionUncertain && (await this.#repeat.again(code, afterMs))) return undefined
      // The API says that this attempt left nothing. An expired key was accepted before it expired.
      if (!problem.submissionUncertain && code !== 'idempotency_key_expired') this.#fresh = wasFresh
      throw code === 'idempotency_key_expired' ? intentExpired(this.#intended.intent, problem) : problem
    }
    if (problem.retryable && (await this.#repeat.again(code, afterMs))) return undefined
    // The key's operation is that of another request, so it is no result of this write.
    if (code === 'idempotency_key_conflict') throw intentConflict(this.#intended.intent, problem)
    return this.#ended(problem)
  }

  /** Something in between answered. The key finds the operation, if there is one yet. */
  async #foreign({ problem, afterMs }: Extract<Attempt, { end: 'foreign' }>): Promise<Operation | undefined> {
    if (problem.status >= 500 && (await this.#repeat.again(problem.code, afterMs))) return undefined
    const found = await this.#lookUp(problem)
    if (found) return found
    throw problem
  }

  /**
   * Ends the write by a refusal. If an earlier attempt may have been accepted, its operation is looked for first, and
   * returned.
   */
  async #ended(problem: ApiProblem): Promise<Operation> {
    if (problem.retryable) throw problem
    const found = this.#fresh ? undefined : await this.#lookUp(problem)
    if (found) return found
    // A confirmation serves one request. The next call asks for another one.
    const { confirmation, ...record } = this.#record
    this.#record = record
    if (confirmation !== undefined && !this.#fresh) await this.#records.save(record)
    throw problem
  }

  /** Reads the operation of the key after an answer that is none. @throws its error, caused by the error of the read */
  async #lookUp(failure: Error): Promise<Operation | undefined> {
    try {
      return await findByKey(this.#core, this.#intended.row, this.#record.key, this.#options)
    } catch (error) {
      this.#options.signal?.throwIfAborted()
      if (!(error instanceof ApiProblem) && !(error instanceof ClientError)) throw error
      throw Object.assign(failure, { cause: error })
    }
  }

  async #unanswered(last: Extract<Attempt, { error: unknown }>): Promise<Operation | undefined> {
    const isCut = last.end === 'unanswered' && last.cut
    if (!isCut && (await this.#repeat.again(last.end, last.afterMs))) return undefined
    const state = this.#fresh ? 'was not accepted' : 'may have been accepted, and is kept'
    const advice = `The write "${this.#intended.intent}" ${state}: call again with the same intent within 24 hours.`
    const error = unreachable(this.#core.origin, last, advice, !this.#fresh)
    const found = isCut ? await this.#lookUp(error) : undefined
    if (found) return found
    throw error
  }

  /** True if the refusal is about the owner's confirmation, and the owner can still decide in this call. */
  #needsOwner(code: string): boolean {
    if (this.#intended.row.confirm === undefined) return false
    if (code === 'confirmation_pending') return this.#record.confirmation !== undefined
    // Asks for one confirmation in each call, so an owner who does not answer is not asked again without end.
    return (code === 'confirmation_required' || code === 'confirmation_expired') && !this.#hasAsked
  }

  /**
   * Asks the owner, and waits for the decision. The confirmation is kept before it is shown, so that a restart waits for
   * the same one. Returns the operation if the request for a confirmation is refused and an earlier attempt was accepted.
   */
  async #ask(): Promise<Operation | undefined> {
    const { row, path, body } = this.#intended
    try {
      const { id } = await askToConfirm(this.#core, row.confirm ?? '', { path, body }, this.#options)
      // The owner may decide much later. Until then it is known that nothing was sent.
      this.#record = { ...this.#record, confirmation: id, ...(this.#fresh && { unsent: true }) }
    } catch (error) {
      // The confirmation was refused, so this attempt did not send the write itself.
      if (error instanceof ApiProblem && error.fromApi && !error.retryable) return this.#ended(error)
      throw error
    }
    this.#hasAsked = true
    await this.#records.save(this.#record)
    return this.#decided()
  }

  async #decided(): Promise<undefined> {
    await decided(this.#core, this.#record.confirmation ?? '', this.#options)
    return undefined
  }
}

/** The advice after an error of a write that may have been accepted. */
function mayBeAccepted(intent: string): string {
  return `The write "${intent}" may have been accepted: call again with the same intent.`
}

/** Reads the operation that was started with a key of this route. */
export async function findByKey(
  core: Core,
  row: Row,
  key: string,
  options: CallOptions,
): Promise<Operation | undefined> {
  const kind = row.keyed === true ? undefined : row.keyed
  const path = `/v1/operations?idempotency_key=${encodeURIComponent(key)}`
  const request = { method: 'GET', path, promised: { is: listOf(operationOf(kind)) } }
  const { items } = (await call(core, request, options)) as { items: Operation[] }
  return items[0]
}

/** An error is uncertain, because the write exists. */
async function readOperation(core: Core, id: string, options: WriteOptions): Promise<Operation> {
  const advice = `The write "${options.intent}" was accepted as the operation ${id}: call again with the same intent.`
  return (await uncertainly(call(core, operationRead(id), options), advice, options.signal)) as Operation
}

/** The error about an intent that is too old to be sent. If the API says so itself, the `cause`, it has accepted the write before. */
function intentExpired(intent: string, cause?: ApiProblem): ClientError {
  const message = `The write "${intent}" is older than 24 hours and no operation of it is found: it is not sent again. If it did not happen, use a new intent.`
  return new ClientError('intent_expired', message, { cause, submissionUncertain: cause !== undefined })
}

async function foundOrExpired(
  core: Core,
  { intent, row }: Intended,
  records: IntentRecords,
  options: CallOptions,
): Promise<Operation> {
  const found = await uncertainly(findByKey(core, row, records.key, options), mayBeAccepted(intent), options.signal)
  if (!found) throw intentExpired(intent)
  await records.accept(found.id)
  return found
}
