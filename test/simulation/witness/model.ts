/**
 * The rules of the witness (rule 20 of the write protocol), as steps of a model that `explore.ts` takes in every order.
 *
 * D is a database of the submitter, W the stream of the witness. D goes back when a copy of it is promoted, while the old
 * primary lives on, or restored in place. W is lost, or restored from a copy. Invariant: no operation is sent twice.
 *
 * Each rule can be removed. The model of the tests shows for each what happens without it.
 */

import { databasesOf, nextSequences } from './canonical.ts'
import {
  copyOf,
  copyOfDatabase,
  copyOfStream,
  type Database,
  epochOf,
  idleAgain,
  type Mark,
  type Replica,
  type State,
  timelineOf,
} from './state.ts'

/** Without one of these an operation is sent twice. */
export const safetyRules = [
  'the call waits for its mark',
  'the mark is counted in the transaction of the claim',
  'the mark is counted under the epoch of the database',
  'the epoch has a start time',
  'the marks of earlier epochs are sealed',
  'the marks of earlier epochs are compared',
  'the comparison follows the registration',
  'each epoch is compared',
  'the epoch is recorded as verified by the comparison',
  'mark 1 precedes the end of a comparison',
  'another session witnesses only its own epoch',
  'another session obeys its recovery point',
  'only the job makes a witness',
  'the job needs a verified epoch',
  'making a witness ends all marks',
  'a database of another witness stays closed',
  'a registration older than that of the database is another witness',
  'a mark older than that of the database is another witness',
  'a seal names the mark that it replaced',
  'recover sets the recovery point before it opens',
  'recover ends all marks',
  'recover ends the marks before it sets the recovery point',
  'recover makes another witness',
  'recover verifies the epoch at its end',
  'a missing mark is not mark 0',
] as const

/** Without one of these the service stays closed, or opens on the database that is not the newest. */
export const livenessRules = ['an earlier epoch is superseded', 'the number of a mark only grows'] as const

export type Rule = (typeof safetyRules)[number] | (typeof livenessRules)[number]

export type Options = {
  removed: Rule | undefined
  /** Reads of D and of W are two steps. */
  fine: boolean
  /** A stream that counts again may give a message any sequence that somebody remembers. */
  anySequence: boolean
}

export type Step = { by: string; what: string; apply: () => State }

const both = [1, 2]
const lostMark: Mark = { number: 0, sealed: 1, sequence: 0 }

/** All steps that some process, or the world, can take next. */
export function* steps(state: State, options: Options): Generator<Step> {
  yield* stepsOfWorld(state, options)
  for (const [index, replica] of state.replicas.entries()) yield* stepsOfReplica(state, options, index, replica)
  yield* stepsOfJob(state, options)
  yield* stepsOfRecover(state, options)
}

const step = (state: State, by: string, what: string, change: (next: State) => void): Step => ({
  by,
  what,
  apply: () => {
    const next = copyOf(state)
    change(next)
    return next
  },
})

const databaseOf = (state: State, index: number): Database => {
  const database = state.databases[index]
  if (!database) throw new Error(`no database ${index}`)
  return database
}

const replicaOf = (state: State, index: number): Replica => {
  const replica = state.replicas[index]
  if (!replica) throw new Error(`no replica ${index}`)
  return replica
}

/** Stores a mark with a sequence that the stream may give it. */
function* storeMark(
  state: State,
  options: Options,
  [by, what]: readonly [string, string],
  { writer, number, sealed }: { writer: number; number: number; sealed: number },
  then: (next: State, sequence: number) => void,
) {
  for (const sequence of nextSequences(state, options.anySequence))
    yield step(state, by, what, (next) => {
      next.stream.last = sequence
      next.stream.marks[writer] = { number, sealed, sequence }
      then(next, sequence)
    })
}

