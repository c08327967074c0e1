/** oasdiff compares the document with the released one, as a second opinion beside our own comparison. */

import { join } from 'node:path'
import { run } from './run.ts'

const version = 'v1.35.0'
const generated = join(import.meta.dirname, '../../libs/api/contract/generated')

/** The attempt of the command `interop`. It fails if a change breaks clients. */
export const oasdiff = {
  name: 'oasdiff: no breaking change since the released document',
  needs: [['go', 'version']] as const,
  attempt: async (folder: string): Promise<void> => {
    const files = ['released/openapi.json', 'openapi.json'].map((name) => join(generated, name))
    const program = `github.com/oasdiff/oasdiff@${version}`
    await run({ command: 'go', args: ['run', program, 'breaking', '--fail-on', 'ERR', ...files], cwd: folder })
  },
}
