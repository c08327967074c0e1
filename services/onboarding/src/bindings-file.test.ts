import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callProgram } from '@financial-agents/runtime/program'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBindingsFile } from './bindings-file.ts'
import { service } from './service.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindings-'))
  await writeFile(join(folder, 'ines.credentials'), 'test-user-ines\n')
  await writeFile(join(folder, 'empty.credentials'), '\n')
})
afterAll(() => rm(folder, { recursive: true }))

async function write(text: string): Promise<string> {
  const path = join(folder, `${randomUUID()}.yaml`)
  await writeFile(path, text)
  return path
}

const owner = '01990000-0000-7000-8000-00000000000a'
const other = '01990000-0000-7000-8000-00000000000b'
const good = `bindings:\n  - owner_id: ${owner}\n    provider: fake\n    credentials_file: ines.credentials\n`

test('credentials come from the file beside it, without the line end', async () => {
  expect(await readBindingsFile(await write(good))).toEqual([
    {
      owner_id: owner,
      provider: 'fake',
      display_name: null,
      customer_reference: null,
      credentials: 'test-user-ines',
    },
  ])
})

test('a customer reference and a name are taken where they are given', async () => {
  const path = await write(`${good}    customer_reference: per_ines\n    display_name: My bank\n`)
  expect(await readBindingsFile(path)).toMatchObject([{ customer_reference: 'per_ines', display_name: 'My bank' }])
})

test.each([
  ['an empty file', '', 'send one mapping with the key bindings'],
  ['a list at the top', '- a', 'send one mapping with the key bindings'],
  ['no bindings', '{}', 'bindings: send a list of bindings'],
  ['an owner that is no UUID', good.replace(owner, 'ines'), 'bindings[0].owner_id: send the owner as a UUID'],
  ['a provider with capitals', good.replace('fake', 'Fake'), 'bindings[0].provider: send the name of a provider'],
  ['a missing field', good.replace(/ +credentials_file.*\n/, ''), 'bindings[0].credentials_file: send the path'],
  ['an unknown field', `${good}    secret: s3cret\n`, 'bindings[0].secret: unknown field; remove it'],
  [
    'an unreadable file',
    good.replace('ines.c', 'who.c'),
    'bindings[0].credentials_file: who.credentials: cannot be read',
  ],
  ['an empty one', good.replace('ines.c', 'empty.c'), 'bindings[0].credentials_file: empty.credentials is empty'],
  ['an owner twice', `${good}${good.slice(10)}`, 'bindings[1].owner_id: the owner of bindings[0] again'],
  [
    'a customer reference with spaces',
    `${good}    customer_reference: s3cret with spaces\n`,
    "bindings[0].customer_reference: send the provider's reference of the customer",
  ],
  [
    'a customer twice',
    `${good}    customer_reference: c\n${good.slice(10).replace(owner, other)}    customer_reference: c\n`,
    'bindings[1].customer_reference: the customer of bindings[0] again',
  ],
  ['broken YAML', `${good}    secret: [s3cret\n`, 'is not YAML'],
])('%s is refused in one line that names the place and no value', async (_name, text, message) => {
  const path = await write(text)
  const error = (await readBindingsFile(path).then(
    () => undefined,
    (thrown) => thrown,
  )) as Error
  expect(error.message).toContain(path)
  expect(error.message).toContain(message)
  expect(error.message).not.toContain('s3cret')
  expect(error.message).not.toContain('\n')
})

test('the command says in one line what is wrong and exits with 1', async () => {
  const env = {
    DATABASE_URL: 'postgres://onboarding@127.0.0.1:1/none',
    CREDENTIAL_KEYS: `k:${Buffer.alloc(32).toString('base64')}`,
  }
  const run = (path: string) => callProgram(service.program, ['apply-bindings', path], env)
  const failed = (why: RegExp) => ({ code: 1, stdout: '', stderr: expect.stringMatching(why) })
  expect(await run(await write('bindings: 3'))).toEqual(failed(/^.*bindings: send a list.*\n$/))
  expect(await run(await write(good))).toEqual(failed(/^.*ECONNREFUSED.*\n$/))
})
