/** The program in this process, over a scripted API on this machine. Its files are in a folder of their own. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Operation } from '@financial-agents/client'
import { operation as operationOf, problem as problemOf } from '@financial-agents/client/testing'
import { onTestFinished } from 'vitest'
import { type Ended, runInProcess, type Situation } from './in-process.test-helper.ts'
import { foldersOf } from './profile/config.ts'
import { keyStore } from './profile/key-store.ts'

type Reply = { status: number; body: object }

/** The payee that the API has. */
export const payeeId = '01980000-0000-7000-8000-00000000000b'

/** A refusal of the API. */
export const problem = (status: number, code: string, more: object = {}): Reply => ({
  status,
  body: problemOf('{origin}', code, { status, retryable: false, submission_uncertain: false, ...more }),
})

export type ScriptedProgram = {
  readonly origin: string
  /** Ends the API: no connection is accepted any more. */
  goAway(): void
  /** The ids of the operations that the API has accepted, oldest first. */
  operations(): string[]
  /** The idempotency keys that the API has received. */
  readonly keys: ReadonlySet<string>
  /** Moves every operation to this state. */
  settle(state: 'succeeded' | 'failed' | 'cancelled'): void
  /** Sets the answers of some routes, in place of the API's own, until the next call. */
  script(replies: Readonly<Record<string, Reply>>): void
  run(args: readonly string[], situation?: Situation): Promise<Ended>
  /** Runs the program, and presses Ctrl-C when the API receives a request that begins so. */
  interrupt(args: readonly string[], request: string): Promise<Ended>
  /** Runs the program in a shell of its own, in front of this command. Returns the exit code of the program. */
  pipe(args: readonly string[], command: string): Promise<number>
  /** Changes the record of the unfinished write. */
  changeBegun(change: (record: Record<string, unknown>) => Record<string, unknown>): Promise<void>
}

/** Starts the API, and a profile whose owner has signed in. */
export async function scriptedProgram(): Promise<ScriptedProgram> {
  const home = await mkdtemp(join(tmpdir(), 'financial-agents-cli-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const api = await startApi()
  const { writes } = foldersOf(home, 'default')
  const tokens = { accessToken: 'token', expiresAtMs: Date.now() + 3_600_000, scope: '' }
  const keys = keyStore(foldersOf(home, 'default'), () => Promise.resolve(undefined))
  await keys.set(`${api.origin}/errand-runner/default/session`, tokens, { secret: true })
  const env = {
    FINANCIAL_AGENTS_HOME: home,
    FINANCIAL_AGENTS_KEYCHAIN: 'off',
    FINANCIAL_AGENTS_BASE_URL: api.origin,
    FINANCIAL_AGENTS_CLIENT_ID: 'errand-runner',
  }
  return {
    ...api,
    run: (args, situation) => runInProcess(args, env, situation),
    interrupt: (args, request) =>
      runInProcess(args, env, { arm: (press) => api.watch((route) => route.startsWith(request) && press()) }),
    pipe: (args, command) => pipe(env, args, command),
    changeBegun: async (change) => {
      for (const file of await readdir(writes)) {
        const path = join(writes, file)
        const { key, value } = JSON.parse(await readFile(path, 'utf8')) as { key: string; value: never }
        if (key.startsWith('begun/')) await writeFile(path, JSON.stringify({ key, value: change(value) }))
      }
    },
  }
}

/** Starts an API that accepts withdrawals, one operation for each key. */
async function startApi() {
  const accepted = new Map<string, string>()
  const keys = new Set<string>()
  let scripted: Readonly<Record<string, Reply>> = {}
  let seen: (route: string) => unknown = () => {}
  const settled = new Map<string, Operation['state']>()
  const operation = (id: string): Reply => {
    const updated_at = new Date().toISOString()
    return { status: 200, body: operationOf({ id, state: settled.get(id) ?? 'submitted', updated_at }) }
  }
  const answerTo = (route: string, key: string | undefined): Reply => {
    if (key !== undefined) keys.add(key)
    const reply = scripted[route]
    if (reply) return reply
    if (route === `GET /v1/beneficiaries/${payeeId}`)
      return {
        status: 200,
        body: { id: payeeId, name: 'Rui Prado', state: 'active', masked_details: { IBAN: '0154' } },
      }
    if (route.startsWith('GET /v1/operations/')) return operation(route.slice('GET /v1/operations/'.length))
    if (route !== 'POST /v1/spending-account/withdrawals' || key === undefined) return problem(404, 'route_not_found')
    const id = accepted.get(key) ?? `01980000-0000-7000-8000-${String(accepted.size + 1).padStart(12, '0')}`
    accepted.set(key, id)
    return { ...operation(id), status: 202 }
  }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { method, url = '', headers } = request
      const route = `${method} ${url.replace(/\?.*/s, '')}`
      seen(route)
      const { status, body } = answerTo(route, headers['idempotency-key']?.toString())
      // Only the API's own problems have a code.
      const media = 'code' in body ? 'problem+json' : 'json'
      const text = JSON.stringify(body).replaceAll('{origin}', `http://${headers.host}`)
      response.writeHead(status, { 'content-type': `application/${media}` }).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const goAway = () => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(goAway)
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    goAway,
    watch: (watcher: (route: string) => unknown) => {
      seen = watcher
    },
    operations: () => [...accepted.values()],
    keys,
    settle: (end: Operation['state']) => {
      for (const id of accepted.values()) settled.set(id, end)
    },
    script: (replies: Readonly<Record<string, Reply>>) => {
      scripted = replies
    },
  }
}

async function pipe(env: Record<string, string>, args: readonly string[], command: string): Promise<number> {
  const program = [process.execPath, '--conditions=@financial-agents/source', join(import.meta.dirname, 'main.ts')]
  const script = `set -o pipefail; "$@" ${command}`
  const child = spawn('bash', ['-c', script, 'bash', ...program, ...args], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  const [code] = (await once(child, 'exit')) as [number]
  return code
}
