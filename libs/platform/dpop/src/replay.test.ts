import { expect, test } from 'vitest'
import {
  createReplayCheck,
  createReplayRecord,
  type ReplayQuestion,
  type ReplayRecordOptions,
  type ReplayResult,
  replayKey,
} from './replay.ts'
import { createProofFixture } from './testing/proof-fixture.ts'
import { createSeededRandom } from './testing/seeded-random.ts'

const startMs = 1_800_000_000_000
const lifetimeMs = 300_000
const jkt = 'J'.repeat(43)

function createFixture(options: Partial<ReplayRecordOptions> = {}) {
  const clock = { nowMs: startMs }
  const nowMs = () => clock.nowMs
  const record = createReplayRecord({ nowMs, retainMs: lifetimeMs + 5000, maxEntries: 10_000, ...options })
  return { clock, record }
}

test('a proof is fresh once', () => {
  const { record } = createFixture()
  const key = replayKey(jkt, 'one')
  expect(record.recordOnce(key, startMs)).toBe('fresh')
  expect(record.recordOnce(key, startMs)).toBe('replayed')
  expect(record.recordOnce(replayKey(jkt, 'two'), startMs)).toBe('fresh')
})

test('the same jti by another key is another proof', () => {
  const { record } = createFixture()
  expect(record.recordOnce(replayKey(jkt, 'one'), startMs)).toBe('fresh')
  expect(record.recordOnce(replayKey('K'.repeat(43), 'one'), startMs)).toBe('fresh')
})

test('a key is 43 characters whatever the jti holds', () => {
  for (const jti of ['x', 'x'.repeat(256), '\ud800', '\u0000.', '*.>'])
    expect(replayKey(jkt, jti)).toMatch(/^[\w-]{43}$/)
})

test('a proof is remembered for as long as its nonce could be accepted, while the clock moves on', () => {
  const { clock, record } = createFixture()
  const seen: { key: string; issuedAtMs: number }[] = []
  const random = createSeededRandom(300)
  for (let step = 0; step < 3000; step++) {
    clock.nowMs += random.below(1000)
    const issuedAtMs = clock.nowMs - random.below(lifetimeMs)
    const key = replayKey(jkt, `jti ${step}`)
    expect(record.recordOnce(key, issuedAtMs)).toBe('fresh')
    seen.push({ key, issuedAtMs })
    const former = random.oneOf(seen)
    const isLive = clock.nowMs - former.issuedAtMs <= lifetimeMs
    const result = record.recordOnce(former.key, former.issuedAtMs)
    expect(isLive ? ['replayed'] : ['replayed', 'refused']).toContain(result)
  }
})

test('no proof is fresh twice, however the clock jumps', () => {
  const random = createSeededRandom(301)
  for (let round = 0; round < 30; round++) {
    const { clock, record } = createFixture()
    const used = new Set<string>()
    for (let step = 0; step < 300; step++) {
      clock.nowMs += random.oneOf([0, 1, 1000, 60_000, 600_000, 3_600_000, -1000, -60_000, -600_000, -3_600_000])
      const jti = `jti ${random.below(10)}`
      const issuedAtMs = startMs + random.below(20) * 30_000
      const result = record.recordOnce(replayKey(jkt, jti), issuedAtMs)
      const name = `${jti} ${issuedAtMs}`
      if (result === 'fresh') expect(used.has(name)).toBe(false)
      if (result === 'fresh') used.add(name)
    }
  }
})

test('a clock that jumped ahead and back invalidates at most the forgotten nonces', () => {
  const { clock, record } = createFixture()
  record.recordOnce(replayKey(jkt, 'one'), startMs)
  clock.nowMs += 3_600_000
  record.recordOnce(replayKey(jkt, 'two'), clock.nowMs)
  clock.nowMs = startMs + 30_000
  expect(record.recordOnce(replayKey(jkt, 'one'), startMs)).toBe('refused')
  expect(record.recordOnce(replayKey(jkt, 'three'), clock.nowMs)).toBe('fresh')
})

test('entries are forgotten when their nonces are old, and those nonces refused', () => {
  const { clock, record } = createFixture()
  for (let i = 0; i < 100; i++) record.recordOnce(replayKey(jkt, String(i)), startMs)
  expect(record.size).toBe(100)
  clock.nowMs += lifetimeMs + 40_000
  expect(record.recordOnce(replayKey(jkt, '0'), startMs)).toBe('refused')
  expect(record.size).toBe(0)
})

test('the record never holds more than its bound, refuses when full, and takes new ones when old ones have gone', () => {
  const { clock, record } = createFixture({ maxEntries: 50 })
  const results = Array.from({ length: 80 }, (_, i) => record.recordOnce(replayKey(jkt, String(i)), startMs))
  expect(results).toEqual([...Array(50).fill('fresh'), ...Array(30).fill('refused')])
  expect(record.size).toBe(50)
  for (let i = 0; i < 80; i++) expect(record.recordOnce(replayKey(jkt, String(i)), startMs)).not.toBe('fresh')
  clock.nowMs += lifetimeMs + 40_000
  expect(record.recordOnce(replayKey(jkt, 'later'), clock.nowMs)).toBe('fresh')
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, startMs + 10 * lifetimeMs])(
  'a nonce of the time %d is refused',
  (time) => {
    expect(createFixture().record.recordOnce(replayKey(jkt, 'one'), time)).toBe('refused')
  },
)

