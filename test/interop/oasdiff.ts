/** oasdiff compares the document with the released one, if there is one, as a second opinion beside our own comparison. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.ts'

const version = 'v1.35.0'
const generated = join(import.meta.dirname, '../../libs/api/contract/generated')

/** The attempt of the command `interop`. It fails if a change breaks clients. */
export const oasdiff = {
  name: 'oasdiff: no breaking change since the released document',
  needs: [['go', 'version']] as const,
  attempt: async (folder: string): Promise<void> => {
    const [released, now] = ['released/openapi.json', 'openapi.json'].map((name) => join(generated, name)) as [
      string,
      string,
    ]
    if (!existsSync(released)) return
    const program = `github.com/oasdiff/oasdiff@${version}`
    await run({ command: 'go', args: ['run', program, 'breaking', '--fail-on', 'ERR', released, now], cwd: folder })
  },
}
