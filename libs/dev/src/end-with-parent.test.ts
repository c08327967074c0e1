import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

test('a command whose shell is killed ends as by SIGTERM', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'end-with-parent-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'program.mjs')
  writeFileSync(
    program,
    `import { endWithParent } from ${JSON.stringify(join(import.meta.dirname, 'end-with-parent.ts'))}
    process.once('SIGTERM', () => { console.log('ended'); process.exit() })
    endWithParent()
    setInterval(() => {}, 1_000)
    console.log('started')`,
  )
  // As pnpm does: the shell waits for the command.
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${program}"; true`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  for await (const line of createInterface({ input: shell.stdout })) {
    lines.push(line)
    if (line === 'started') shell.kill('SIGKILL')
  }
  expect(lines).toEqual(['started', 'ended'])
})
