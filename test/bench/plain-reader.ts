/**
 * The baseline of a protected read: Express 5 with express-oauth2-jwt-bearer, reading from PostgreSQL directly, in a
 * process of its own. It serves the same row for the same tokens. It is tuned as far as its libraries allow: cached
 * issuer keys, a pool with named statements, production mode. As a program it serves until it is killed.
 *
 * It checks a proof's type, algorithm, key and signature, `htm`, `htu`, `ath`, `iat`, the presence of a `jti`, and the
 * key against `cnf.jkt`. The gateway also checks nonces, the single use of proofs, the state of grant and client, rate
 * limits and the shape of its responses; the baseline does not.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { auth, requiredScopes } from 'express-oauth2-jwt-bearer'
import pg from 'pg'

export type PlainReader = { baseUrl: string; pid: number; stop: () => void }

/** The tokens' issuer and the database. */
export type PlainReaderTask = { issuer: string; jwksUri: string; connectionString: string }

/** Starts the baseline on a free port. */
export async function startPlainReader(task: PlainReaderTask): Promise<PlainReader> {
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const baseUrl = await firstLine(child)
  return { baseUrl, pid: child.pid as number, stop: () => child.kill('SIGKILL') }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (data: Buffer) => resolve(data.toString().trim()))
    child.once('exit', (code) => reject(new Error(`the baseline reader ended with ${code}`)))
  })
}

const statement = {
  name: 'read_operation',
  text: `SELECT id, kind, state, failure_code, failure_detail, resource_type, resource_id, upstream_reference,
      next_reconcile_at, action_required, created_at, updated_at
    FROM operations.operations WHERE id = $1 AND client_id = $2`,
}

if (import.meta.main) {
  const { issuer, jwksUri, connectionString } = JSON.parse(process.argv[2] ?? '{}') as PlainReaderTask
  const pool = new pg.Pool({ connectionString, max: 10 })
  const app = express()
  app.disable('x-powered-by').disable('etag')
  app.use(
    auth({
      issuer,
      jwksUri,
      audience: issuer,
      tokenSigningAlg: 'ES256',
      dpop: { enabled: true, required: true, iatOffset: 300, iatLeeway: 60 },
    }),
  )
  app.get('/v1/operations/:id', requiredScopes('operations:read'), async (request, response) => {
    const values = [request.params['id'], request.auth?.payload['client_id']]
    const [row] = (await pool.query({ ...statement, values })).rows
    if (row) response.json({ ...row, submission_uncertain: row.state === 'indeterminate' })
    else response.sendStatus(404)
  })
  const server = app.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
  })
}
