/**
 * One text for all states that differ only in names: of replicas, operations and writers, and in the distances between
 * sequences of the stream. Facts that no process can meet again are forgotten.
 */

import {
  type Database,
  type Repair,
  type Replica,
  repairPhases,
  replicaPhases,
  type State,
  type Stream,
} from './state.ts'

/** The databases and the copy. */
export const databasesOf = ({ databases, copy }: State): Database[] => (copy ? [...databases, copy] : databases)
const streamsOf = ({ stream, streamCopy }: State): Stream[] => (streamCopy ? [stream, streamCopy] : [stream])

/** Brings the state into its canonical form, and returns its text. */
export function canonical(state: State): string {
  if (state.left.moves === 0) state.copy = undefined
  if (state.left.streamRestores === 0) state.streamCopy = undefined
  sortReplicas(state)
  sortOperations(state)
  renameWriters(state)
  rankSequences(state)
  return textOf(state)
}

const weight = (replica: Replica) =>
  ((replicaPhases.indexOf(replica.phase) * 64 + replica.epoch) * 16 + replica.number) * 4 +
  replica.operation +
  (replica.compared ? 0.5 : 0)

/** Replicas of equal weight keep their order: the same state may then have two texts, which costs only time. */
function sortReplicas({ replicas }: State) {
  replicas.sort((one, other) => weight(one) - weight(other))
}

/** The facts about one of the two operations, as a number. */
function columnOf(state: State, bit: number): number {
  let column = (state.generated & bit ? 4 : 0) + (state.sent[bit - 1] ?? 0)
  const add = (bits: number) => {
    column = column * 2 + (bits & bit ? 1 : 0)
  }
  for (const { claimed, denied, late } of databasesOf(state)) {
    add(claimed)
    add(denied)
    add(late?.operation ?? 0)
  }
  for (const { operation, held, denied } of state.replicas) {
    add(operation)
    add(held)
    add(denied)
  }
  return column
}

const swapped = (bits: number) => ((bits & 1) << 1) | (bits >> 1)

function sortOperations(state: State) {
  if (columnOf(state, 1) >= columnOf(state, 2)) return
  for (const database of databasesOf(state)) {
    database.claimed = swapped(database.claimed)
    database.denied = swapped(database.denied)
    if (database.late) database.late.operation = swapped(database.late.operation)
  }
  for (const replica of state.replicas) {
    replica.operation = swapped(replica.operation)
    replica.held = swapped(replica.held)
    replica.denied = swapped(replica.denied)
  }
  state.generated = swapped(state.generated)
  state.sent.reverse()
  state.names.reverse()
}

/** Renames the writers by the first list that names them. Nobody asks for the marks of a writer in no list. */
function renameWriters(state: State) {
  const nameOf: number[] = []
  let count = 0
  const meet = (writer: number) => {
    if (writer >= 0) nameOf[writer] ??= count++
  }
  for (const { registered } of streamsOf(state)) {
    registered?.before.forEach(meet)
    registered?.writers.forEach(meet)
  }
  for (const { toSeal, found, writer } of state.replicas) {
    toSeal.forEach(meet)
    for (const mark of found) meet(mark.writer)
    meet(writer)
  }
  const rename = (writer: number) => nameOf[writer] ?? -1
  const renameAll = (writers: number[]) => writers.map(rename).toSorted((one, other) => one - other)
  const move = <Item>(items: (Item | undefined)[]) => {
    const moved = Array.from<Item | undefined>({ length: count })
    items.forEach((item, writer) => {
      const name = nameOf[writer]
      if (name !== undefined) moved[name] = item
    })
    return moved
  }
  for (const stream of streamsOf(state)) {
    stream.marks = move(stream.marks)
    if (!stream.registered) continue
    stream.registered.writers = renameAll(stream.registered.writers)
    stream.registered.before = renameAll(stream.registered.before)
  }
  for (const database of databasesOf(state)) {
    database.marks = move(database.marks)
    if (database.late) database.late.writer = rename(database.late.writer)
    if (database.late?.writer === -1) database.late = undefined
  }
  for (const replica of state.replicas) {
    replica.toSeal = renameAll(replica.toSeal)
    for (const mark of replica.found) mark.writer = rename(mark.writer)
    replica.writer = rename(replica.writer)
  }
}

