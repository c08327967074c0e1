/** Clients that generators make of the committed document: they compile, and their signed requests succeed. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestStack, type TestStack } from '../stack.test-helper.ts'
import { validate } from './session.ts'
import { buildTypescript, byHeyApi, byOpenapiTypescript } from './typescript.ts'

const document = join(import.meta.dirname, '../../libs/api/contract/generated/openapi.json')

let stack: TestStack
let folder: string

beforeAll(async () => {
  stack = await startTestStack()
  folder = await mkdtemp(join(tmpdir(), 'financial-agents-clients-'))
})
afterAll(async () => {
  await stack.close()
  await rm(folder, { recursive: true, force: true })
})

test.each([
  ['openapi-fetch', { generate: byOpenapiTypescript }],
  ['hey-api', { generate: byHeyApi, looser: { exactOptionalPropertyTypes: false } as const }],
])('%s reads, writes once and understands a refusal', async (name, given) => {
  const program = await buildTypescript(join(folder, name), { document, program: `${name}.ts`, ...given })
  await expect(validate(stack, program)).resolves.toBeUndefined()
})
