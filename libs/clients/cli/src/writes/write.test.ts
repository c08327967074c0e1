/** One command, one payment: the ways in which a program or a person goes on after an outcome that was not seen. */

import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Ended } from '../in-process.test-helper.ts'
import { payeeId, problem, scriptedProgram } from '../scripted-program.test-helper.ts'

const withdraw = 'POST /v1/spending-account/withdrawals'
const asked = ['pay', '5.00', 'EUR', '--to', payeeId]
const pay = [...asked, '--yes', '--json', '--timeout', '0']
const paying = [...asked, '--yes', '--json', '--timeout', '30']
const forbidden = problem(403, 'insufficient_scope')

/** Only Linux has a disk that is always full. */
const fullDisk = existsSync('/dev/full') ? ['> /dev/full', '2> /dev/full > /dev/full'] : []

type Written = { intent: string; status: string; operation: { id: string } }
const written = ({ stdout }: Ended) => JSON.parse(stdout) as Written
const failure = ({ stderr }: Ended) =>
  (JSON.parse(stderr.split('\n').find((line) => line.startsWith('{')) ?? '{}') as { error: Record<string, unknown> })
    .error

/** A program whose payment was accepted, and has not ended. */
async function withOpenPayment() {
  const program = await scriptedProgram()
  const open = await program.run(pay)
  expect(open).toMatchObject({ code: 5 })
  const { intent, operation } = written(open)
  return {
    program,
    intent,
    id: operation.id,
    wait: () => program.run(['operations', 'wait', operation.id, '--timeout', '0']),
  }
}

describe('an uncertain error', () => {
  test('is 4 before any other advice, and the same command goes on with the write', async () => {
    const program = await scriptedProgram()
    program.script({
      [withdraw]: problem(503, 'acceptance_unknown', { submission_uncertain: true }),
      'GET /v1/operations': forbidden,
    })
    const uncertain = await program.run(pay)
    expect(uncertain).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/login --scopes.*Run the same command again: it goes on/s),
    })
    expect(failure(uncertain)).toMatchObject({ exit_code: 4, submission_uncertain: true })
    program.script({})
    expect(await program.run(pay)).toMatchObject({ code: 5 })
    expect(program.keys.size).toBe(1)
  })

  test('a certain refusal is 1, and the same command is another write', async () => {
    const program = await scriptedProgram()
    program.script({ [withdraw]: problem(409, 'grant_ceiling_exceeded') })
    expect(await program.run(pay)).toMatchObject({ code: 1 })
    program.script({})
    expect(await program.run(pay)).toMatchObject({ code: 5 })
    expect(program.keys.size).toBe(2)
  })
})

describe('a wait that fails', () => {
  test('is 4 and names the command that waits; the same command then finds the payment', async () => {
    const program = await scriptedProgram()
    program.script({ 'GET /v1/operations/01980000-0000-7000-8000-000000000001': forbidden })
    const failed = await program.run(paying)
    const [id = ''] = program.operations()
    expect(failed).toMatchObject({ code: 4, stdout: '' })
    expect(failure(failed)).toMatchObject({ code: 'wait_failed', submission_uncertain: true })
    expect(failed.stderr).toMatch(new RegExp(`login --scopes.*financial-agents operations wait ${id}`))
    program.script({})
    program.settle('succeeded')
    const again = await program.run(paying)
    expect(again).toMatchObject({ code: 0 })
    expect(written(again).operation.id).toBe(id)
    expect(program.operations()).toEqual([id])
  })
})

describe('an outcome that was not printed', () => {
  test('is that of the next equal command, although the payment has ended meanwhile', async () => {
    const { program, intent, id } = await withOpenPayment()
    program.settle('succeeded')
    const again = await program.run(pay)
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('makes no second one') })
    expect(written(again)).toMatchObject({ intent, operation: { id } })
    expect(program.operations()).toEqual([id])
  })

  test('is asked for by a program after a day, and the command that waits ends the payment', async () => {
    const { program, id, wait } = await withOpenPayment()
    await program.changeBegun((record) => ({ ...record, atMs: Date.now() - 25 * 3_600_000 }))
    program.settle('succeeded')
    expect(await program.run(pay)).toMatchObject({ code: 2, stderr: expect.stringContaining(`operations wait ${id}`) })
    expect(await wait()).toMatchObject({ code: 0 })
    await program.run(pay)
    expect(program.operations()).toHaveLength(2)
  })

  test('is shown to a person at the terminal, who decides about another payment', async () => {
    const { program, id } = await withOpenPayment()
    program.settle('succeeded')
    const no = await program.run(asked, { answer: 'n' })
    expect(no).toMatchObject({
      code: 7,
      stderr: expect.stringContaining(`An equal one succeeded a moment ago (operation ${id}). This is another one.`),
    })
    expect(await program.run([...asked, '--timeout', '0'], { answer: 'y' })).toMatchObject({ code: 5 })
    expect(program.operations()).toHaveLength(2)
  })
})

