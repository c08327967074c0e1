/** The switches. Each breaks one rule of the write protocol in the real sources, and the simulator must notice. */

import type { Invariant } from './world/violation.ts'

/** `find` must occur exactly once in the file. */
export type Edit = { file: string; find: string; replace: string }
export type Mutation = {
  name: string
  breaks: string
  /** The invariants of the rule. Only seeds in which one of them is the first to fail count. */
  invariants: readonly Invariant[]
  /**
   * A seed that showed it, looked at first. It only saves time: if the seed shows it no longer, all seeds are searched.
   */
  shownBy?: number
  edits: readonly Edit[]
}

export const mutations: readonly Mutation[] = [
  {
    name: 'disconnect fenced by itself',
    breaks: 'rule 8: transfer_grant_revoke passes the fence of its own binding',
    invariants: ['I4'],
    shownBy: 36,
    edits: [
      {
        file: 'libs/api/contract/src/machine/kinds.ts',
        find: `passesFences: ['grant', 'client', 'binding']`,
        replace: `passesFences: ['grant', 'client']`,
      },
    ],
  },
  {
    name: 'disconnect answered before its fence',
    breaks: 'rule 18: every way in which authority ends answers only after the fence',
    invariants: ['I4'],
    shownBy: 36,
    edits: [
      {
        file: 'services/onboarding/src/handlers/disconnectService.ts',
        find: `if (await endIsKnown(dependencies, operation.resource_id, Math.min(leftMs, fenceMs))) return null`,
        replace: `if ((await endIsKnown(dependencies, operation.resource_id, 1)) || leftMs > 0) return null`,
      },
    ],
  },
  {
    name: 'end succeeds before its fence',
    breaks: 'rule 18: what ends the use of a mandate or a connection succeeds only after its fence',
    invariants: ['I4'],
    shownBy: 33,
    edits: [
      {
        file: 'services/submitter/src/store/claims.ts',
        find: `if (fences.length > 0) await tx.rows(raise,`,
        replace: `if (fences.length < 0) await tx.rows(raise,`,
      },
    ],
  },
  {
    name: 'submit on redelivery',
    breaks: 'rule 5: only the item whose INSERT returned its own attempt calls the provider',
    invariants: ['I1', 'I3'],
    shownBy: 13,
    edits: [
      {
        file: 'services/submitter/src/claims.ts',
        find: `if (state === undefined) return 'none'`,
        replace: `if (state === undefined) return 'won'`,
      },
    ],
  },
  {
    name: 'unclear commit wins',
    breaks: 'rule 5: an ambiguous commit means "not the winner"',
    invariants: ['I1', 'I3'],
    shownBy: 48,
    edits: [
      {
        file: 'services/submitter/src/claims.ts',
        find: `return new Map(items.map((item) => [item.operation.operation_id, 'unclear']))`,
        replace: `return new Map(items.map((item) => [item.operation.operation_id, 'won']))`,
      },
    ],
  },
  {
    name: 'delete on broker ack (submit)',
    shownBy: 4,
    breaks:
      'rule 3: operations keeps an accepted operation in its background job until it has seen an event of the submitter',
    invariants: ['I8'],
    edits: [
      {
        file: 'services/operations/src/background-job.ts',
        find: `await options.announce(unclaimed)`,
        replace: `await Promise.resolve()`,
      },
    ],
  },
  {
    name: 'accepted out of the background job',
    breaks: 'rule 15: an accepted operation is committed together with its place in the background job',
    invariants: ['I8'],
    edits: [
      {
        file: 'test/simulation/statements/operations.ts',
        find: `yield* tx.insert('in_flight_batches', { batch_id: ids[0], operation_ids: ids, publish_after: publishAfter })`,
        replace: `yield* tx.insert('in_flight_batches', { batch_id: ids[0], operation_ids: ids.slice(1), publish_after: publishAfter })`,
      },
    ],
  },
  {
    name: 'delete on broker ack (event)',
    breaks: 'rule 3: submitter and reconciler keep an event until operations has committed it',
    invariants: ['I8'],
    shownBy: 4,
    edits: [
      {
        file: 'services/submitter/src/background-jobs.ts',
        find: `publishEvents(bus, rows, confirmations.heardOf)
    return batches`,
        replace: `return batches`,
      },
    ],
  },
  {
    name: 'batch confirmed by its first operation',
    breaks: 'rule 3: a batch stays in the outbox until each of its events is confirmed',
    invariants: ['I8'],
    shownBy: 68,
    edits: [
      {
        file: 'services/submitter/src/confirmations.ts',
        find: `if (batch.open > 0 || !memory`,
        replace: `if (!memory`,
      },
    ],
  },
  {
    name: 'handoff kept for operations alone',
    breaks: 'rule 3: the submitter keeps the handoff until the reconciler has committed it',
    invariants: ['I8'],
    shownBy: 4,
    edits: [
      {
        file: 'services/submitter/src/submission.ts',
        find: `return !isHandedOff(row) || heard.reconciler`,
        replace: `return true`,
      },
    ],
  },
  {
    name: 'two watchdogs',
    breaks: 'rule 9: the watchdog is the submitter sweeping its own rows',
    invariants: ['I2', 'I3', 'I6', 'I7', 'I8'],
    edits: [
      {
        file: 'services/reconciler/src/handoffs.ts',
        find: `if (isHandoff(transition)) handed.set(transition.operation_id, transition)`,
        replace: `if (isHandoff(transition)) handed.set(transition.operation_id, transition)
    else if (transition?.by === 'submitter' && transition.to === 'submitting')
      handed.set(transition.operation_id, { ...transition, sequence: transition.sequence + 1, to: 'indeterminate' })`,
      },
      {
        file: 'services/reconciler/src/start.ts',
        find: `concerns: mayHandOff,`,
        replace: `concerns: (data) => mayHandOff(data) || true,`,
      },
    ],
  },
  {
    name: 'map batch results by key',
    breaks: 'rule 1: a result per item by the item’s own token, never by a shared key',
    invariants: ['I5'],
    shownBy: 36,
    edits: [
      {
        file: 'services/operations/src/store/keys.ts',
        find: `const written = new Set(rows.map((row) => row.operation_id))`,
        replace: `const wrote = new Set(rows.map((row) => row.operation_id))
  const targets = new Set(offers.filter((offer) => wrote.has(offer.request.operation_id)).map((offer) => offer.target))
  const written = new Set(offers.filter((offer) => targets.has(offer.target)).map((offer) => offer.request.operation_id))`,
      },
      {
        file: 'services/operations/src/accept.ts',
        find: `target: (offer) => offer.target,`,
        replace: `target: (offer) => offer.offer_id,`,
      },
      {
        file: 'services/operations/src/accept.ts',
        find: `([offer, decision]) => [offer.target, decision]`,
        replace: `([offer, decision]) => [offer.offer_id, decision]`,
      },
    ],
  },
  {
    name: 'liveness validated outside the claim',
    breaks: 'rule 8: the claim’s first statement takes the shared lock, the second inserts where no fence exists',
    invariants: ['I4', 'I10'],
    shownBy: 48,
    edits: [
      {
        file: 'services/submitter/src/store/claims.ts',
        find: `const [, written] = await database.atOnce([
    [lock, mark],`,
        replace: `const [written] = await database.atOnce([`,
      },
      {
        file: 'services/submitter/src/store/claims.ts',
        find: `await tx.rows(items.some(({ operation }) => raisedBy(operation.kind)) ? exclusiveLock : lock, mark)`,
        replace: `await Promise.resolve()`,
      },
    ],
  },
  {
    name: 'operations cancels accepted rows',
    breaks: 'rule 6: operations never moves an accepted row',
    invariants: ['I2', 'I3'],
    edits: [
      {
        file: 'services/operations/src/background-job.ts',
        find: `import { takeUnclaimedOperations } from './store/operations.ts'`,
        replace: `import { findPayloads, takeUnclaimedOperations } from './store/operations.ts'
import { moveViewsTo } from './store/projection.ts'`,
      },
      {
        file: 'services/operations/src/background-job.ts',
        find: `await options.announce(unclaimed)`,
        replace: `await options.announce(unclaimed)
  for (const old of await findPayloads(db, unclaimed.map(({ id }) => id))) {
    const late = { ...old, sequence: 2, from: 'accepted', event: 'cancel_before_submission', to: 'cancelled', by: 'submitter',
      at: clock.now().toISOString(), failure_code: 'authority_withdrawn', failure_detail: null, upstream_reference: null,
      next_reconcile_at: null, reason: null, evidence: null, resource: null } as never
    await db.transaction(async (tx) => {
      const rows = [{ ...(late as object), claimed_at: null } as never]
      await moveViewsTo(tx, [late], new Map([[old.operation_id, { state: 'accepted', sequence: 1 }]]), rows)
    }).catch(() => {})
  }`,
      },
    ],
  },
  {
    name: 'job releases on "not known"',
    shownBy: 4,
    breaks: 'rule 2: absence is written, not read',
    invariants: ['I5', 'I6', 'I7'],
    edits: [
      {
        file: 'services/operations/src/calls/decide.ts',
        find: `await recordUndecided(db, operation_ids, clock.now())`,
        replace: `clock.now()
    const known = await findDecidedStates(db, operation_ids)
    const found = new Set(known.map(({ operation_id }) => operation_id))
    const absent = operation_ids.filter((id) => !found.has(id)).map((operation_id) => ({ operation_id, state: 'void' as const,
      sequence: 0, upstream_reference: null, resource: null }))
    if (absent.length > 0) return [...known, ...absent]
    if (found.size < 0) await recordUndecided(db, operation_ids, clock.now())`,
      },
    ],
  },
  {
    name: 'replay read as "I lost"',
    breaks: 'rule 13: "I lost" only if the returned operation id differs from mine',
    invariants: ['I6'],
    shownBy: 0,
    edits: [
      {
        file: 'libs/frame/writes/src/perform.ts',
        find: `const accepted = result.type === 'accepted' || result.type === 'replayed' ? result.operation.id : undefined`,
        replace: `const accepted = result.type === 'accepted' ? result.operation.id : undefined`,
      },
    ],
  },
  {
    name: 'area refuses before the key result',
    breaks: 'rule 11: the area asks operations before any refusal',
    invariants: ['answers'],
    shownBy: 22,
    edits: [
      {
        file: 'libs/frame/writes/src/perform.ts',
        find: `const replay = replayOf(await askResult(dependencies.bus, write.keyed, messageContext(write)))
  if (!replay) throw refusal`,
        replace: `const replay = undefined as Acceptance | undefined
  if (!replay) throw refusal`,
      },
    ],
  },
  {
    name: 'drafts visible early',
    breaks: 'rule 14: drafts are invisible until acceptance is known',
    invariants: ['I7'],
    edits: [
      {
        file: 'test/simulation/statements/beneficiaries.ts',
        find: `['pending', 'active', 'failed'].includes`,
        replace: `['draft', 'pending', 'active', 'failed'].includes`,
      },
      {
        file: 'services/beneficiaries/src/beneficiary-store.ts',
        find: `return { ...row, created_at: row.created_at.toISOString()`,
        replace: `return { ...row, state: (row.state as string) === 'draft' ? 'pending' : row.state, created_at: row.created_at.toISOString()`,
      },
    ],
  },
  {
    name: 'intent validated before the key',
    breaks: 'rule 4: look keys up, lock the intents, and before any refusal look the key up once more',
    invariants: ['I6', 'answers'],
    shownBy: 1,
    edits: [
      {
        file: 'services/operations/src/accept-batch.ts',
        find: `const refusals = await validateFresh(tx, fresh, now, reserved)`,
        replace: `const refusals = await validateFresh(tx, offers, now, reserved)`,
      },
      {
        file: 'services/operations/src/accept-batch.ts',
        find: `    keyed,
  })
  return results`,
        replace: `    keyed,
  })
  for (const [offer, { refusal }] of refusals) results.set(offer, { type: 'refused', ...refusal })
  return results`,
      },
    ],
  },
  {
    name: 'release on indeterminate',
    breaks: 'rule 12: a reservation is released only on void, on a tombstoned refusal, or on failed or cancelled',
    invariants: ['I6'],
    shownBy: 11,
    edits: [
      {
        file: 'libs/frame/writes/src/events.ts',
        find: `return isTerminal(state) ? state : null`,
        replace: `return isTerminal(state) ? state : state === 'indeterminate' ? 'failed' : null`,
      },
    ],
  },
  {
    name: 'lower caps answered before they hold',
    breaks: 'rule 12: a cap that the owner lowered holds for every payment that is accepted after the answer',
    invariants: ['I6'],
    shownBy: 94,
    edits: [
      {
        file: 'services/beneficiaries/src/calls/owner-action.ts',
        find: `await recordLowerCaps(dependencies.db, asked, dependencies.clock)`,
        replace: `void recordLowerCaps(dependencies.db, asked, dependencies.clock).catch(() => {})`,
      },
    ],
  },
  {
    name: 'caps lowered below a draft',
    breaks: 'rule 12: the cap of a payment is not lowered below a draft that may still be accepted',
    invariants: ['I6'],
    shownBy: 73,
    edits: [
      {
        file: 'services/beneficiaries/src/mandates/lower-caps.ts',
        find: `await checkUndecided(tx, mandate_id, caps)`,
        replace: `await checkUndecided(tx, mandate_id, mandate)`,
      },
    ],
  },
  {
    name: 'caps lowered without the lock',
    breaks: 'rule 12: caps are lowered under the lock under which payments are drafted',
    invariants: ['I6', 'process'],
    shownBy: 1091,
    edits: [
      {
        file: 'services/beneficiaries/src/mandates/lower-caps.ts',
        find: `await tx.rows(lockRows, [[mandate_id], []])`,
        replace: `await tx.rows(lockRows, [[], []])`,
      },
    ],
  },
  {
    name: 'ceiling not reserved for mandate transfers',
    shownBy: 14,
    breaks: 'rule 18: ceilings are reserved for every payment, keyed by owner and client',
    invariants: ['I10', 'I6'],
    edits: [
      {
        file: 'services/operations/src/ceilings/validate-payments.ts',
        find: `return payment ? [{ offer,`,
        replace: `return payment && offer.request.kind !== 'mandate_transfer' ? [{ offer,`,
      },
    ],
  },
  {
    name: 'ceiling released on indeterminate',
    breaks: 'rule 12: what is uncertain counts as spent',
    invariants: ['I6', 'I10'],
    shownBy: 4,
    edits: [
      {
        file: 'services/operations/src/store/transfers.ts',
        find: `new Set(['failed', 'cancelled'])`,
        replace: `new Set(['failed', 'cancelled', 'indeterminate'])`,
      },
    ],
  },
  {
    name: 'submission rows pruned',
    breaks: 'rule 5: one permanent submission row per operation, never pruned',
    invariants: ['I1', 'I2', 'I3'],
    shownBy: 304,
    edits: [
      {
        file: 'test/simulation/statements/submitter.ts',
        find: `tx.remove('outbox', row.batch_id as string)`,
        replace: `{
      for (const id of idsOf(row)) if (yield* tx.lock('submissions', id)) tx.remove('submissions', id)
      tx.remove('outbox', row.batch_id as string)
    }`,
      },
    ],
  },
  {
    name: 'unchanged state taken as proof',
    breaks: 'rule 10: not found, unchanged state and incomplete listings prove nothing',
    invariants: ['I3', 'I8', 'I11'],
    shownBy: 124,
    edits: [
      {
        file: 'services/reconciler/src/validate.ts',
        find: `if (facts.state === 'indeterminate' && !facts.shown && isRefusal(facts.late_outcome)) {`,
        replace: `if (facts.state === 'indeterminate' && !facts.shown && (notFound > 2 || isRefusal(facts.late_outcome))) {`,
      },
    ],
  },
  {
    name: 'absence believed without the promise',
    breaks: 'rule 19: only a provider that refuses afterwards and reads completely proves absence',
    invariants: ['I3', 'I11'],
    shownBy: 41,
    edits: [
      {
        file: 'services/reconciler/src/validate.ts',
        find: `if (!deadlines?.refusesAfterDeadline || !deadlines.completeByReference) return null
  if (facts.valid_until === null || providerTime === undefined) return null`,
        replace: `if (facts.valid_until === null) return null
  providerTime ??= new Date()
  deadlines ??= { refusesAfterDeadline: true, completeByReference: true, clockMarginMs: 800 }`,
      },
    ],
  },
  {
    name: 'absence believed without the margin',
    breaks: 'rule 19: the read is made after the deadline and the declared margin',
    invariants: ['I3', 'I11'],
    shownBy: 627,
    edits: [
      {
        file: 'services/reconciler/src/validate.ts',
        find: `+ deadlines.clockMarginMs - begunAtMs`,
        replace: `- begunAtMs`,
      },
    ],
  },
  {
    name: 'absence believed of a read that began before',
    breaks: 'rule 19: the read begins after the deadline and the margin; its answer may come seconds later',
    invariants: ['I3', 'I11'],
    shownBy: 342,
    edits: [
      {
        file: 'services/reconciler/src/validate.ts',
        find: `const begunAtMs = providerTime.getTime() - tookMs`,
        replace: `const begunAtMs = providerTime.getTime() + 0 * tookMs`,
      },
    ],
  },
  {
    name: 'absence validated by our own clock',
    breaks: 'rule 19: the deadline ends by the provider’s clock, and so does the margin',
    invariants: ['I3', 'I11'],
    shownBy: 285,
    edits: [
      {
        file: 'services/reconciler/src/validate.ts',
        find: `const begunAtMs = providerTime.getTime() - tookMs`,
        replace: `const begunAtMs = Date.now() - tookMs`,
      },
    ],
  },
  {
    name: 'absence by the deadline called a refusal',
    breaks: 'rule 19: nothing refused it; the code says that its deadline has passed',
    invariants: ['I11'],
    shownBy: 28,
    edits: [
      {
        file: 'services/reconciler/src/validate.ts',
        find: `failureCode: 'submission_expired',`,
        replace: `failureCode: 'provider_refused',`,
      },
    ],
  },
  {
    name: 'deadline reported later than the one that is kept',
    breaks: 'rule 19: the deadline in the claim is the one that was sent',
    invariants: ['I3', 'I11'],
    shownBy: 73,
    edits: [
      {
        file: 'services/submitter/src/call-provider.ts',
        find: `        validUntil,
        timeoutMs`,
        replace: `        validUntil: new Date(validUntil.getTime() + 5_000),
        timeoutMs`,
      },
    ],
  },
  {
    name: 'end of the authority unknown to the claim',
    breaks: 'rule 8: liveness is validated in the claim, the end by time included',
    invariants: ['I4'],
    shownBy: 16,
    edits: [
      {
        file: 'services/submitter/src/store/claims.ts',
        find: `authority_ends_at: operation.authority_ends_at`,
        replace: `authority_ends_at: null`,
      },
    ],
  },
  {
    name: 'deadline beyond the end of the authority',
    breaks: 'rule 19: the provider may not begin to execute after the authority has ended',
    invariants: ['I4'],
    shownBy: 23,
    edits: [
      {
        file: 'services/submitter/src/attempts.ts',
        find: `now + config.SUBMISSION_VALIDITY_MS, authorityEndOf(operation)`,
        replace: `now + config.SUBMISSION_VALIDITY_MS, Infinity`,
      },
    ],
  },
  {
    name: 'deadline forgotten at the handoff',
    breaks: 'rule 19: absence by the deadline ends the operation',
    invariants: ['I8'],
    shownBy: 37,
    edits: [
      {
        file: 'services/submitter/src/submission.ts',
        find: `...(isHandedOff(row) && row.valid_until !== null &&`,
        replace: `...(isHandedOff(row) && row.valid_until === null &&`,
      },
      {
        file: 'services/submitter/src/submission.ts',
        find: `{ valid_until: row.valid_until.toISOString() }`,
        replace: `{ valid_until: row.valid_until }`,
      },
    ],
  },
  {
    name: 'provider executes after its deadline',
    breaks: 'rule 19: a provider that promises refuses afterwards; nothing of ours can notice that it does not',
    invariants: ['I3', 'I11'],
    shownBy: 4034,
    edits: [
      {
        file: 'test/simulation/virtual/provider.ts',
        find: `if (isPastDeadline(reference)) {`,
        replace: `if (isPastDeadline(reference) && chance.happens(0)) {`,
      },
    ],
  },
  {
    name: 'clocks of the provider further apart than its margin',
    breaks: 'rule 19: the margin that the provider declares covers its clocks',
    invariants: ['I3', 'I11'],
    shownBy: 627,
    edits: [
      {
        file: 'test/simulation/virtual/provider.ts',
        find: `showsMs: refusesAtMs + apartMs,`,
        replace: `showsMs: refusesAtMs + 3 * apartMs,`,
      },
    ],
  },
  {
    name: 'acknowledged and gone, still certain',
    breaks: 'rule 10: what was submitted and is no longer shown is indeterminate',
    invariants: ['I8'],
    shownBy: 93,
    edits: [
      {
        file: 'services/reconciler/src/validate.ts',
        find: `if (facts.state === 'indeterminate' || notFound < unclearAfterNotFound) return { ...counted, review }`,
        replace: `if (notFound < Infinity) return { ...counted, review }`,
      },
    ],
  },
  {
    name: 'view takes the last event rather than the highest sequence',
    shownBy: 41,
    breaks: 'rule 7: the view is the highest sequence',
    invariants: ['I2'],
    edits: [
      {
        file: 'services/operations/src/fold.ts',
        find: `if (move.sequence > sequence) {`,
        replace: `if (move.sequence !== sequence) {`,
      },
    ],
  },
  {
    name: 'payload kept after the outcome',
    breaks: 'rule 17: the payload is erased at the first outcome event',
    invariants: ['I2', 'I8', 'I9'],
    edits: [
      {
        file: 'services/operations/src/store/projection.ts',
        find: `moves.map((move) => holdsPayload(move.to))`,
        replace: `moves.map((move) => holdsPayload(move.to) || true)`,
      },
    ],
  },
  {
    name: 'every offer reported accepted',
    breaks: 'rule 13: exactly one of the offers of one operation learns that it was accepted',
    invariants: ['answers'],
    shownBy: 8,
    edits: [
      {
        file: 'services/operations/src/accept-batch.ts',
        find: `validated.operation.offer_id === offer.offer_id ? 'accepted' : 'replayed'`,
        replace: `validated.operation.offer_id === offer.offer_id ? 'accepted' : 'accepted'`,
      },
    ],
  },
  {
    name: 'credentials erased before all is settled',
    breaks: 'rule 16: credentials stay until all operations of the binding have settled',
    invariants: ['I8'],
    shownBy: 394,
    edits: [
      {
        file: 'services/onboarding/src/erase-credentials.ts',
        find: `ids.filter((id) => !unsettled.has(id))`,
        replace: `ids.filter((id) => unsettled.size >= 0 && id !== '')`,
      },
    ],
  },
  {
    name: 'authority validated by client instead of grant',
    breaks: 'rule 18: a mandate’s authorized client is a row (mandate, client, grant)',
    invariants: ['I10'],
    shownBy: 34,
    edits: [
      {
        file: 'services/beneficiaries/src/mandates/authority.ts',
        find: `one.client_id === client_id && one.grant_id === grant_id)`,
        replace: `one.client_id === client_id)`,
      },
    ],
  },
  {
    name: 'authority not validated in the claim',
    breaks: 'rule 18: the end of a grant ends its authority, validated in the claim as a fence on that grant',
    invariants: ['I10'],
    shownBy: 20,
    edits: [
      {
        file: 'services/submitter/src/store/claims.ts',
        find: `stop_grant: stop('grant', grant_id),`,
        replace: `stop_grant: mandate_id === null ? stop('grant', grant_id) : null,`,
      },
    ],
  },
  {
    name: 'close refused while freezing',
    breaks: 'rule 10: an absorbing transition is taken beside an unsettled one',
    invariants: ['answers'],
    shownBy: 13,
    edits: [
      {
        file: 'services/cards/src/card-machine.ts',
        find: `close: { from: ['active', 'frozen'], beside: ['unfreeze', 'freeze']`,
        replace: `close: { from: ['active', 'frozen'], beside: []`,
      },
    ],
  },
  {
    name: 'freeze refused while unfreezing',
    breaks: 'rule 10: freezing is accepted while an unfreeze is unsettled',
    invariants: ['answers'],
    shownBy: 40,
    edits: [
      {
        file: 'services/cards/src/card-machine.ts',
        find: `freeze: { from: ['active'], beside: ['unfreeze']`,
        replace: `freeze: { from: ['active'], beside: []`,
      },
    ],
  },
  {
    name: 'frozen before the unfreeze has settled',
    breaks: 'rule 10: an outcome proves its own operation and nothing of another',
    invariants: ['I7'],
    shownBy: 274,
    edits: [
      {
        file: 'services/cards/src/card-machine.ts',
        find: `const newest = newestAccepted(changes)`,
        replace: `const newest = changes.some(({ action, state }) => action === 'freeze' && state === 'succeeded') ? undefined : newestAccepted(changes)`,
      },
    ],
  },
  {
    name: 'the later request taken for the later change',
    breaks: 'rule 10: the provider executes two changes in whatever order it receives them',
    invariants: ['I7'],
    shownBy: 739,
    edits: [
      {
        file: 'services/cards/src/card-machine.ts',
        find: `return madeBy(one.changed_at > other.changed_at ? one : other)`,
        replace: `return madeBy(other)`,
      },
    ],
  },
  {
    name: 'closed card follows what is late',
    breaks: 'rule 10: a closed card proves itself, whatever became of the other operation',
    invariants: ['I7'],
    shownBy: 125,
    edits: [
      {
        file: 'services/cards/src/card-machine.ts',
        find: `return { state: 'closed', prior_state: null, changes: [] }`,
        replace: `return { state: 'closed', prior_state: null, changes: standing.changes.filter((other) => other !== change) }`,
      },
    ],
  },
  {
    name: 'end of a connection not fenced',
    breaks: 'rule 8: onboarding repeats the fence of a connection that ended until it is confirmed',
    invariants: ['I4'],
    shownBy: 8,
    edits: [
      {
        file: 'services/onboarding/src/binding-changes.ts',
        find: `await recordAnnouncement(tx, { owner_id: row.owner_id, binding_id: row.id }, true, now)`,
        replace: `await recordAnnouncement(tx, { owner_id: row.owner_id, binding_id: row.id }, false, now)`,
      },
    ],
  },
  {
    name: 'less reserved than a withdrawal sends',
    breaks: 'rule 18: ceilings are reserved for every payment, in the transaction that accepts it',
    invariants: ['I10'],
    shownBy: 13,
    edits: [
      {
        file: 'services/spending/src/validate-withdrawal.ts',
        find: `payload: { ...body, amount }, payment, target_reference }`,
        replace: `payload: { ...body, amount }, payment: { ...payment, amount: '1' }, target_reference }`,
      },
    ],
  },
  {
    name: 'confirmation used over another connection',
    breaks: 'rule 18: what an owner confirmed ends with the grant and the connection under which it was confirmed',
    invariants: ['I10'],
    shownBy: 27,
    edits: [
      {
        file: 'services/operations/src/intents/validate-intent.ts',
        find: `intent.binding_id !== request.binding_id`,
        replace: `request.binding_id === ''`,
      },
    ],
  },
  {
    name: 'mandate paid again after a failed suspension',
    breaks: 'rule 14: a cancelled or failed suspension leaves the mandate suspended',
    invariants: ['I4'],
    shownBy: 31,
    edits: [
      {
        file: 'services/beneficiaries/src/mandates/machine.ts',
        find: `{ from: 'suspending', event: 'suspend_failed', to: 'suspended' },`,
        replace: `{ from: 'suspending', event: 'suspend_failed', to: 'active' },`,
      },
    ],
  },
  {
    name: 'mark not awaited',
    breaks: 'rule 20: a call to the provider begins only after the witness took the mark of its batch',
    invariants: ['I1'],
    shownBy: 33,
    edits: [
      {
        file: 'services/submitter/src/claims.ts',
        find: `return witnessed ? 'won' : 'unwitnessed'`,
        replace: `return witnessed ? 'won' : 'won'`,
      },
      {
        file: 'services/submitter/src/claims.ts',
        find: `config.LEASE_MS - config.PROVIDER_TIMEOUT_MS,`,
        replace: `0,`,
      },
    ],
  },
  {
    name: 'mark not keyed by epoch',
    breaks: 'rule 20: a mark is counted under one epoch',
    invariants: ['I1'],
    shownBy: 799,
    edits: [
      {
        file: 'test/simulation/statements/witness.ts',
        find: `row.epoch === tx.store.epoch && (row.number`,
        replace: `(row.number`,
      },
    ],
  },
  {
    name: 'epoch without its start',
    breaks: 'rule 20: the epoch has the start time of the postmaster',
    invariants: ['I1'],
    shownBy: 123,
    edits: [
      {
        file: 'test/simulation/world/going-back.ts',
        find: '`1/${state.timeline}/${state.starts}`',
        replace: '`1/${state.timeline}/0`',
      },
    ],
  },
  {
    name: 'marks not compared',
    breaks: 'rule 20: every mark of the witness is found in the database before anything is claimed',
    invariants: ['I1'],
    shownBy: 396,
    edits: [
      {
        file: 'libs/platform/witness/src/join.ts',
        find: `(tx) => compare(tx, sealed))`,
        replace: `(tx) => compare(tx, sealed.slice(0, 0)))`,
      },
    ],
  },
  {
    name: 'mark 1 not awaited',
    breaks: 'rule 20: what was compared is forgotten only after a mark of its successor',
    invariants: ['I1'],
    shownBy: 170,
    edits: [
      {
        file: 'libs/platform/witness/src/join.ts',
        find: `await Promise.all(ids.map((id, index) => mark(id, 1, first[index] as number)))`,
        replace: `await Promise.resolve(first)`,
      },
    ],
  },
  {
    name: 'witness made without a verified epoch',
    breaks: 'rule 20: a lost witness is made anew only from a database whose verified epoch is its own',
    invariants: ['I1'],
    shownBy: 123,
    edits: [
      {
        file: 'libs/platform/witness/src/make.ts',
        find: `if (!isFresh && known.verified_epoch !== known.epoch) return 'refused'`,
        replace: `if (isFresh && known.verified_epoch !== null) return 'refused'`,
      },
    ],
  },
  {
    name: 'fence not counted',
    breaks: 'rule 20: the loss of a reported end is found, although nothing else is lost',
    invariants: ['I4'],

    edits: [
      {
        file: 'services/submitter/src/calls/fence.ts',
        find: `recordFence(db, request, now, mark()), withinMs)
    return witnessed`,
        replace: `recordFence(db, request, now, mark() && undefined), withinMs)
    return witnessed || true`,
      },
    ],
  },
  {
    name: 'ends not set again',
    breaks: 'rule 20: recover sets the ends again that the log knows',
    invariants: ['I4'],
    shownBy: 84,
    edits: [
      {
        file: 'services/submitter/src/calls/set-ends.ts',
        find: `if (reason !== null && (await`,
        replace: `if (reason === null && (await`,
      },
    ],
  },
  {
    name: 'recovery without its point',
    breaks: 'rule 20: what is lost is never sent after recover',
    invariants: ['I1'],
    shownBy: 123,
    edits: [
      {
        file: 'services/submitter/src/claims.ts',
        find: `if (recoveryPoint === undefined) return items`,
        replace: `if (recoveryPoint === undefined || items.length > 0) return items`,
      },
    ],
  },
]
