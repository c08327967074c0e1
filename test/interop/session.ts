/**
 * The decision of a generated client: its program makes a signed read, a keyed write with its replay, and a request that is
 * refused. The provider's ledger then shows one submission.
 */

import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operationStates } from '@financial-agents/contract/machine'
import type { Stack } from '@financial-agents/testkit/stack'
import { createHandClient } from '../contract/hand-client.ts'
import { providerOf, scope } from '../stack.test-helper.ts'
import { type Program, run } from './run.ts'

/** The line that every program prints. */
type Report = {
  beneficiaries: number
  operation: string
  replayed: string
  kind: string
  state: string
  problem: string
}

/** Runs the program with a token and a key of its own, and validates its report. @throws Error that names the fault */
export async function validate(stack: Stack, program: Program): Promise<void> {
  const clientId = 'ines-agent'
  const { token, key } = await createHandClient(stack, clientId, scope)
  const session = {
    base_url: stack.baseUrl,
    client_id: clientId,
    client_key_file: stack.clients.find((client) => client.client_id === clientId)?.private_key_file,
    access_token: token,
    private_key_pem: key.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    public_jwk: key.jwk,
    idempotency_key: `interop-${randomUUID()}`,
    unknown_operation: '01980000-0000-7000-8000-00000000dead',
  }
  const file = join(program.cwd, 'session.json')
  await writeFile(file, JSON.stringify(session), { mode: 0o600 })
  const printed = await run({ ...program, env: { ...program.env, SESSION_FILE: file } })
  const report = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Report
  const submitted = await providerOf(stack).ledger(report.operation)
  const faults = [
    typeof report.beneficiaries !== 'number' && 'the read has no items',
    report.kind !== 'beneficiary_create' && `the kind is ${report.kind}`,
    !operationStates.some((state) => state === report.state) && `the state is ${report.state}`,
    report.replayed !== report.operation && 'the replay is another operation',
    report.problem !== 'operation_not_found' && `the problem is ${report.problem}`,
    submitted.length > 1 && `the provider saw ${submitted.length} submissions`,
  ]
  const found = faults.filter((fault) => fault !== false)
  if (found.length > 0) throw new Error(`${found.join('; ')}: ${printed.slice(0, 500)}`)
}
