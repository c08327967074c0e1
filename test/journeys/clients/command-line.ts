/**
 * The command line over the whole system. Most command lines run in this process. The published program, from its tarball, runs
 * by pipes and in a pseudo-terminal. It is killed in the middle of payments, behind a proxy that loses requests and answers.
 * The provider's ledger decides.
 */

import { spawnSync } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { verifyWebhook } from '@financial-agents/client/webhooks'
import { getFreePort } from '@financial-agents/servers/ports'
import { amountOf } from '@financial-agents/testkit/deep'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Ended } from '../../../libs/clients/cli/src/in-process.test-helper.ts'
import { type Program, unpackProgram } from '../cli/program.ts'
import { readerOf, walkerOf } from '../client/owner-flow.ts'
import type { Fate } from '../client/proxy.ts'
import { provider, proxy, stack } from './stack.ts'

const payment = 'POST /v1/spending-account/withdrawals'
const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** The time for which a command asks an API that is away. */
const retryForMs = 300
const kills = amountOf(2, 6)

let program: Program
const servers: Server[] = []

const where = () => ['--base-url', stack.baseUrl, '--provider-url', stack.providerUrl]
const payee = [
  'payees',
  'add',
  '--name',
  'Rui Prado',
  '--country',
  'PT',
  '--currency',
  'EUR',
  'iban=PT50000201231234567890154',
]
const pay = (amount: string, ...more: string[]) => ['pay', amount, 'EUR', '--to', 'Rui Prado', ...more]
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it expects
const json = <Value = Record<string, unknown>>({ stdout }: Ended) => JSON.parse(stdout) as Value
type Written = { intent: string; status: string; resource_id: string; operation: { id: string } }

/** Runs the program. The owner opens every page that it shows, and follows a redirect back to the program. */
function opening(args: readonly string[]): Promise<Ended> {
  const read = readerOf(/^ {2}(https?:\S+)/, async (url, code) => {
    const { left } = await walkerOf(stack, 'ines').open(url, code)
    if (left) await fetch(left)
  })
  return program.run(args, { onLine: read })
}

async function transfers(): Promise<number> {
  return (await provider.ledger()).filter(({ kind }) => kind === 'transfer').length
}

/** Settles a payment of the script `settle_later`. It may not have arrived yet. */
const settle = (operationId: string) => expect.poll(() => provider.settle(operationId)).toEqual({ settled: 1 })