test.each(['', 'short', 'é'.repeat(43), 'A'.repeat(44)])('%j is no key and is refused', (key) => {
  expect(createFixture().record.recordOnce(key, startMs)).toBe('refused')
})

const proof = { jkt, jti: 'one', nonceBootId: 'bbbbbbbbbbbbbbbb', nonceIssuedAtMs: startMs }

function createCheck(ask: (question: ReplayQuestion) => Promise<ReplayResult>, maxEntries = 10) {
  const { record } = createFixture({ maxEntries })
  return createReplayCheck({ ownBootId: 'aaaaaaaaaaaaaaaa', record, ask })
}

test('a proof with a nonce of this process is checked without a request to another process', async () => {
  const questions: ReplayQuestion[] = []
  const checkOnce = createCheck((question) => Promise.resolve<ReplayResult>((questions.push(question), 'fresh')))
  const own = { ...proof, nonceBootId: 'aaaaaaaaaaaaaaaa' }
  expect(await checkOnce(own)).toBe('fresh')
  expect(await checkOnce(own)).toBe('replayed')
  expect(questions).toEqual([])
})

test('a full record answers with a new nonce', async () => {
  const checkOnce = createCheck(() => Promise.resolve('fresh'), 0)
  expect(await checkOnce({ ...proof, nonceBootId: 'aaaaaaaaaaaaaaaa' })).toBe('use_dpop_nonce')
})

test('a proof with a nonce of another process is checked there, by key and time only', async () => {
  const there = createFixture()
  const questions: ReplayQuestion[] = []
  const checkOnce = createCheck((question) => {
    questions.push(question)
    return Promise.resolve(there.record.recordOnce(question.key, question.nonceIssuedAtMs))
  })
  expect(await checkOnce(proof)).toBe('fresh')
  expect(await checkOnce(proof)).toBe('replayed')
  const question = { bootId: 'bbbbbbbbbbbbbbbb', key: replayKey(jkt, 'one'), nonceIssuedAtMs: startMs }
  expect(questions).toEqual([question, question])
})

test('if many replicas get one proof at the same time, one accepts it', async () => {
  const issuer = createFixture()
  const checks = Array.from({ length: 8 }, () =>
    createCheck((question) => Promise.resolve(issuer.record.recordOnce(question.key, question.nonceIssuedAtMs))),
  )
  const answers = await Promise.all(checks.map(async (checkOnce) => checkOnce(proof)))
  expect(answers.filter((answer) => answer === 'fresh')).toHaveLength(1)
  expect(answers.filter((answer) => answer === 'replayed')).toHaveLength(7)
})

test.each<[string, () => Promise<ReplayResult>]>([
  ['refuses', () => Promise.resolve('refused')],
  ['is gone', () => Promise.reject(new Error('no responders'))],
  ['gives no answer in time', () => Promise.reject(new Error('timed out'))],
  ['answers nonsense', () => Promise.resolve('yes' as ReplayResult)],
  ['answers nothing', () => Promise.resolve(undefined as unknown as ReplayResult)],
  [
    'cannot be asked at all',
    () => {
      throw new Error('not connected')
    },
  ],
])('where the other process %s, the answer is a new nonce', async (_what, ask) => {
  expect(await createCheck(ask)(proof)).toBe('use_dpop_nonce')
})

test('a verified proof is used once, on whichever of two replicas it arrives', async () => {
  const { clock, forge, validate, nonces, nowMs } = createProofFixture()
  const record = createReplayRecord({ nowMs, retainMs: lifetimeMs + 5000, maxEntries: 100 })
  const ask = (question: ReplayQuestion) => Promise.resolve(record.recordOnce(question.key, question.nonceIssuedAtMs))
  const issuer = createReplayCheck({ ownBootId: nonces.bootId, record, ask })
  const other = createReplayCheck({ ownBootId: 'bbbbbbbbbbbbbbbb', record: createFixture().record, ask })
  const replayed = forge()
  const uses = []
  for (let minute = 0; minute < 7; minute++) {
    const result = validate(replayed)
    const resultHere = validate(forge({}, { jti: `proof of minute ${minute}` }))
    uses.push([result.ok ? await other(result) : result.reason, resultHere.ok && (await issuer(resultHere))])
    clock.nowMs += 60_000
  }
  expect(uses.map(([former]) => former)).toEqual(['fresh', ...Array(5).fill('replayed'), 'iat_old'])
  expect(uses.map(([, recent]) => recent)).toEqual(Array(7).fill('fresh'))
})
