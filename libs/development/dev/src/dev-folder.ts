/**
 * The folder of a development stack. A running stack keeps its folder: a second start never empties it. The first stack
 * of a clone has `.dev`; a further one has `.dev-<port>`.
 */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isProcessRunning } from '@financial-agents/servers/child-process'
import { isPortFree } from '@financial-agents/servers/ports'

const highestPort = 65_535

type Holder = { pid: number; port: number }

/**
 * Makes an empty folder for a stack on this port, held by this process.
 * @throws Error in one line if the port is taken: names the process that has it, and says what to do
 */
export async function takeFolder(root: string, port: number): Promise<string> {
  const first = join(root, '.dev')
  const other = join(root, `.dev-${port}`)
  const running = await holderOf(first)
  if (!(await isPortFree(port))) {
    const ours = running?.port === port ? { ...running, folder: first } : await besideHolder(other)
    const elsewhere = `choose another port: --port ${await nextFreePort(port)}`
    throw new Error(
      ours
        ? `port ${port} is in use by the stack of process ${ours.pid} (folder ${ours.folder}); stop it with Ctrl-C in its terminal or kill ${ours.pid}, or ${elsewhere}`
        : `port ${port} is in use by another program; stop that program, or ${elsewhere}`,
    )
  }
  const folder = running ? other : first
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const holder: Holder = { pid: process.pid, port }
  await writeFile(holderFile(folder), JSON.stringify(holder), { mode: 0o600 })
  return folder
}

function holderFile(folder: string): string {
  return join(folder, 'dev.json')
}

async function besideHolder(folder: string): Promise<(Holder & { folder: string }) | undefined> {
  const holder = await holderOf(folder)
  return holder && { ...holder, folder }
}

/** Finds the live process that holds the folder. A stack that was killed no longer holds its folder. */
async function holderOf(folder: string): Promise<Holder | undefined> {
  const text = await readFile(holderFile(folder), 'utf8').catch(() => '')
  try {
    const holder = JSON.parse(text) as Holder
    return isProcessRunning(holder.pid) ? holder : undefined
  } catch {
    return undefined
  }
}

async function nextFreePort(port: number): Promise<number> {
  for (let next = port + 1; next <= highestPort; next += 1) if (await isPortFree(next)) return next
  return port - 1
}
