/** The adversary's record: its requests, their answers, and every observed violation. */

/** A payment as requested. */
export type SentRequest = {
  player: string
  route: string
  key: string
  cents: number
  grantId: string
  mandateId: string | null
  intent: string | null
}

export type Accepted = SentRequest & { id: string; transferId: string }

/**
 * The end of authority, and the operations that had been claimed when its caller was answered. The id of a connection is
 * that of its binding.
 */
export type Ended = { what: 'grant' | 'mandate' | 'connection'; id: string; how: string; begun: ReadonlySet<string> }

export type Book = ReturnType<typeof createBook>

export function createBook() {
  const accepted = new Map<string, Accepted>()
  const sent = new Map<string, SentRequest[]>()
  const violations: string[] = []
  const answers = new Map<string, number>()
  const attempts = new Map<string, number>()
  const ended: Ended[] = []
  return {
    accepted,
    /** Payments by key. Unequal requests may share a key; without an answer it is unknown which one won. */
    sent,
    send: (one: SentRequest) => sent.set(one.key, [...(sent.get(one.key) ?? []), one]),
    ended,
    /** Counts the ends of authority by kind. */
    endings: () => {
      const counts = new Map<string, number>()
      for (const { what, how } of ended) counts.set(`${what}: ${how}`, (counts.get(`${what}: ${how}`) ?? 0) + 1)
      return counts
    },
    violations,
    /** The number of tries of each attack, and of each answer. */
    attempts,
    answers,
    /** The number of requests. */
    sum: () => [...answers.values()].reduce((total, each) => total + each, 0),
    tried: (attack: string) => attempts.set(attack, (attempts.get(attack) ?? 0) + 1),
    answered: (status: number, code: unknown) => {
      const name = `${status} ${typeof code === 'string' ? code : ''}`.trim()
      answers.set(name, (answers.get(name) ?? 0) + 1)
      if (status >= 500 && status !== 503) violations.push(`an answer of ${name}`)
    },
    /** Records an accepted request. An operation answers only one request, even if that is sent many times. */
    accept: (one: Accepted) => {
      const before = accepted.get(one.id)
      if (before && (before.key !== one.key || before.route !== one.route || before.cents !== one.cents))
        violations.push(`operation ${one.id} answers two requests`)
      accepted.set(one.id, before ?? one)
    },
  }
}
