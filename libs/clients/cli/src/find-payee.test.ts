import type { Agent } from '@financial-agents/client'
import { expect, test } from 'vitest'
import { findPayee } from './find-payee.ts'

const [composed, decomposed] = ['José'.normalize('NFC'), 'José'.normalize('NFD')]

function agentWith(...names: string[]): Agent {
  const payees = names.map((name, index) => ({
    id: `payee-${index}`,
    name,
    nickname: null,
    state: 'active',
    masked_details: { IBAN: `015${index}` },
  }))
  const list = async function* () {
    yield* payees
  }
  return { beneficiaries: { list } } as unknown as Agent
}

test('a name is found in whichever normal form it is written', async () => {
  expect(composed).not.toBe(decomposed)
  for (const [kept, given] of [
    [composed, decomposed],
    [decomposed, composed],
  ] as const)
    expect((await findPayee(agentWith('Ana', kept), given, {})).id).toBe('payee-1')
})

test('two payees whose names differ in the normal form alone are two of one name', async () => {
  for (const given of [composed, decomposed])
    await expect(findPayee(agentWith(composed, decomposed), given, {})).rejects.toThrow(
      /2 payees are named .* payee-0 \(…0150\), payee-1 \(…0151\)/,
    )
})