/**
 * The last message of W of which the database knows. Two cases in which W goes back cannot be noticed, and the model leaves
 * them out: D and W both go back, and D knows no message that W lacks; and W forgets that the marks of a primary that still
 * lives were sealed. So W goes back only before D does, and only to a moment that the database and the copy have outlived.
 */
const knownTo = ({ epochSequence, marks }: Database) =>
  Math.max(epochSequence, ...marks.map((row) => row?.sequence ?? 0))

function* stepsOfWorld(state: State, { removed }: Options): Generator<Step> {
  const { left } = state
  const world = (what: string, change: (next: State) => void) => step(state, 'world', what, change)
  const startAnew = (next: State, database: Database, timeline: number) => {
    next.starts += 1
    database.epoch = epochOf(timeline, removed === 'the epoch has a start time' ? 0 : next.starts)
    database.late = undefined
  }
  for (const [index, database] of state.databases.entries()) {
    if (left.copies > 0 && left.moves > 0)
      yield world(`database ${index} is copied`, (next) => {
        next.left.copies -= 1
        next.copy = { ...copyOfDatabase(database), late: undefined }
      })
    if (left.restarts > 0)
      yield world(`database ${index} restarts`, (next) => {
        next.left.restarts -= 1
        startAnew(next, databaseOf(next, index), timelineOf(database.epoch))
      })
    if (left.moves > 0 && state.copy)
      yield world(`database ${index} is restored from the copy`, (next) => {
        next.left.moves -= 1
        const database = Object.assign(databaseOf(next, index), next.copy && copyOfDatabase(next.copy))
        startAnew(next, database, timelineOf(database.epoch))
        next.newest = index
      })
  }
  if (left.moves > 0 && state.copy && state.databases.length === 1)
    yield world('the copy is promoted to database 1', (next) => {
      next.left.moves -= 1
      if (next.copy) next.newest = next.databases.push(copyOfDatabase(next.copy)) - 1
      startAnew(next, databaseOf(next, next.newest), 2)
    })
  if (left.losses > 0)
    yield world('W is lost', (next) => {
      next.left.losses -= 1
      next.stream = { last: 0, registered: undefined, marks: [] }
    })
  if (left.streamCopies > 0 && left.streamRestores > 0)
    yield world('W is copied', (next) => {
      next.left.streamCopies -= 1
      next.streamCopy = copyOfStream(next.stream)
    })
  const { streamCopy } = state
  const isOutlived = (last: number) => databasesOf(state).every((database) => knownTo(database) > last)
  if (left.streamRestores > 0 && state.starts === 0 && streamCopy && isOutlived(streamCopy.last))
    yield world('W is restored from its copy', (next) => {
      next.left.streamRestores -= 1
      next.stream = copyOfStream(streamCopy)
    })
  if (state.generated !== 3)
    yield world(`${state.names[1]} is generated`, (next) => {
      next.generated = 3
    })
  for (const [index, { late, marks, epoch, claimed }] of state.databases.entries()) {
    if (!late) continue
    const row = marks[late.writer]
    const grows = removed === 'the number of a mark only grows' || (row && row.number < late.number)
    if (row?.epoch === epoch && grows && !(claimed & late.operation))
      yield world(`database ${index} commits the late claim`, (next) => {
        const database = databaseOf(next, index)
        database.claimed |= late.operation
        database.marks[late.writer] = { epoch, number: late.number, sequence: late.sequence }
        database.late = undefined
      })
  }
}

