/** The state of the model: databases, the stream of the witness, replicas of the submitter, the job and the operator. */

/**
 * The last mark of a writer in the stream, under the sequence that the stream gave to the message. A seal says which
 * message it replaced; 0 if the mark is not sealed.
 */
export type Mark = { number: number; sealed: number; sequence: number }

/** The row of a writer in the database. `sequence` is that of the last mark that the writer knew to be stored. */
type Row = { epoch: number; number: number; sequence: number }

/** A transaction that its replica no longer waits for, and that the server may still run. */
type LateClaim = { writer: number; number: number; operation: number; sequence: number }

/** Sets of operations are bits. Writers are indexes into `marks`. 0 stands for none. */
export type Database = {
  epoch: number
  claimed: number
  /** Operations that were generated before the recovery point. */
  denied: number
  verifiedEpoch: number
  made: number
  epochSequence: number
  marks: (Row | undefined)[]
  late: LateClaim | undefined
}

/** The message `epoch` of the stream. */
type Registered = { made: number; epoch: number; writers: number[]; before: number[]; sequence: number }

export type Stream = { last: number; registered: Registered | undefined; marks: (Mark | undefined)[] }

export const replicaPhases = [
  'idle',
  'read',
  'registered',
  'recorded',
  'marked',
  'open',
  'numbered',
  'claimed',
] as const

export type Replica = {
  name: string
  phase: (typeof replicaPhases)[number]
  database: number
  epoch: number
  made: number
  verifiedEpoch: number
  /** The sequence in the database as it was read; later that of the own registration. */
  epochSequence: number
  writer: number
  /** Writers before this epoch: those whose marks are still to be sealed, and the marks that were found. */
  toSeal: number[]
  found: { writer: number; number: number; sequence: number }[]
  number: number
  sequence: number
  denied: number
  operation: number
  /** A claim whose mark was refused, and its epoch. The next session under the same epoch witnesses it. */
  held: number
  heldEpoch: number
  /** Only with rules removed: the call was made before the mark, this process compared once. */
  early: boolean
  compared: boolean
}

export const repairPhases = ['begun', 'ended', 'recorded', 'published'] as const

/** A run of the provisioning job or of `recover`. */
export type Repair = {
  phase: (typeof repairPhases)[number]
  database: number
  epoch: number
  made: number
  sequence: number
}

/** Faults and processes that may still begin. They bound the exploration. */
export const budgets = {
  /** Copies of a database, each of which replaces the one before. */
  copies: 1,
  /** Promotions of the copy and restores from it. */
  moves: 1,
  restarts: 0,
  losses: 0,
  streamCopies: 0,
  streamRestores: 0,
  joins: 3,
  makes: 0,
  recovers: 0,
  lateClaims: 0,
  emptyClaims: 0,
}

export type Budgets = typeof budgets

export type State = {
  databases: Database[]
  /** The database that the provisioning job finds. */
  newest: number
  copy: Database | undefined
  stream: Stream
  streamCopy: Stream | undefined
  replicas: Replica[]
  job: Repair | undefined
  recover: Repair | undefined
  /** Operations that exist. */
  generated: number
  /** Calls to the provider for each operation. */
  sent: number[]
  names: string[]
  starts: number
  ids: number
  left: Budgets
}

/** The epoch is a timeline and a start. Both grow. */
const startsPerTimeline = 16
export const epochOf = (timeline: number, start: number): number => timeline * startsPerTimeline + start
export const timelineOf = (epoch: number): number => Math.floor(epoch / startsPerTimeline)

const idle = (name: string): Replica => ({
  name,
  phase: 'idle',
  database: 0,
  epoch: 0,
  made: 0,
  verifiedEpoch: 0,
  epochSequence: 0,
  writer: -1,
  toSeal: [],
  found: [],
  number: 0,
  sequence: 0,
  denied: 0,
  operation: 0,
  held: 0,
  heldEpoch: 0,
  early: false,
  compared: false,
})

/** The replica as a new attempt to join finds it. */
export const idleAgain = ({ name, compared }: Replica): Replica => ({ ...idle(name), compared })

/** A database with its witness, made by the job, and two replicas that have not joined. */
export function begin(left: Partial<Budgets>): State {
  const epoch = epochOf(1, 0)
  const made = 1
  return {
    databases: [
      { epoch, claimed: 0, denied: 0, verifiedEpoch: epoch, made, epochSequence: 0, marks: [], late: undefined },
    ],
    newest: 0,
    copy: undefined,
    stream: { last: 2, registered: { made, epoch, writers: [], before: [], sequence: 2 }, marks: [] },
    streamCopy: undefined,
    replicas: [idle('r1'), idle('r2')],
    job: undefined,
    recover: undefined,
    generated: left.recovers ? 1 : 3,
    sent: [0, 0],
    names: ['A', 'B'],
    starts: 0,
    ids: made,
    left: { ...budgets, ...left },
  }
}

export const copyOfDatabase = (database: Database): Database => ({
  ...database,
  marks: database.marks.map((row) => row && { ...row }),
  late: database.late && { ...database.late },
})

export const copyOfStream = ({ last, registered, marks }: Stream): Stream => ({
  last,
  registered: registered && { ...registered, writers: [...registered.writers], before: [...registered.before] },
  marks: marks.map((mark) => mark && { ...mark }),
})

export const copyOf = (state: State): State => ({
  ...state,
  databases: state.databases.map(copyOfDatabase),
  copy: state.copy && copyOfDatabase(state.copy),
  stream: copyOfStream(state.stream),
  streamCopy: state.streamCopy && copyOfStream(state.streamCopy),
  replicas: state.replicas.map((replica) => ({
    ...replica,
    toSeal: [...replica.toSeal],
    found: replica.found.map((mark) => ({ ...mark })),
  })),
  job: state.job && { ...state.job },
  recover: state.recover && { ...state.recover },
  sent: [...state.sent],
  names: [...state.names],
  left: { ...state.left },
})
