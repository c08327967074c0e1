import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

/** Writes a program that prints its start and its end. Returns the command that a shell runs: as under pnpm, it waits. */
function commandInShell(): string {
  const folder = mkdtempSync(join(tmpdir(), 'end-with-parent-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'program.ts')
  writeFileSync(
    program,
    `import { endWithParent } from ${JSON.stringify(join(import.meta.dirname, 'end-with-parent.ts'))}
    process.once('SIGTERM', () => { console.log('ended'); process.exit() })
    endWithParent()
    setInterval(() => {}, 1_000)
    console.log('started')`,
  )
  return `"${process.execPath}" --no-warnings "${program}"; true`
}

/** Runs the program, kills it once the command has started, and returns what the command printed. */
async function linesAfterKill(program: string, args: string[]): Promise<string[]> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line === 'started') child.kill('SIGKILL')
  }
  return lines
}

test('a command whose shell is killed ends as by SIGTERM', async () => {
  expect(await linesAfterKill('sh', ['-c', commandInShell()])).toEqual(['started', 'ended'])
})

test('a command whose npx is killed ends as by SIGTERM, although its shell still waits', async () => {
  const npx = `process.title = 'npm exec a-command'
    require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(commandInShell())}], { stdio: 'inherit' })`
  expect(await linesAfterKill(process.execPath, ['-e', npx])).toEqual(['started', 'ended'])
})