function* stepsOfReplica(state: State, options: Options, index: number, replica: Replica): Generator<Step> {
  const { removed } = options
  const { phase, writer, epoch, sequence } = replica
  const does = (what: string, change: (next: State, own: Replica) => void) =>
    step(state, replica.name, what, (next) => change(next, replicaOf(next, index)))
  const giveUp = (next: State) => {
    next.replicas[index] = idleAgain(replica)
  }
  // A replica that has failed or was killed. Without joins left it could do no more.
  if (phase !== 'idle' && state.left.joins > 0) yield does('gives up', giveUp)
  // It keeps a claim whose mark was refused. Only then does this differ from giving up.
  if (phase === 'claimed' && state.left.joins > 0 && state.stream.marks[writer]?.sequence !== sequence)
    yield does(`joins again with its claim of ${state.names[replica.operation - 1]}`, (next) => {
      next.replicas[index] = { ...idleAgain(replica), held: replica.operation, heldEpoch: epoch }
    })

  switch (phase) {
    case 'idle': {
      if (state.left.joins === 0) return
      for (const [at, database] of state.databases.entries()) {
        const { made, verifiedEpoch, epochSequence } = database
        const read = { database: at, epoch: database.epoch, made, verifiedEpoch, epochSequence }
        const begin = (next: State, own: Replica) => {
          next.left.joins -= 1
          Object.assign(own, read)
          if (removed === 'the epoch is recorded as verified by the comparison')
            databaseOf(next, at).verifiedEpoch = database.epoch
        }
        if (options.fine)
          yield does(`reads D${at}`, (next, own) => {
            begin(next, own)
            own.phase = 'read'
          })
        else yield* register(state, options, index, { ...replica, ...read }, begin)
      }
      return
    }
    case 'read':
      return yield* register(state, options, index, replica, () => undefined)
    case 'registered': {
      const [next, ...others] = replica.toSeal
      if (next === undefined) return yield* compare(state, options, index, replica)
      const known = state.stream.marks[next]
      const mark = known ?? (removed === 'a missing mark is not mark 0' ? lostMark : undefined)
      if (!mark) return
      const named = known && removed !== 'a seal names the mark that it replaced' && mark.sealed > 0
      const sealed = named ? mark.sealed : mark.sequence
      const found = { writer: next, number: mark.number, sequence: sealed }
      const remember = (own: Replica) => {
        own.found.push(found)
        own.toSeal = others
      }
      if (mark.sealed > 0 || removed === 'the marks of earlier epochs are sealed')
        return yield does('reads a mark', (_next, own) => remember(own))
      return yield* storeMark(
        state,
        options,
        [replica.name, 'seals a mark'],
        { writer: next, number: mark.number, sealed },
        (after) => remember(replicaOf(after, index)),
      )
    }
    case 'recorded':
      if (state.stream.marks[writer]?.sequence !== sequence) return
      return yield* storeMark(
        state,
        options,
        [replica.name, 'publishes mark 1'],
        { writer, number: 1, sealed: 0 },
        (next, stored) => Object.assign(replicaOf(next, index), { phase: 'marked', sequence: stored }),
      )
    case 'marked': {
      const { registered } = state.stream
      if (registered?.epoch !== epoch) return
      const compared = new Set(replica.found.map((mark) => mark.writer))
      const open = (next: State, own: Replica) => {
        const isOfEpoch = own.heldEpoch === epoch || removed === 'another session witnesses only its own epoch'
        const isDenied = own.denied & own.held && removed !== 'another session obeys its recovery point'
        const isSent = own.held > 0 && isOfEpoch && !isDenied
        if (isSent) next.sent[own.held - 1] = (next.sent[own.held - 1] ?? 0) + 1
        Object.assign(own, { phase: 'open', found: [], held: 0, heldEpoch: 0 })
      }
      if (!registered.before.some((earlier) => compared.has(earlier))) return yield does('opens', open)
      for (const stored of nextSequences(state, options.anySequence))
        yield does('ends the comparison and opens', (next, own) => {
          const before = registered.before.filter((earlier) => !compared.has(earlier))
          next.stream.last = stored
          next.stream.registered = { ...registered, before, sequence: stored }
          open(next, own)
        })
      return
    }
    case 'open':
    case 'numbered':
      return yield* claim(state, options, index, replica)
    case 'claimed': {
      const operation = state.names[replica.operation - 1]
      const send = (next: State) => {
        next.sent[replica.operation - 1] = (next.sent[replica.operation - 1] ?? 0) + 1
      }
      const { early } = replica
      if (removed === 'the call waits for its mark' && !early)
        yield does(`SENDS ${operation}`, (next, own) => {
          send(next)
          own.early = true
        })
      if (state.stream.marks[writer]?.sequence !== sequence) return
      yield* storeMark(
        state,
        options,
        [replica.name, `publishes mark ${replica.number}${early ? '' : ` and SENDS ${operation}`}`],
        { writer, number: replica.number, sealed: 0 },
        (next, stored) => {
          if (!early) send(next)
          Object.assign(replicaOf(next, index), { phase: 'open', operation: 0, early: false, sequence: stored })
        },
      )
    }
  }
}

