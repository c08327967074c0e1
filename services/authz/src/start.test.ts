/** The authorization server as a process, while its database is out of reach. */

import { join } from 'node:path'
import { startChild } from '@financial-agents/servers/child-process'
import { getFreePort } from '@financial-agents/servers/ports'
import { expect, test } from 'vitest'

const key = Buffer.alloc(32, 7).toString('base64')
const secret = 'very-secret'

test('without its database it runs and is not ready, reports what it waits for, and stops cleanly', async () => {
  const healthPort = await getFreePort()
  const said: string[] = []
  const child = await startChild('authz', process.execPath, [join(import.meta.dirname, './main.ts')], {
    env: {
      PATH: process.env['PATH'],
      ENVIRONMENT: 'test',
      HEALTH_HOST: '127.0.0.1',
      HEALTH_PORT: String(healthPort),
      PUBLIC_BASE_URL: 'http://127.0.0.1:8080',
      NATS_URL: 'nats://127.0.0.1:1',
      NATS_NKEY_SEED: secret,
      DATABASE_URL: `postgres://authz:${secret}@127.0.0.1:1/x`,
      SEALING_KEYS: `a:${key}`,
      PAIRWISE_KEY: key,
      DPOP_NONCE_KEY: key,
    },
    onLine: (line) => said.push(line),
  })
  try {
    await expect.poll(() => said.join('\n')).toContain('waiting for PostgreSQL')
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${healthPort}${path}`)).status
    expect([await statusOf('/live'), await statusOf('/ready')]).toEqual([200, 503])
    child.signal('SIGTERM')
    expect(await child.exited).toEqual({ code: 0, signal: null })
    expect(said.join('\n')).not.toContain(secret)
  } finally {
    await child.stop()
  }
})
