/**
 * An adversary with a valid grant attacks the whole system, with two replicas of each service. It tries to move more
 * than a limit, to be paid twice, and to continue after its access has ended. The provider's ledger and the
 * tables decide.
 *
 * The seed of the run decides the attempts, not the order in which concurrent requests arrive.
 */

import { getFreePort } from '@financial-agents/servers/ports'
import { amountOf, seed } from '@financial-agents/testkit/deep'
import { serviceNames } from '@financial-agents/testkit/stack-services'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOperatorClient, type OperatorClient } from '../contract/operator-client.ts'
import { chanceOf, createRandom } from '../simulation/virtual/random.ts'
import { providerOf, startTestStack, type TestStack, usualDeadline } from '../stack.test-helper.ts'
import { createBook } from './adversary/book.ts'
import { createPlayer, declareRoles, type Player, roles } from './adversary/cast.ts'
import { ways } from './adversary/ends.ts'
import { live, makePayee } from './adversary/lives.ts'
import { listTransfers, type Transfer } from './adversary/transfers.ts'
import { read, validate } from './adversary/validators.ts'

const attempts = amountOf(600, 600)
const attemptsOfLife = 40
/** The players together end in every way, because each one continues the list of ends where the one before stopped. */
const leastLives = Math.ceil(ways / roles.length)
/** Time for one attempt on a busy machine. */
const patienceMs = 500

let stack: TestStack
let db: pg.Pool
let operator: OperatorClient
let players: Player[]

beforeAll(async () => {
  stack = await startTestStack({
    processes: true,
    enabledCapabilities: ['transfers.execute'],
    postgresSettings: { max_connections: '400' },
    registerClients: declareRoles,
    environment: {
      gateway: usualDeadline,
      operations: { BACKGROUND_JOB_PAUSE_MS: '200', BACKGROUND_JOB_AFTER_MS: '500' },
    },
  })
  db = new pg.Pool({ connectionString: stack.postgres.adminUrl, max: 4 })
  await Promise.all(serviceNames.map(async (name) => stack.start(name, {}, { port: await getFreePort() })))
  const replicas = (stack.processes.get('gateway') ?? []).map(({ url }) => url as string)
  operator = await createOperatorClient(stack)
  players = []
  for (const role of roles) {
    const player = await createPlayer(stack, role, replicas)
    await makePayee(player)
    players.push(player)
  }
})
afterAll(async () => {
  await db?.end()
  await stack?.close()
})

const open = `SELECT id, state FROM operations.operations
  WHERE client_id = ANY ($1) AND state IN ('accepted', 'submitting', 'submitted', 'indeterminate')`

/** The operations that still change. One that never arrived at the provider stays indeterminate. */
async function unsettled(clients: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string; state: string }>(open, [clients])
  const ledger = await providerOf(stack).ledger()
  const executed = new Set(ledger.flatMap((one) => (one.outcome.startsWith('executed') ? [one.client_reference] : [])))
  return rows.flatMap(({ id, state }) => (state !== 'indeterminate' || executed.has(id) ? [id] : []))
}

test(
  `no cent beyond a cap or a ceiling, nothing after an end, no key twice, in ${attempts} attempts (TEST_SEED=${seed})`,
  async ({ annotate }) => {
    const book = createBook()
    let lives = 0
    const playing = players.map(async (player, index) => {
      const others = players.filter((one) => one !== player)
      for (let life = 0; life < leastLives || book.sum() < attempts; life += 1) {
        lives += 1
        const chance = chanceOf(createRandom(seed * 1_000 + life, index))
        await live({ stack, db, operator }, { player, others, chance, book }, attemptsOfLife, leastLives * index + life)
      }
    })
    await Promise.all(playing)
    const clients = roles.map(({ clientId }) => clientId)
    await expect.poll(() => unsettled(clients), { timeout: 120_000, interval: 250 }).toEqual([])
    const listed = new Map<string, Transfer[]>()
    for (const player of players) listed.set(player.clientId, await listTransfers(player))
    const found = await read(db, await providerOf(stack).ledger(), players, listed)
    await annotate(
      `${lives} lives, ${book.accepted.size} payments accepted; ${[book.endings(), book.attempts, book.answers].map((counts) => JSON.stringify([...counts])).join('; ')}`,
    )
    expect(validate(book, players, found)).toEqual([])
    // An adversary that moves no money proves nothing.
    expect(book.accepted.size).toBeGreaterThan(attempts / 20)
    expect(book.ended.length).toBeGreaterThanOrEqual(ways)
  },
  120_000 + attempts * patienceMs,
)