/** Tells for what reason a replica that read D does not register with W, if there is one. */
export function closedBecause(state: State, replica: Replica, removed: Rule | undefined): string | undefined {
  const { registered } = state.stream
  const { made, epoch, verifiedEpoch, epochSequence } = replica
  if (!registered) return 'no_witness'
  if (registered.made !== made && removed !== 'a database of another witness stays closed') return 'other_witness'
  if (
    registered.sequence < epochSequence &&
    removed !== 'a registration older than that of the database is another witness'
  )
    return 'other_witness'
  if (registered.epoch > epoch && verifiedEpoch !== registered.epoch && removed !== 'an earlier epoch is superseded')
    return 'superseded'
  return undefined
}

/** Publishes mark 0 of a new writer, and registers the writer with the epoch. */
function* register(
  state: State,
  options: Options,
  index: number,
  replica: Replica,
  begin: (next: State, own: Replica) => void,
): Generator<Step> {
  const { removed } = options
  const { registered, marks } = state.stream
  if (!registered && removed === 'only the job makes a witness')
    yield step(state, replica.name, 'makes a witness', (next) => {
      const database = databaseOf(next, replica.database)
      const sequence = next.stream.last + 1
      next.ids += 1
      Object.assign(database, { made: next.ids, epochSequence: 0 })
      next.stream.last = sequence
      next.stream.registered = { made: next.ids, epoch: database.epoch, writers: [], before: [], sequence }
      next.replicas[index] = idleAgain(replica)
    })
  if (!registered || closedBecause(state, replica, removed)) return
  const same = registered.epoch === replica.epoch
  const earlier = same ? registered.before : [...new Set([...registered.before, ...registered.writers])]
  if (removed === 'the comparison follows the registration') {
    const { epoch, marks: rows } = databaseOf(state, replica.database)
    const isLost = earlier.some((other) => (marks[other]?.number ?? 0) > (rows[other]?.number ?? 0))
    if (epoch !== replica.epoch || isLost) return
  }
  const writer = marks.length
  for (const first of nextSequences(state, options.anySequence))
    for (const sequence of nextSequences(state, options.anySequence, first))
      yield step(state, replica.name, `registers for D${replica.database}`, (next) => {
        const own = replicaOf(next, index)
        begin(next, own)
        next.stream.marks[writer] = { number: 0, sealed: 0, sequence: first }
        next.stream.last = sequence
        next.stream.registered = {
          made: registered.made,
          epoch: replica.epoch,
          writers: same ? [...registered.writers, writer] : [writer],
          before: [...earlier],
          sequence,
        }
        Object.assign(own, { phase: 'registered', writer, sequence: first, toSeal: [...earlier], found: [] })
        Object.assign(own, { epochSequence: sequence, made: 0, verifiedEpoch: 0 })
      })
}

