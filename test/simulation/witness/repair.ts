/** Repairs a state as the platform and an operator do: no fault happens, and processes start anew. */

import { canonical } from './canonical.ts'
import { defaults } from './explore.ts'
import { type Rule, steps } from './model.ts'
import { budgets, copyOf, idleAgain, type State } from './state.ts'

/** Lets one process take its steps on the newest database until it has none left, or `isDone`. */
function run(state: State, removed: Rule | undefined, process: string, isDone: (state: State) => boolean): State {
  let at = state
  while (!isDone(at)) {
    const step = [...steps(at, { ...defaults, removed })].find(
      ({ by, what }) => by === process && what !== 'gives up' && !/ D\d$/.test(what.replace(` D${at.newest}`, '')),
    )
    if (!step) return at
    at = step.apply()
  }
  return at
}

const isOpen = ({ replicas }: State) => replicas.some(({ phase }) => phase === 'open')

/** A process that starts: the job first, then a replica. */
const start = (state: State, removed: Rule | undefined) => {
  const next = copyOf(state)
  next.replicas = next.replicas.map(idleAgain)
  return run(
    run(next, removed, 'job', ({ job, left }) => left.makes === 0 && !job),
    removed,
    'r1',
    isOpen,
  )
}

const known = new Map<string, ReturnType<typeof repair>>()

/** Tells who had to act until a replica is open again. */
export function repair(state: State, removed?: Rule): 'nobody' | 'the operator' | 'impossible' {
  const begin = copyOf(state)
  begin.replicas = begin.replicas.map(idleAgain)
  Object.assign(begin, { job: undefined, recover: undefined })
  begin.left = { ...budgets, copies: 0, moves: 0, joins: 2, makes: 1, recovers: 1 }
  const text = `${removed} ${canonical(begin)}`
  const before = known.get(text)
  if (before) return before
  const alone = start({ ...begin, left: { ...begin.left, recovers: 0 } }, removed)
  const recovered = () =>
    start(
      run(
        copyOf({ ...alone, left: begin.left, job: undefined }),
        removed,
        'recover',
        ({ recover, left }) => left.recovers === 0 && !recover,
      ),
      removed,
    )
  const verdict = isOpen(alone) ? 'nobody' : isOpen(recovered()) ? 'the operator' : 'impossible'
  known.set(text, verdict)
  return verdict
}
