import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getFreePort } from '@financial-agents/servers/ports'
import { expect, test } from 'vitest'
import { takeFolder } from './dev-folder.ts'

test('a stack beside a running one takes a folder of its own, one after a killed one takes the same folder', async () => {
  const clone = mkdtempSync(join(tmpdir(), 'dev-folder-'))
  const [first, second, third] = [await getFreePort(), await getFreePort(), await getFreePort()]
  expect(await takeFolder(clone, first)).toBe(join(clone, '.dev'))
  expect(await takeFolder(clone, second)).toBe(join(clone, `.dev-${second}`))
  const gone = spawn(process.execPath, ['--version'])
  await new Promise((resolve) => gone.once('exit', resolve))
  writeFileSync(join(clone, '.dev/dev.json'), JSON.stringify({ pid: gone.pid, port: first }))
  writeFileSync(join(clone, '.dev/left'), '')
  expect(await takeFolder(clone, third)).toBe(join(clone, '.dev'))
  expect(existsSync(join(clone, '.dev/left'))).toBe(false)
  rmSync(clone, { recursive: true })
})