/** One transaction: compares the sealed marks with the rows, and records the epoch and mark 1 of the new writer. */
function* compare(state: State, { removed }: Options, index: number, replica: Replica): Generator<Step> {
  const { epoch, marks, epochSequence } = databaseOf(state, replica.database)
  if (epoch !== replica.epoch) return
  const unchecked =
    removed === 'the marks of earlier epochs are compared' ||
    removed === 'the comparison follows the registration' ||
    (removed === 'each epoch is compared' && replica.compared)
  const isLost = replica.found.some(({ writer, number }) => number > (marks[writer]?.number ?? 0))
  const isOlder =
    removed !== 'a mark older than that of the database is another witness' &&
    replica.found.some(({ writer, sequence }) => sequence < (marks[writer]?.sequence ?? 0))
  if (!unchecked && (isLost || isOlder)) return
  yield step(state, replica.name, 'compares, and records the epoch', (next) => {
    const database = databaseOf(next, replica.database)
    const own = replicaOf(next, index)
    database.marks[replica.writer] = { epoch, number: 1, sequence: replica.sequence }
    database.verifiedEpoch = epoch
    database.epochSequence = Math.max(epochSequence, replica.epochSequence)
    own.phase = removed === 'mark 1 precedes the end of a comparison' ? 'marked' : 'recorded'
    Object.assign(own, { number: 1, denied: database.denied, epochSequence: 0 })
    own.compared = removed === 'each epoch is compared'
  })
}

/** One transaction: counts the mark and claims an operation. It may reach either primary. */
function* claim(state: State, { removed }: Options, index: number, replica: Replica): Generator<Step> {
  const { writer, phase } = replica
  const number = phase === 'numbered' ? replica.number : replica.number + 1
  for (const [at, database] of state.databases.entries()) {
    const row = database.marks[writer]
    const isOwn = row?.epoch === database.epoch || removed === 'the mark is counted under the epoch of the database'
    if (!row || !isOwn) continue
    const count = (next: State) => {
      databaseOf(next, at).marks[writer] = { epoch: row.epoch, number, sequence: replica.sequence }
    }
    if (state.left.emptyClaims > 0)
      yield step(state, replica.name, `commits batch ${number} at D${at}, without a claim`, (next) => {
        count(next)
        next.left.emptyClaims -= 1
        replicaOf(next, index).number = number
      })
    if (removed === 'the mark is counted in the transaction of the claim' && phase === 'open') {
      yield step(state, replica.name, `counts mark ${number} at D${at}`, (next) => {
        count(next)
        Object.assign(replicaOf(next, index), { number, phase: 'numbered' })
      })
      continue
    }
    for (const operation of both) {
      if (!(state.generated & operation) || (database.claimed | replica.denied) & operation) continue
      const what = `${state.names[operation - 1]} at D${at}`
      yield step(state, replica.name, `claims ${what}`, (next) => {
        count(next)
        databaseOf(next, at).claimed |= operation
        Object.assign(replicaOf(next, index), { phase: 'claimed', number, operation })
      })
      if (state.left.lateClaims > 0 && !database.late)
        yield step(state, replica.name, `no longer waits for its claim of ${what}`, (next) => {
          next.left.lateClaims -= 1
          databaseOf(next, at).late = { writer, number, operation, sequence: replica.sequence }
          replicaOf(next, index).number = number
        })
    }
  }
}

/** Ends all marks: a writer whose message is purged is refused by its compare-and-set, and has to join again. */
const purge = (next: State) => {
  next.stream.marks = next.stream.marks.map(() => undefined)
}

