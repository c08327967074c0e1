/** The command. It asks for the Node that the services need, and keeps what Node compiles, so that the next start is quicker. */

import { createRequire, enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

const needed = 24

if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(`sandbox: this is Node ${process.versions.node}, and Node ${needed} or newer is needed\n`)
  process.exitCode = 2
} else {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  enableCompileCache(join(cache, 'financial-agents-api/compiled-sandbox'))
  const { run } = createRequire(import.meta.url)('./system.cjs') as { run: () => void }
  run()
}