/** Calls `visit` for everything that holds a sequence. */
function visitSequences(state: State, visit: (holder: { sequence: number }) => void) {
  for (const { marks, late } of databasesOf(state)) {
    for (const row of marks) if (row) visit(row)
    if (late) visit(late)
  }
  for (const { registered, marks } of streamsOf(state)) {
    if (registered) visit(registered)
    for (const mark of marks) if (mark) visit(mark)
  }
  for (const replica of state.replicas) {
    visit(replica)
    replica.found.forEach(visit)
  }
  if (state.job) visit(state.job)
  if (state.recover) visit(state.recover)
}

/** Every sequence that somebody remembers, without 0. */
function sequencesOf(state: State): number[] {
  const known = new Set<number>()
  visitSequences(state, ({ sequence }) => known.add(sequence))
  for (const { epochSequence } of databasesOf(state)) known.add(epochSequence)
  for (const { epochSequence } of state.replicas) known.add(epochSequence)
  for (const { last, marks } of streamsOf(state)) {
    known.add(last)
    for (const mark of marks) if (mark) known.add(mark.sealed)
  }
  known.delete(0)
  return [...known]
}

/** Only the order of sequences matters. The odd ones are free for messages between two known ones. */
function rankSequences(state: State) {
  const sorted = Uint16Array.from(sequencesOf(state)).toSorted()
  const rankOf: number[] = [0]
  sorted.forEach((sequence, index) => {
    rankOf[sequence] = 2 * (index + 1)
  })
  const rank = (sequence: number) => rankOf[sequence] ?? 0
  visitSequences(state, (holder) => {
    holder.sequence = rank(holder.sequence)
  })
  for (const database of databasesOf(state)) database.epochSequence = rank(database.epochSequence)
  for (const replica of state.replicas) replica.epochSequence = rank(replica.epochSequence)
  for (const stream of streamsOf(state)) {
    stream.last = rank(stream.last)
    for (const mark of stream.marks) if (mark) mark.sealed = rank(mark.sealed)
  }
}

/**
 * Sequences that the next message may get. A stream that was lost or restored counts again from an earlier one, so a new
 * message may get a sequence that somebody remembers; `anyOf` then lists these too, and those between them.
 */
export function nextSequences(state: State, anyOf: boolean, after = state.stream.last): number[] {
  if (!anyOf) return [after + 1]
  const above = sequencesOf(state).filter((sequence) => sequence > after)
  return [...new Set([after + 1, ...above.flatMap((sequence) => [sequence, sequence + 1])])]
}

function textOf(state: State): string {
  const codes: number[] = []
  const put = (...numbers: number[]) => codes.push(...numbers)
  const putDatabase = (database: Database | undefined) => {
    if (!database) return put(0)
    const { epoch, claimed, denied, verifiedEpoch, made, epochSequence, marks, late } = database
    put(1, epoch, claimed, denied, verifiedEpoch, made, epochSequence)
    for (const row of marks)
      if (row) put(1, row.epoch, row.number, row.sequence)
      else put(0)
    if (late) put(1, late.writer, late.number, late.operation, late.sequence)
    else put(0)
  }
  const putStream = (stream: Stream | undefined) => {
    if (!stream) return put(0)
    const { last, registered, marks } = stream
    put(1, last)
    if (registered) {
      const { made, epoch, sequence, writers, before } = registered
      put(1, made, epoch, sequence, writers.length, ...writers, before.length, ...before)
    } else put(0)
    for (const mark of marks)
      if (mark) put(1, mark.number, mark.sealed, mark.sequence)
      else put(0)
  }
  const putRepair = (repair: Repair | undefined) => {
    if (!repair) return put(0)
    const { phase, database, epoch, made, sequence } = repair
    put(1, repairPhases.indexOf(phase), database, epoch, made, sequence)
  }
  put(state.databases.length, state.newest, state.generated, ...state.sent, state.starts, state.ids)
  put(state.stream.marks.length, ...Object.values(state.left))
  for (const database of state.databases) putDatabase(database)
  putDatabase(state.copy)
  putStream(state.stream)
  putStream(state.streamCopy)
  for (const replica of state.replicas) {
    put(replicaPhases.indexOf(replica.phase), replica.compared ? 1 : 0, replica.held, replica.heldEpoch)
    if (replica.phase === 'idle') continue
    put(replica.database, replica.epoch, replica.made, replica.verifiedEpoch, replica.epochSequence, replica.writer + 1)
    put(replica.number, replica.sequence, replica.denied, replica.operation, replica.early ? 1 : 0)
    put(replica.toSeal.length, ...replica.toSeal, replica.found.length)
    for (const { writer, number, sequence } of replica.found) put(writer, number, sequence)
  }
  putRepair(state.job)
  putRepair(state.recover)
  return String.fromCharCode(...codes)
}
