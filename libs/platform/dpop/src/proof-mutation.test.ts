import { EmbeddedJWK, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { createProofFixture, segment } from './testing/proof-fixture.ts'
import { createSeededRandom, type SeededRandom } from './testing/seeded-random.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('')
const seed = Number(process.env['DPOP_TEST_SEED'] ?? 9449)
const { clock, forge, goodClaims, header, validate, signSegments } = createProofFixture()

function mutate(proof: string, random: SeededRandom): string {
  const at = random.below(proof.length)
  const character = random.oneOf([...alphabet, '.', '=', '+', ' ', '\u0000', 'é', '\ud800'])
  switch (random.below(5)) {
    case 0:
      return proof.slice(0, at) + character + proof.slice(at + 1)
    case 1:
      return proof.slice(0, at) + character + proof.slice(at)
    case 2:
      return proof.slice(0, at) + proof.slice(at + 1 + random.below(4))
    case 3:
      return proof.slice(at) + proof.slice(0, at)
    default:
      return proof.slice(0, at) + proof.slice(at, at + 5) + proof.slice(at)
  }
}

test('a good proof changed anywhere is refused, and nothing throws', () => {
  const random = createSeededRandom(seed)
  const good = forge()
  expect(validate(good).ok).toBe(true)
  for (let i = 0; i < 4000; i++) {
    const mutant = mutate(good, random)
    if (mutant !== good) expect(validate(mutant), `seed ${seed}, round ${i}`).toMatchObject({ ok: false })
  }
})

test('random text is refused, and nothing throws', () => {
  const random = createSeededRandom(seed)
  const pieces = ['.', 'e30', '{}', ' ', ',', 'é', '\ud800', '\u0000', '"', segment('{"typ":"dpop+jwt"}'), ...alphabet]
  for (let i = 0; i < 4000; i++) {
    const text = Array.from({ length: random.below(60) }, () => random.oneOf(pieces)).join('')
    expect(validate(text), `seed ${seed}, round ${i}`).toMatchObject({ ok: false })
  }
})

const values = [null, true, 0, -1, 1e308, '', 'x', '\ud800', [], {}, [[]], { d: 'x' }, 'constructor', 'https://[', '%']

test('signed proofs with odd members are refused or good, and what we accept jose accepts', async () => {
  const random = createSeededRandom(seed)
  const currentDate = new Date(clock.nowMs)
  let accepted = 0
  for (let i = 0; i < 1500; i++) {
    const members = random.below(2) === 0 ? { ...header, jwk: { ...(header['jwk'] as object) } } : goodClaims()
    const isHeader = 'jwk' in members
    const within: Record<string, unknown> =
      isHeader && random.below(2) === 0 ? (members.jwk as Record<string, unknown>) : members
    const name = random.oneOf([
      ...Object.keys(within),
      'crit',
      'nbf',
      'exp',
      'd',
      'use',
      'key_ops',
      'alg',
      'b64',
      '__proto__',
    ])
    within[name] = random.oneOf(values)
    const text = segment(JSON.stringify(members))
    const proof = isHeader
      ? signSegments(text, segment(JSON.stringify(goodClaims())))
      : signSegments(segment(JSON.stringify(header)), text)
    if (!validate(proof).ok) continue
    accepted += 1
    const options = { typ: 'dpop+jwt', algorithms: ['ES256'], currentDate, clockTolerance: 60 }
    await expect(jwtVerify(proof, EmbeddedJWK, options), `seed ${seed}, round ${i}, ${name}`).resolves.toBeDefined()
  }
  expect(accepted).toBeGreaterThan(0)
})
