#!/usr/bin/env node
/** The command `financial-agents-mcp`. Standard output belongs to the protocol: people read standard error. */

import { help, optionsFrom } from './arguments.ts'

try {
  const options = optionsFrom(process.argv.slice(2), process.env)
  const http = options?.http
  if (options && http) {
    const { serveHttp } = await import('./serve-http.ts')
    const { url, close } = await serveHttp({ ...options, ...http })
    process.stdout.write(`${url}\n`)
    await new Promise((resolve) => ['SIGINT', 'SIGTERM'].forEach((signal) => process.once(signal, resolve)))
    await close()
  } else if (options) {
    const { serveStdio } = await import('./serve-stdio.ts')
    await serveStdio(options)
  } else process.stdout.write(`${help}\n`)
  // A sign-in that nobody finished must not outlive the host.
  process.exit(0)
} catch (error) {
  process.stderr.write(`financial-agents-mcp: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(2)
}