describe('an outcome that was printed', () => {
  test.each([
    ['succeeded', 0],
    ['failed', 1],
    ['cancelled', 1],
  ] as const)('by `operations wait` ends the payment: %s', async (state, code) => {
    const { program, id, wait } = await withOpenPayment()
    expect((await wait()).code).not.toBe(0)
    program.settle(state)
    expect(await wait()).toMatchObject({ code })
    const another = await program.run(pay)
    expect(another).toMatchObject({ code: 5 })
    expect(program.operations()).toEqual([id, written(another).operation.id])
  })

  test.each([
    ['succeeded', 0],
    ['failed', 1],
  ] as const)('by the same command with the intent ends the payment: %s', async (state, code) => {
    const { program, intent, id } = await withOpenPayment()
    program.settle(state)
    expect(await program.run([...pay, '--intent', intent])).toMatchObject({ code })
    const another = await program.run(pay)
    expect(another).toMatchObject({ code: 5 })
    expect(program.operations()).toEqual([id, written(another).operation.id])
  })

  test('under another intent does not end the payment', async () => {
    const { program, id } = await withOpenPayment()
    const other = await program.run([...pay, '--intent', 'order-17'])
    program.settle('succeeded')
    expect(await program.run([...pay, '--intent', 'order-17'])).toMatchObject({ code: 0 })
    expect(written(await program.run(pay)).operation.id).toBe(id)
    expect(program.operations()).toEqual([id, written(other).operation.id])
  })
})

describe('the exit code', () => {
  const states = [
    ['succeeded', 0],
    ['failed', 1],
    ['submitted', 5],
  ] as const

  test.each(states)('is that of the outcome, whatever happens to the output: %s', async (state, code) => {
    const program = await scriptedProgram()
    expect((await program.run(pay)).code).toBe(5)
    if (state !== 'submitted') program.settle(state)
    for (const outputFails of ['EPIPE', 'ENOSPC'])
      expect(await program.run(pay, { outputFails })).toEqual({ code, stdout: '', stderr: '' })
    // Nobody has read the outcome, so it is that of the next equal command too.
    expect((await program.run(pay)).code).toBe(code)
    expect(program.operations()).toHaveLength(1)
  })

  test('of the process is the same: a reader that has gone, a full disk', async () => {
    const program = await scriptedProgram()
    for (const reader of ['| true', '2>&1 | true', ...fullDisk])
      expect([reader, await program.pipe(pay, reader)]).toEqual([reader, 5])
    expect(program.operations()).toHaveLength(1)
  })

  test('of a list is 0 if its reader has gone, and 1 if the disk is full', async () => {
    const program = await scriptedProgram()
    program.script({ 'GET /v1/operations': { status: 200, body: { items: [{ id: 'one' }] } } })
    for (const [outputFails, code] of [
      ['EPIPE', 0],
      ['ENOSPC', 1],
    ] as const)
      expect(await program.run(['operations', 'list', '--jsonl'], { outputFails })).toMatchObject({ code })
  })
})

test('Ctrl-C after a payment was sent says that it may have been accepted, and how to see what became of it', async () => {
  const program = await scriptedProgram()
  const sending = await program.interrupt(paying, withdraw)
  expect(sending).toMatchObject({ code: 130, stderr: expect.stringContaining('Run the same command again') })
  expect(failure(sending)).toMatchObject({ code: 'interrupted', submission_uncertain: true })
  await program.run(pay)
  const [id = ''] = program.operations()
  for (const args of [
    ['operations', 'wait', id, '--json'],
    [...paying, '--intent', 'order-17'],
  ]) {
    const ended = await program.interrupt(args, `GET /v1/operations/`)
    const [newest = ''] = program.operations().slice(-1)
    expect(ended).toMatchObject({ code: 130, stderr: expect.stringContaining(`operations wait ${newest}`) })
    expect(failure(ended)).toMatchObject({ code: 'interrupted', submission_uncertain: true })
  }
  const before = await program.interrupt(
    ['pay', '5.00', 'EUR', '--to', 'Rui', '--yes', '--json'],
    'GET /v1/beneficiaries',
  )
  expect(failure(before)).toMatchObject({ code: 'interrupted', submission_uncertain: false })
  expect(program.operations()).toHaveLength(2)
})

test('a sign-in without a network is 6, and says so', async () => {
  const program = await scriptedProgram()
  program.goAway()
  expect(await program.run(['login'])).toMatchObject({
    code: 6,
    stderr: expect.stringContaining(`${program.origin} did not answer`),
  })
})

describe('a payee that exists already', () => {
  const add = ['payees', 'add', '--name', 'Rui Prado', '--country', 'PT', '--currency', 'EUR', '--schema', 'iban']
  const account = 'iban=PT50 0002 0123 1234 5678 9015 4'
  const rui = { id: payeeId, name: 'Rui Prado', currency: 'EUR', state: 'active', masked_details: { IBAN: '0154' } }
  const known = { 'GET /v1/beneficiaries': { status: 200, body: { items: [rui], next_cursor: null } } }
  const words = /There is this payee already: Rui Prado \(…0154\)/

  test('is added by a program only with --yes', async () => {
    const program = await scriptedProgram()
    program.script(known)
    expect(await program.run([...add, account])).toMatchObject({ code: 2, stderr: expect.stringMatching(words) })
    expect(program.keys.size).toBe(0)
    await program.run([...add, account, '--yes'])
    expect(program.keys.size).toBe(1)
  })

  test('is shown to a person, who decides', async () => {
    const program = await scriptedProgram()
    program.script(known)
    expect(await program.run([...add, account], { answer: 'n' })).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(words),
    })
    expect(program.keys.size).toBe(0)
  })

  test('is another one if the account, the currency or the name differs', async () => {
    const program = await scriptedProgram()
    program.script(known)
    await program.run([...add, 'iban=PT50000201231234567890155'])
    expect(program.keys.size).toBe(1)
  })
})
