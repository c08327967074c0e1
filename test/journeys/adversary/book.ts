/** What the adversary asked for and was told, and what it saw that may never be. */

/** A payment as it was asked for. */
export type Sent = {
  player: string
  route: string
  key: string
  cents: number
  grantId: string
  mandateId: string | null
  intent: string | null
}

export type Accepted = Sent & { id: string; transferId: string }

/** The end of authority, told to whoever ended it; and which operations had been begun by then. A connection has the id of its binding. */
export type Ended = { what: 'grant' | 'mandate' | 'connection'; id: string; how: string; begun: ReadonlySet<string> }

export type Book = ReturnType<typeof createBook>

export function createBook() {
  const accepted = new Map<string, Accepted>()
  const sent = new Map<string, Sent[]>()
  const violations: string[] = []
  const answers = new Map<string, number>()
  const attempts = new Map<string, number>()
  const ended: Ended[] = []
  return {
    accepted,
    /** By key: of unequal requests with one key it is not known which won, where no answer came. */
    sent,
    send: (one: Sent) => sent.set(one.key, [...(sent.get(one.key) ?? []), one]),
    ended,
    /** How often authority ended in each way. */
    endings: () => {
      const counts = new Map<string, number>()
      for (const { what, how } of ended) counts.set(`${what}: ${how}`, (counts.get(`${what}: ${how}`) ?? 0) + 1)
      return counts
    },
    violations,
    /** How often each attack was tried, and each answer was given. */
    attempts,
    answers,
    /** Requests that were made. */
    sum: () => [...answers.values()].reduce((total, each) => total + each, 0),
    tried: (attack: string) => attempts.set(attack, (attempts.get(attack) ?? 0) + 1),
    answered: (status: number, code: unknown) => {
      const name = `${status} ${typeof code === 'string' ? code : ''}`.trim()
      answers.set(name, (answers.get(name) ?? 0) + 1)
      if (status >= 500 && status !== 503) violations.push(`an answer of ${name}`)
    },
    /** One key has one operation, whoever sends it how often. */
    accept: (one: Accepted) => {
      const before = accepted.get(one.id)
      if (before && (before.key !== one.key || before.route !== one.route || before.cents !== one.cents))
        violations.push(`operation ${one.id} answers two requests`)
      accepted.set(one.id, before ?? one)
    },
  }
}
