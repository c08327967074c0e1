// Readiness of nats-server: the server sends its INFO line to a new connection. It does so only after JetStream has
// recovered its store. The check needs no client library and no credentials, so it works with any configuration.

import { connect } from 'node:net'
import { type ReadinessOptions, waitUntilReady } from './readiness.ts'

const GREETING_TIMEOUT_MS = 2_000

/**
 * Waits until nats-server sends its INFO line at this address.
 * @returns its version.
 * @throws Error in one line if the time-out ends or the process ends.
 */
export function askNatsVersion(
  target: { host: string; port: number },
  options: Omit<ReadinessOptions<string>, 'ask'>,
): Promise<string> {
  return waitUntilReady({ ...options, ask: () => readGreeting(target) })
}

function readGreeting(target: { host: string; port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    let greeting = ''
    const socket = connect({ ...target, timeout: GREETING_TIMEOUT_MS })
    socket.setEncoding('utf8')
    socket.once('error', reject)
    socket.once('timeout', () => socket.destroy(new Error('no greeting')))
    socket.once('close', () => reject(new Error('the connection was closed without a greeting')))
    socket.on('data', (chunk: string) => {
      greeting += chunk
      if (!greeting.includes('\n')) return
      const version = /^INFO .*"version":"([^"]+)"/.exec(greeting)?.[1]
      if (version === undefined) reject(new Error('what listens there is not a nats-server'))
      else resolve(version)
      socket.destroy()
    })
  })
}
