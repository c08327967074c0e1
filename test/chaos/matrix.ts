/**
 * The matrix: each kind of operation × each step at which a process can be killed, and each service at a random moment.
 *
 * Invariant: nothing is left out silently. For each step, the first matching row of `passages` names the way to reach
 * it and the kinds that pass through it. If some kinds do not, the row gives the reason. A step without a row is an
 * error.
 */

import { kindFacts, type OperationKind, operationKinds } from '@financial-agents/contract/kinds'
import { kindsThat } from '@financial-agents/testkit/kinds-oracle'
import { type ServiceName, serviceNames } from '@financial-agents/testkit/stack-services'
import type { Random } from './random.ts'
import { nameOf, type Step, steps } from './steps.ts'

/** The way to reach a step. Each is a function in `ways.ts`. */
export type Way =
  | 'writes'
  | 'abandonedAttempts'
  | 'droppedReplies'
  | 'frozenSubmitter'
  | 'ownersApproval'
  | 'reconnect'
  | 'returningClient'
  | 'reveals'
  | 'signIn'
  | 'undecidedDrafts'
  | 'unpreparedApprovals'
  | 'verifications'
  | 'withoutSubmitter'
  | 'randomTimestamps'

/** The kinds that a service writes itself; empty for a service that is no area. */
export const kindsOf = (service: ServiceName): readonly OperationKind[] =>
  operationKinds.filter((kind) => areaOf(kind) === service)

export const areaOf = (kind: OperationKind): ServiceName => kindFacts[kind].area

type Passage = { step: RegExp; way: Way } & (
  | { kinds: 'all' }
  /** The kinds of the service's own area. A service never handles another area's writes. */
  | { kinds: 'own' }
  | { kinds: readonly OperationKind[]; because: string }
)

const approved = {
  kinds: kindsThat(({ isApproved }) => isApproved),
  because: 'no other kind is approved at the provider',
} as const
const connections = {
  kinds: kindsThat(({ raises }) => raises === 'binding'),
  because: 'no other kind ends a connection',
} as const

export const passages: readonly Passage[] = [
  {
    step: /^beneficiaries mandate_fence\./,
    way: 'writes',
    kinds: kindsThat(({ raises }) => raises === 'mandate'),
    because: 'no other kind stops a mandate',
  },
  { step: /^cards reveal(_opened)?\./, way: 'reveals', kinds: 'own' },
  { step: /^onboarding kyc(_session(_opened)?)?\./, way: 'verifications', ...connections },
  { step: /^onboarding (?:sign_in|connect)\./, way: 'signIn', ...connections },
  { step: /^onboarding apply\./, way: 'reconnect', ...connections },
  { step: /^onboarding (announce|erase|fence)\./, way: 'writes', ...connections },
  { step: /^(beneficiaries|cards|onboarding|spending) job\./, way: 'undecidedDrafts', kinds: 'own' },
  {
    step: /^(beneficiaries|cards|onboarding|spending) (accept|draft|events|settle)\./,
    way: 'writes',
    kinds: 'own',
  },
  { step: /^operations approval\.(before|after)_job$/, way: 'unpreparedApprovals', ...approved },
  { step: /^operations approval\.(before|after)_(started|turn)$/, way: 'ownersApproval', ...approved },
  { step: /^operations approval\.(before_outcome|after_outcome|after_publish)$/, way: 'writes', ...approved },
  { step: /^operations job\./, way: 'withoutSubmitter', kinds: 'all' },
  { step: /^operations decide\./, way: 'undecidedDrafts', kinds: 'all' },
  { step: /^operations (accept|project)\./, way: 'writes', kinds: 'all' },
  // No operation lifts a fence. A client that comes back has its fence lifted, whatever is under way.
  { step: /^submitter unfence\./, way: 'returningClient', kinds: 'all' },
  {
    step: /^submitter fence\./,
    way: 'writes',
    kinds: kindsThat(({ raises }) => raises !== null),
    because: 'no other kind fences anything',
  },
  { step: /^submitter watchdog\./, way: 'abandonedAttempts', kinds: 'all' },
  { step: /^submitter (claim|event|outcome|send)\./, way: 'writes', kinds: 'all' },
  { step: /^reconciler late_answer\./, way: 'frozenSubmitter', kinds: 'all' },
  { step: /^reconciler (event|handoff|lock|read|settle)\./, way: 'droppedReplies', kinds: 'all' },
]

/** The name in place of a failpoint for kills at a moment that the seed chooses. */
export const atRandom = 'at random moments'

/**
 * Finds the row of a step.
 * @throws Error if no row matches
 */
export function passageOf(step: Step): Passage {
  if (step.failpoint === atRandom) return { step: /./, way: 'randomTimestamps', kinds: 'all' }
  const row = passages.find((candidate) => candidate.step.test(nameOf(step)))
  if (!row) throw new Error(`${nameOf(step)} is reached by no way: give it a row in test/chaos/matrix.ts`)
  return row
}

export function kindsAt(step: Step): readonly OperationKind[] {
  const { kinds } = passageOf(step)
  if (kinds === 'all') return operationKinds
  return kinds === 'own' ? kindsOf(step.service) : kinds
}

/** One kill at one step, while operations of these kinds are running. */
export type Run = { step: Step; way: Way; kinds: readonly OperationKind[] }

/** Every step, each with all kinds that pass through it in one load. */
export function allRuns(): Run[] {
  const randomly = serviceNames.map((service) => ({ service, failpoint: atRandom }))
  return [...steps, ...randomly].map((step) => ({ step, way: passageOf(step).way, kinds: kindsAt(step) }))
}

/** Splits runs so that each has one kind. The load still gets a few writes of other kinds. */
export function apart(runs: readonly Run[]): Run[] {
  return runs.flatMap((run) => run.kinds.map((kind) => ({ ...run, kinds: [kind] })))
}

/** Counts the cells of runs: kind × service × step. */
export function cellsOf(runs: readonly Run[]): number {
  return runs.reduce((sum, run) => sum + run.kinds.length, 0)
}

/**
 * Draws a sample: one step of each service that has steps, with each kind at one of them. Every service has a step that is
 * passed by a kind of its own area or by all kinds, so each gets a kind.
 */
export function sampleOf(random: Random): Run[] {
  const drawn = random.shuffled(allRuns().filter((run) => run.way !== 'randomTimestamps'))
  const perService = [...Map.groupBy(drawn, (run) => run.step.service).values()].map(([run]) => run as Run)
  const kindsAtSteps = new Map<Run, OperationKind[]>(perService.map((run) => [run, []]))
  const isTaken = (kind: OperationKind) => [...kindsAtSteps.values()].some((kinds) => kinds.includes(kind))
  // Steps with the fewest kinds choose first, so that each finds a kind that is not taken.
  for (const [run, kinds] of [...kindsAtSteps].toSorted(([one], [other]) => one.kinds.length - other.kinds.length))
    kinds.push(run.kinds.find((kind) => !isTaken(kind)) ?? (run.kinds[0] as OperationKind))
  for (const kind of operationKinds) {
    if (isTaken(kind)) continue
    const [fewest] = [...kindsAtSteps]
      .filter(([run]) => run.kinds.includes(kind))
      .toSorted(([, one], [, other]) => one.length - other.length)
    fewest?.[1].push(kind)
  }
  return [...kindsAtSteps].map(([run, kinds]) => ({ ...run, kinds }))
}
