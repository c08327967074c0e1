/** For each rule of safety the faults with which, and the steps after which, its absence sends an operation twice. */

import type { safetyRules } from './model.ts'
import type { Budgets } from './state.ts'

type Removal = Partial<Budgets> & { after?: readonly string[] }

const opened = (replica: string, database: number) => [
  `${replica} registers for D${database}`,
  `${replica} compares, and records the epoch`,
  `${replica} publishes mark 1`,
  `${replica} opens`,
]
const promoted = ['world database 0 is copied', 'world the copy is promoted to database 1']
const split = [...opened('r1', 0), ...promoted]

/** The operator has set the recovery point, and not yet made the witness. Later operations are not denied. */
const halfRecovered = [
  ...split,
  'recover begins at D1',
  'recover ends all marks',
  'recover sets the recovery point, and records another witness',
  'world B is generated',
]

/** The operator has recovered the old primary, after the new one has sent A. */
const recoveredOld = [
  ...opened('r1', 0),
  ...promoted,
  'r2 registers for D1',
  'r2 seals a mark',
  'r2 compares, and records the epoch',
  'r2 publishes mark 1',
  'r2 ends the comparison and opens',
  'r2 claims A at D1',
  'r2 publishes mark 2 and SENDS A',
  'recover begins at D0',
]

const olderStream = { streamCopies: 1, streamRestores: 1 }

/** W loses the last two marks of r1. The copy of D has the first of the two claims. */
const lostMarks = [
  'r1 registers for D0',
  'world W is copied',
  ...opened('r1', 0).slice(1),
  'r1 claims A at D0',
  'world database 0 is copied',
  'r1 publishes mark 2 and SENDS A',
  'r1 claims B at D0',
  'r1 publishes mark 3 and SENDS B',
  'world W is restored from its copy',
]

/** W loses the registration of r1. The copy of D knows of it. */
const lostRegistration = [
  'world W is copied',
  ...opened('r1', 0).slice(0, 2),
  'world database 0 is copied',
  ...opened('r1', 0).slice(2),
  'r1 claims A at D0',
  'r1 publishes mark 2 and SENDS A',
  'world W is restored from its copy',
]

/** W loses the registration of r2, and r1 is still open. */
const lostOther = [
  ...opened('r1', 0),
  'world W is copied',
  ...opened('r2', 0).slice(0, 2),
  'world W is restored from its copy',
]

export const removals: Record<(typeof safetyRules)[number], Removal> = {
  'the call waits for its mark': {},
  'the mark is counted in the transaction of the claim': {},
  'the mark is counted under the epoch of the database': {},
  'the epoch has a start time': {},
  'the marks of earlier epochs are sealed': {},
  'the marks of earlier epochs are compared': {},
  'the comparison follows the registration': {},
  'each epoch is compared': {},
  'the epoch is recorded as verified by the comparison': { joins: 3, losses: 1, makes: 1, after: split },
  'mark 1 precedes the end of a comparison': { joins: 3, restarts: 1, after: promoted },
  'another session witnesses only its own epoch': { joins: 3 },
  'another session obeys its recovery point': { joins: 3, recovers: 1, after: recoveredOld },
  'only the job makes a witness': { joins: 3, losses: 1, after: split },
  'the job needs a verified epoch': { losses: 1, makes: 1, after: split },
  'making a witness ends all marks': { ...olderStream, joins: 3, makes: 1, after: lostOther },
  'a database of another witness stays closed': { losses: 1, makes: 1 },
  'a registration older than that of the database is another witness': { ...olderStream, after: lostRegistration },
  'a mark older than that of the database is another witness': { ...olderStream, joins: 3, after: lostMarks },
  'a seal names the mark that it replaced': { ...olderStream, joins: 3, after: lostMarks },
  'recover sets the recovery point before it opens': { recovers: 1, after: split },
  'recover ends all marks': { recovers: 1, after: split },
  'recover ends the marks before it sets the recovery point': { recovers: 1, after: split },
  'recover makes another witness': { recovers: 1, after: split },
  'recover verifies the epoch at its end': { joins: 3, recovers: 1, makes: 1, after: halfRecovered },
  'a missing mark is not mark 0': { recovers: 2, after: [...promoted, ...opened('r1', 0)] },
}