/** A receiver of webhooks on this machine. */
async function receiver(status: number) {
  const received: { headers: Record<string, string | string[] | undefined>; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(status).end()
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}

export function commandLine(): void {
  beforeAll(async () => {
    program = await unpackProgram()
    const login = await opening(['login', ...where(), '--client-id', 'errand-runner'])
    expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining('errand-runner') })
    const added = await program.run([...payee, '--json'])
    expect(added).toMatchObject({ code: 0 })
    // The payee follows its operation.
    await vi.waitFor(
      async () => expect(json(await program.run(['payees', 'list', '--json']))).toMatchObject([{ state: 'active' }]),
      { timeout: 120_000, interval: 50 },
    )
  })
  afterAll(async () => {
    for (const server of servers) server.close()
    await program?.close()
  })

  describe('the package', () => {
    test('is one file, needs no other package, and has what its manifest promises', async () => {
      const { messages } = await publint({ pkgDir: program.folder, strict: true })
      expect(messages).toEqual([])
      const files = await readdir(program.folder, { recursive: true })
      expect(files.toSorted()).toEqual(
        [
          'CHANGELOG.md',
          'LICENSE',
          'README.md',
          'dist',
          'dist/LICENSES.txt',
          'dist/financial-agents.js',
          'package.json',
        ].toSorted(),
      )
      const manifest = JSON.parse(await readFile(join(program.folder, 'package.json'), 'utf8'))
      expect(manifest.dependencies).toBeUndefined()
      expect(await readFile(join(program.folder, 'dist/LICENSES.txt'), 'utf8')).toMatch(
        /@stricli\/core[^]+oauth4webapi/,
      )
      expect(await program.launch(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
    })
  })

  describe('by pipes', () => {
    test('lists are tables for people, and JSON for programs', async () => {
      const table = await program.run(['payees', 'list'])
      expect(table).toMatchObject({ code: 0, stderr: '' })
      const [titles, row] = table.stdout.split('\n')
      expect(titles).toMatch(/^ID +NAME +NICKNAME/)
      expect(row).toMatch(/Rui Prado +– +PT +EUR .*active$/)
      const items = json<{ name: string }[]>(await program.run(['payees', 'list', '--json']))
      expect(items).toEqual([expect.objectContaining({ name: 'Rui Prado', state: 'active' })])
      const lines = (await program.run(['accounts', '--jsonl'])).stdout.trim().split('\n')
      expect(lines.length).toBeGreaterThan(1)
      for (const line of lines) expect(JSON.parse(line)).toHaveProperty('balance')
      expect((await program.run(['accounts', '--jsonl', '--limit', '1'])).stdout.trim().split('\n')).toHaveLength(1)
      expect(json(await program.run(['whoami', '--json']))).toMatchObject({
        client: { id: 'errand-runner' },
        owner: { display_name: 'Inês Carvalho' },
      })
    })

    test('mcp serves the profile to a host of models, with the sign-in that the command line made', async () => {
      const host = new Client({ name: 'test-host', version: '1.0.0' })
      onTestFinished(() => host.close())
      await host.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [join(program.folder, 'dist/financial-agents.js'), 'mcp', '--read-only'],
          env: program.env,
        }),
      )
      const { tools } = await host.listTools()
      expect(tools.map(({ name }) => name)).not.toContain('submit_payment')
      const { structuredContent } = await host.callTool({ name: 'list_payees', arguments: {} })
      expect(JSON.stringify(structuredContent)).toContain('Rui Prado')
    })

    test('its files are for this user alone, and the profile holds no secret', async () => {
      const files = (await readdir(program.home, { recursive: true, withFileTypes: true })).filter((file) =>
        file.isFile(),
      )
      const modes = await Promise.all(
        files.map(async (file) => (await stat(join(file.parentPath, file.name))).mode & 0o777),
      )
      expect(new Set(modes)).toEqual(new Set([0o600]))
      expect(await readFile(join(program.home, 'config.json'), 'utf8')).not.toMatch(/token|secret|key/i)
    })

    test('without a terminal and without --yes no money moves', async () => {
      const before = await transfers()
      const refused = await program.run(pay('1.00'))
      expect(refused).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/Nothing was sent. Add --yes/),
      })
      expect(await transfers()).toBe(before)
    })

    test('a payment is made; the same command after it is another payment', async () => {
      const before = await transfers()
      const [one, two] = [
        await program.launch(pay('2.00', '--yes', '--json')),
        await program.run(pay('2.00', '--yes', '--json')),
      ]
      expect([one.code, two.code]).toEqual([0, 0])
      expect(json<Written>(one).intent).not.toBe(json<Written>(two).intent)
      expect(await transfers()).toBe(before + 2)
    })

    test('--check says what would become of a payment, and sends nothing', async () => {
      const before = await transfers()
      const fits = await program.run(pay('2.00', '--check'))
      expect(fits).toMatchObject({ code: 0, stdout: expect.stringMatching(/would be accepted\n/) })
      const above = await program.run(pay('99.00', '--check'))
      expect(above).toMatchObject({ code: 1, stdout: expect.stringContaining('would be refused') })
      expect(above.stdout).toContain('grant_ceiling_exceeded')
      expect(above.stdout).toMatch(/grant per payment +\d+\.\d\d EUR of/)
      expect(await transfers()).toBe(before)
    })

    test('an intent of the caller is one payment, however often the command is repeated', async () => {
      const before = await transfers()
      const run = () => program.run(pay('2.10', '--yes', '--json', '--intent', 'order-17'))
      const [one, two] = [json<Written>(await run()), json<Written>(await run())]
      expect(two).toEqual(one)
      expect(one.intent).toBe('order-17')
      expect(await transfers()).toBe(before + 1)
      expect(await program.run(pay('2.11', '--yes', '--intent', 'order-17'))).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('was used with another request'),
      })
    })

    test('two equal commands at once are one payment', async () => {
      const before = await transfers()
      proxy.order(payment, 'lost_answer')
      const both = await Promise.all([
        program.launch(pay('2.20', '--yes', '--json')),
        program.launch(pay('2.20', '--yes', '--json')),
      ])
      const ids = new Set(both.map((ended) => json<Written>(ended).operation.id))
      expect(both.map(({ code }) => code)).toEqual([0, 0])
      // The second may begin after the first has ended: then it is another payment.
      expect(await transfers()).toBe(before + ids.size)
    })
  })

  describe('exit codes', () => {
    test('a refusal is 1, and JSON says why', async () => {
      const refused = await program.run(pay('99.00', '--yes', '--json'))
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(JSON.parse(refused.stderr)).toEqual({
        error: expect.objectContaining({
          code: 'grant_ceiling_exceeded',
          exit_code: 1,
          request_id: expect.stringMatching(id),
        }),
      })
    })

    test('a failed payment is 1; the same command then is a new attempt', async () => {
      expect((await program.run(['trigger', 'fail', '--kind', 'payment'])).code).toBe(0)
      const failed = await program.run(pay('3.00', '--yes', '--json'))
      expect(failed).toMatchObject({ code: 1 })
      const again = await program.run(pay('3.00', '--yes', '--json'))
      expect(again).toMatchObject({ code: 0 })
      expect(json<Written>(again).intent).not.toBe(json<Written>(failed).intent)
    })

    test('an uncertain payment is 4; the same command goes on with it, and never sends a second', async () => {
      await program.run(['trigger', 'vanish', '--kind', 'payment'])
      const before = await transfers()
      await program.run(['trigger', 'accept_drop_reply', '--kind', 'payment'])
      const one = await program.run(pay('3.10', '--yes', '--json', '--timeout', '0'))
      const two = await program.run(pay('3.10', '--yes', '--json', '--timeout', '0'))
      expect([4, 5]).toContain(one.code)
      expect(json<Written>(two).operation.id).toBe(json<Written>(one).operation.id)
      const settled = await program.run(['operations', 'show', json<Written>(one).operation.id, '--json'])
      expect(settled.code).toBe(0)
      await expect.poll(transfers).toBe(before + 1)
    })

    test('what is still running is 5, and `operations wait` tells how it ends', async () => {
      await program.run(['trigger', 'settle_later', '--kind', 'payment'])
      const begun = await program.run(pay('3.20', '--yes', '--json', '--timeout', '0'))
      expect(begun).toMatchObject({ code: 5 })
      const { operation } = json<Written>(begun)
      await settle(operation.id)
      expect(await program.run(['operations', 'wait', operation.id])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Outcome +succeeded\n/),
      })
    })

    test.each(['operations wait', 'the same command with the intent'])(
      'after the outcome was seen by %s, the same command is another payment',
      async (way) => {
        const before = await transfers()
        const amount = way === 'operations wait' ? '3.21' : '3.22'
        await program.run(['trigger', 'settle_later', '--kind', 'payment'])
        const begun = await program.run(pay(amount, '--yes', '--json', '--timeout', '0'))
        expect(begun).toMatchObject({ code: 5 })
        const { intent, operation } = json<Written>(begun)
        await settle(operation.id)
        const seen = await program.run(
          way === 'operations wait' ? ['operations', 'wait', operation.id] : pay(amount, '--yes', '--intent', intent),
        )
        expect(seen).toMatchObject({ code: 0 })
        expect(await transfers()).toBe(before + 1)
        const another = await program.run(pay(amount, '--yes', '--json'))
        expect(another).toMatchObject({ code: 0 })
        expect(json<Written>(another).operation.id).not.toBe(operation.id)
        expect(await transfers()).toBe(before + 2)
      },
    )

    test('a payment that ended unseen is found by the same command, and paid once', async () => {
      const before = await transfers()
      await program.run(['trigger', 'settle_later', '--kind', 'payment'])
      const { operation } = json<Written>(await program.run(pay('3.23', '--yes', '--json', '--timeout', '0')))
      await settle(operation.id)
      await expect
        .poll(
          async () => json<{ state: string }>(await program.run(['operations', 'show', operation.id, '--json'])).state,
        )
        .toBe('succeeded')
      const again = await program.run(pay('3.23', '--yes', '--json'))
      expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('makes no second one') })
      expect(json<Written>(again).operation.id).toBe(operation.id)
      expect(await transfers()).toBe(before + 1)
    })

    test('a wait that finds no API is 4, and a sign-in that finds none is 6', async () => {
      const [operation] = json<{ id: string }[]>(await program.run(['operations', 'list', '--limit', '1', '--json']))
      proxy.away = true
      const [waiting, login] = await Promise.all([
        program.run(['operations', 'wait', operation?.id ?? ''], { retryForMs }),
        program.run(['login'], { retryForMs }),
      ])
      expect(waiting).toMatchObject({
        code: 4,
        stdout: '',
        stderr: expect.stringContaining(`financial-agents operations wait ${operation?.id}`),
      })
      expect(login).toMatchObject({ code: 6, stderr: expect.stringContaining('did not answer') })
    })

    test('what needs the owner is 3: a sign-in, a confirmation, an approval', async () => {
      const home = join(program.home, 'nobody')
      const env = {
        FINANCIAL_AGENTS_HOME: home,
        FINANCIAL_AGENTS_BASE_URL: stack.baseUrl,
        FINANCIAL_AGENTS_CLIENT_ID: 'errand-runner',
      }
      expect(await program.run(['accounts'], { env })).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('Run: financial-agents login'),
      })
      const create = [
        'mandates',
        'create',
        '--to',
        'Rui Prado',
        '--per-payment',
        '5',
        '--total',
        '20',
        '--payments',
        '4',
        '--until',
        '2027-06-30',
      ]
      const asked = await program.run([...create, '--timeout', '0'])
      expect(asked).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/The owner has to confirm[^]+Run the same command again/),
      })
      const made = await opening([...create, '--json'])
      expect(made.code).toBe(0)
      const newest = async () =>
        json<{ id: string; state: string }[]>(await program.run(['mandates', 'list', '--json']))[0]
      // The mandate follows its operation.
      await expect.poll(newest).toMatchObject({ state: 'active' })
      const mandate = await newest()
      const paid = await program.run(['pay', '4.00', 'EUR', '--mandate', mandate?.id ?? '', '--yes', '--json'])
      expect(paid).toMatchObject({ code: 0 })
      expect((await program.run(['mandates', 'suspend', mandate?.id ?? ''])).code).toBe(0)
    })

    test('an API that is away is 6, and 4 if a payment may have arrived; it is made once', async () => {
      const before = await transfers()
      proxy.away = true
      expect(await program.run(['accounts'], { retryForMs })).toMatchObject({
        code: 6,
        stderr: expect.stringContaining('did not answer'),
      })
      proxy.away = false
      proxy.order(payment, 'lost_answer', () => {
        proxy.away = true
      })
      expect(await program.run(pay('3.30', '--yes'), { retryForMs })).toMatchObject({
        code: 4,
        stderr: expect.stringMatching(/Run the same command again: it goes on with the intent pay-/),
      })
      proxy.away = false
      expect((await program.run(pay('3.30', '--yes'))).code).toBe(0)
      expect(await transfers()).toBe(before + 1)
    })

    test('a command line that is wrong is 2, and says what to write', async () => {
      const wrong: [string[], RegExp][] = [
        [['pay'], /Give <amount>/],
        [['pya'], /did you mean .pay./],
        [['pay', '1', 'EUR', '--tto', 'x'], /did you mean --to\?/],
        [['pay', '1', 'EUR'], /Give --to <payee> or --mandate <id>/],
        [pay('1.00', '--timeout', 'soon'), /timeout "soon": give a whole number from 0 to 86400/],
        [['pay', '1', 'EUR', '--to', 'Nobody'], /financial-agents payees list/],
        [['accounts', '--profile', '../x'], /letters, digits/],
        [['webhooks', 'listen', '--to', 'https://example.com'], /an address on this machine/],
        [['accounts', '--json', '--jsonl'], /not both/],
        [
          ['payees', 'add', '--name', 'A', '--country', 'PT', '--currency', 'EUR', 'nothing=1'],
          /--schema: sepa_pt_eur \(iban/,
        ],
      ]
      const ended = await Promise.all(wrong.map(([args]) => program.run(args)))
      for (const [index, [args, words]] of wrong.entries())
        expect({ args, ...ended[index] }).toMatchObject({
          args,
          code: 2,
          stdout: '',
          stderr: expect.stringMatching(words),
        })
    })
  })

  describe('killed in the middle of a payment', () => {
    test('and run again, it has made one payment', async () => {
      const fates: Fate[] = ['lost_answer', 'lost_request']
      const before = (await provider.ledger()).length
      const operations: string[] = []
      for (let kill = 1; kill <= kills; kill += 1) {
        const command = pay(`5.0${kill}`, '--yes', '--json')
        const decided = new Promise<void>((resolve) => proxy.order(payment, fates[kill % 2] as Fate, resolve))
        const child = await program.start(command)
        await Promise.race([decided, child.exited])
        await child.kill()
        // The answer of the repetition is lost too.
        if (kill % 3 === 0) proxy.order(payment, 'lost_answer')
        const again = await program.run(command)
        expect(again).toMatchObject({ code: 0 })
        operations.push(json<Written>(again).operation.id)
      }
      const ledger = (await provider.ledger()).slice(before)
      expect(ledger.map((entry) => entry.client_reference).toSorted()).toEqual(operations.toSorted())
      expect(new Set(operations).size).toBe(kills)
    })
  })

  describe('at a terminal', () => {
    test('a payment is asked for: no sends nothing, yes pays', async () => {
      const before = await transfers()
      const no = program.inTerminal(pay('6.00'))
      await no.shows(/Pay 6\.00 EUR to Rui Prado \(…0154\)\? \[y\/N\]/)
      no.type('n\r')
      expect(await no.exited).toBe(7)
      expect(await transfers()).toBe(before)
      const yes = program.inTerminal(pay('6.00'))
      await yes.shows('[y/N]')
      yes.type('y\r')
      expect(await yes.exited).toBe(0)
      expect(yes.text()).toMatch(/Intent pay-\d{8}-[0-9a-f]+/)
      expect(yes.text()).toMatch(/Outcome +succeeded/)
      const another = program.inTerminal(pay('6.00'))
      await another.shows(/An equal one succeeded a moment ago \(operation [0-9a-f-]+\). This is another one./)
      another.type('\r')
      expect(await another.exited).toBe(7)
      expect(await transfers()).toBe(before + 1)
    })

    test('progress is shown, Ctrl-C leaves the payment alone, and the next run asks about it', async () => {
      const before = await transfers()
      await program.run(['trigger', 'settle_later', '--kind', 'payment'])
      const first = program.inTerminal(pay('6.10', '--yes'))
      await first.shows(/[|/\\-] Pay 6\.10 EUR to Rui Prado \(…0154\): waiting for the outcome\. \d+ s/)
      first.type('\u0003')
      expect(await first.exited).toBe(130)
      expect(first.text()).toContain('error: Interrupted.')
      const quitting = program.inTerminal(pay('6.10'))
      await quitting.shows(/an equal write was begun .*Go on with that one/s)
      quitting.type('q\r')
      expect(await quitting.exited).toBe(7)
      for (const key of ['\u0003', '\u0004']) {
        const leaving = program.inTerminal(pay('6.10'))
        await leaving.shows('Go on with that one (g)')
        leaving.type(key)
        expect(await leaving.exited).toBe(7)
      }
      const second = program.inTerminal(pay('6.10'))
      await second.shows('Go on with that one (g)')
      second.type('\r')
      await second.shows('waiting for the outcome')
      const [operation] = json<{ id: string }[]>(await program.run(['operations', 'list', '--limit', '1', '--json']))
      await settle(operation?.id ?? '')
      expect(await second.exited).toBe(0)
      expect(await transfers()).toBe(before + 1)
    })

    test('colours are for terminals, and NO_COLOR turns them off', async () => {
      const coloured = program.inTerminal(['payees', 'list'])
      expect(await coloured.exited).toBe(0)
      expect(coloured.raw()).toContain('\u001b[1m')
      const plain = [
        program.inTerminal(['payees', 'list'], { env: { NO_COLOR: '1' } }),
        program.inTerminal(['pay', '--help'], { env: { NO_COLOR: '1' } }),
      ]
      for (const terminal of plain) {
        expect(await terminal.exited).toBe(0)
        expect(terminal.raw()).not.toContain('\u001b[')
      }
    })
  })

  describe('profiles', () => {
    test('a loopback client signs in by the browser of this machine, as a profile of its own', async () => {
      const scopes = 'identity:read,authorization:read,accounts:read,operations:read'
      const login = [...where(), '--client-id', 'tally', '--method', 'loopback', '--profile', 'tally']
      expect(await opening(['login', ...login])).toMatchObject({ code: 2, stderr: expect.stringContaining('--scopes') })
      expect((await opening(['login', ...login, '--scopes', scopes])).code).toBe(0)
      expect(json(await program.run(['whoami', '--profile', 'tally', '--json']))).toMatchObject({
        client: { id: 'tally' },
      })
      const listed = json<{ name: string; current: boolean }[]>(await program.run(['profiles', 'list', '--json']))
      expect(listed.map(({ name, current }) => [name, current])).toEqual([
        ['default', true],
        ['tally', false],
      ])
      expect((await program.run(['profiles', 'use', 'nobody'])).code).toBe(2)
      expect(json(await program.run(['logout', '--profile', 'tally', '--json']))).toMatchObject({ signed_in: false })
      expect((await program.run(['whoami', '--profile', 'tally'])).code).toBe(3)
      expect((await program.run(['whoami'])).code).toBe(0)
    })

    test('doctor looks at everything, and says what to do', async () => {
      const results = async () => {
        const { checks } = json<{ checks: { check: string; status: string }[] }>(
          await program.run(['doctor', '--json']),
        )
        return checks.map(({ check, status }) => [check, status])
      }
      // An answer that takes seconds looks like a clock that is off.
      await expect
        .poll(results)
        .toEqual(
          ['version', 'profile', 'dns', 'api', 'clock', 'metadata', 'keys', 'sign-in'].map((check) => [check, 'ok']),
        )
      const env = { FINANCIAL_AGENTS_BASE_URL: 'https://nowhere.invalid' }
      const ill = await program.run(['doctor'], { env })
      expect(ill).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/failed +dns +nowhere\.invalid is not found/),
      })
    })
  })

  describe('webhooks on this machine', () => {
    test('listen posts what changes, signed as webhooks are; resend posts it again under its id', async () => {
      const { url, received } = await receiver(204)
      const secret = (await program.run(['webhooks', 'secret'])).stdout.trim()
      let ready: () => void
      const listening = new Promise<void>((resolve) => {
        ready = resolve
      })
      const lines: string[] = []
      const listener = program.run(
        [
          'webhooks',
          'listen',
          '--to',
          url,
          '--events',
          'operation.succeeded',
          '--count',
          '1',
          '--interval',
          '1',
          '--jsonl',
        ],
        {
          onLine: (line) => (line.startsWith('Listening') ? ready() : lines.push(line)),
        },
      )
      await listening
      const paid = json<Written>(await program.run(pay('7.00', '--yes', '--json')))
      expect((await listener).code).toBe(0)
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({
        type: 'operation.succeeded',
        operation_id: paid.operation.id,
        answer: 204,
      })
      const [notified] = received
      const webhook = await verifyWebhook(notified?.headers ?? {}, notified?.body ?? '', { secrets: [secret] })
      const jwks = json<{ keys: [{ kty: string }] }>(await program.run(['webhooks', 'keys', '--json']))
      const byKey = await verifyWebhook(notified?.headers ?? {}, notified?.body ?? '', { jwks })
      expect(byKey).toEqual(webhook)
      expect(Object.keys(jwks.keys[0])).not.toContain('d')
      expect(webhook.payload).toMatchObject({
        type: 'operation.succeeded',
        data: { operation_id: paid.operation.id, kind: 'transfer', state: 'succeeded', submission_uncertain: false },
      })
      expect(await program.run(['webhooks', 'resend', paid.operation.id, '--to', url])).toMatchObject({ code: 0 })
      expect(received[1]?.headers['webhook-id']).toBe(webhook.id)
      expect(received[1]?.body).toBe(notified?.body)
    })

    test('a receiver that refuses or is away is reported', async () => {
      const { url } = await receiver(500)
      const [operation] = json<{ id: string }[]>(await program.run(['operations', 'list', '--limit', '1', '--json']))
      const resend = (to: string) => program.run(['webhooks', 'resend', operation?.id ?? '', '--to', to])
      expect(await resend(url)).toMatchObject({ code: 1, stderr: expect.stringContaining('answered 500') })
      const away = `http://127.0.0.1:${await getFreePort()}/`
      expect(await resend(away)).toMatchObject({ code: 6, stderr: expect.stringContaining('ECONNREFUSED') })
    })
  })

  describe('the fake provider', () => {
    test('takes every fault that the program names', async () => {
      const help = (await program.run(['trigger', '--help'])).stdout
      const names = [...(help.split('\nFLAGS\n')[0] ?? '').matchAll(/^ {2}([a-z_]+) {2,}/gm)].map(
        ([, name]) => name as string,
      )
      expect(names.length).toBeGreaterThan(10)
      const kinds: Record<string, string> = { malform: 'accounts' }
      for (const name of ['expire', 'decline', 'approve', 'waive']) kinds[name] = 'approval'
      const kindOf = (name: string) => (kinds[name] === undefined ? [] : ['--kind', kinds[name]])
      const orders = await Promise.all(names.map((name) => program.run(['trigger', name, ...kindOf(name)])))
      expect(orders.filter(({ code }) => code !== 0)).toEqual([])
      await program.run(['trigger', 'clear'])
      expect(json(await program.run(['trigger', 'list', '--json']))).toEqual([])
      expect((await program.run(['test-users'])).stdout).toMatch(/per_ines +Inês Carvalho +PT/)
    })

    test('refuses a kind that does not exist, and names those that do', async () => {
      const refused = await program.run(['trigger', 'refuse', '--kind', 'withdrawal'])
      expect(refused.code).toBe(2)
      expect(refused.stderr).toContain('there is no kind "withdrawal"; there are payment, beneficiary_create, ')
    })

    test('is the only thing that faults are ordered of', async () => {
      const server = createServer((_request, response) => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ environment: 'production' }))
      })
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const production = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const refused = async (env: Record<string, string>) => (await program.run(['trigger', 'refuse'], { env })).stderr
      expect(await refused({ FINANCIAL_AGENTS_BASE_URL: production })).toContain('belong to the fake provider')
      expect(await refused({ FINANCIAL_AGENTS_PROVIDER_URL: stack.baseUrl })).toContain('is no fake provider')
      expect(await refused({ FINANCIAL_AGENTS_PROVIDER_URL: 'https://bank.example' })).toContain(
        'an address on this machine',
      )
    })
  })

  describe('completion', () => {
    const complete = async (shell: string, args: string[], setUp: string) => {
      const terminal = program.terminal(shell, args, { env: { PS1: '> ', ZDOTDIR: program.folder } })
      terminal.type(`${setUp}eval "$(financial-agents completion ${shell})"; echo rea''dy\r`)
      await terminal.shows(/^ready$/m)
      terminal.type('financial-agents webhooks res\t')
      await terminal.shows(/webhooks resend/)
      terminal.type('\u0015financial-agents mandates \t\t')
      await terminal.shows(/create[^]*list[^]*revoke[^]*suspend|create[^]*list[^]*suspend[^]*revoke/)
      terminal.type('\u0015exit\r')
      await terminal.exited
    }

    test('works in bash', () => complete('bash', ['--norc', '--noprofile', '-i'], ''))

    test('works in zsh, where it is installed', async (context) => {
      context.skip(spawnSync('zsh', ['--version']).status !== 0, 'zsh is not installed')
      await complete('zsh', ['-f', '-i'], 'autoload -Uz compinit; compinit -u -D; ')
    })
  })
}