/** The provisioning job: makes the witness anew if W is not that of the newest database, whose epoch is verified. */
function* stepsOfJob(state: State, options: Options): Generator<Step> {
  const { removed } = options
  const { job, newest, stream } = state
  const database = databaseOf(state, newest)
  const does = (what: string, change: (next: State) => void) => step(state, 'job', what, change)
  const mayMake = database.verifiedEpoch === database.epoch || removed === 'the job needs a verified epoch'
  if (!job) {
    const isOther = stream.registered?.made !== database.made || stream.registered.sequence < database.epochSequence
    if (state.left.makes > 0 && isOther && mayMake)
      yield does(`begins at D${newest}`, (next) => {
        const sequence = stream.registered?.sequence ?? 0
        next.left.makes -= 1
        next.job = { phase: 'begun', database: newest, epoch: database.epoch, made: 0, sequence }
      })
    return
  }
  if (state.left.makes > 0)
    yield does('gives up', (next) => {
      next.job = undefined
    })
  const own = databaseOf(state, job.database)
  if (job.phase === 'begun')
    yield does('ends all marks', (next) => {
      if (removed !== 'making a witness ends all marks') purge(next)
      next.job = { ...job, phase: 'ended' }
    })
  if (job.phase === 'ended' && own.epoch === job.epoch)
    yield does('records another witness', (next) => {
      next.ids += 1
      Object.assign(databaseOf(next, job.database), { made: next.ids, epochSequence: 0 })
      next.job = { ...job, phase: 'recorded', made: next.ids }
    })
  if (job.phase === 'recorded' && (stream.registered?.sequence ?? 0) === job.sequence)
    for (const sequence of nextSequences(state, options.anySequence))
      yield does('makes the witness', (next) => {
        next.stream.last = sequence
        next.stream.registered = { made: job.made, epoch: job.epoch, writers: [], before: [], sequence }
        next.job = undefined
      })
}

/** The operator, who decides that a database is the truth, and that what it may have lost is never sent. */
function* stepsOfRecover(state: State, options: Options): Generator<Step> {
  const { removed } = options
  const { recover, stream } = state
  const does = (what: string, change: (next: State) => void) => step(state, 'recover', what, change)
  if (!recover) {
    if (state.left.recovers === 0) return
    for (const [at, { epoch }] of state.databases.entries())
      yield does(`begins at D${at}`, (next) => {
        const sequence = stream.registered?.sequence ?? 0
        next.left.recovers -= 1
        next.recover = { phase: 'begun', database: at, epoch, made: 0, sequence }
      })
    return
  }
  if (state.left.recovers > 0)
    yield does('gives up', (next) => {
      next.recover = undefined
    })
  const own = databaseOf(state, recover.database)
  const end = (next: State) => {
    if (removed !== 'recover ends all marks') purge(next)
  }
  const setPoint = (next: State) => {
    databaseOf(next, recover.database).denied |= state.generated
  }
  const pointFirst = removed === 'recover ends the marks before it sets the recovery point'
  const pointLast = removed === 'recover sets the recovery point before it opens'
  if (recover.phase === 'begun')
    yield does(pointFirst ? 'sets the recovery point' : 'ends all marks', (next) => {
      if (pointFirst) setPoint(next)
      else end(next)
      next.recover = { ...recover, phase: 'ended' }
    })
  if (recover.phase === 'ended' && own.epoch === recover.epoch)
    yield does(
      pointLast ? 'records another witness' : 'sets the recovery point, and records another witness',
      (next) => {
        const database = databaseOf(next, recover.database)
        const isOther = stream.registered?.made !== database.made || stream.registered.sequence < database.epochSequence
        if (pointFirst) end(next)
        else if (!pointLast) setPoint(next)
        if (isOther || removed !== 'recover makes another witness') {
          next.ids += 1
          Object.assign(database, { made: next.ids, epochSequence: 0 })
        }
        database.verifiedEpoch = removed === 'recover verifies the epoch at its end' ? recover.epoch : 0
        next.recover = { ...recover, phase: 'recorded', made: database.made }
      },
    )
  if (recover.phase === 'recorded' && (stream.registered?.sequence ?? 0) === recover.sequence)
    for (const sequence of nextSequences(state, options.anySequence))
      yield does('makes the witness', (next) => {
        next.stream.last = sequence
        next.stream.registered = { made: recover.made, epoch: recover.epoch, writers: [], before: [], sequence }
        next.recover = { ...recover, phase: 'published' }
      })
  if (recover.phase === 'published' && own.epoch === recover.epoch)
    yield does('records the epoch as verified', (next) => {
      if (pointLast) setPoint(next)
      databaseOf(next, recover.database).verifiedEpoch = recover.epoch
      next.recover = undefined
    })
}
