// A PostgreSQL cluster of our own: a private folder with its data (and a copy of the programs, if the server's user
// cannot read them), and one postmaster on one port. At most one postmaster runs on the data. Removing the cluster
// leaves no process and no file.

import { chown, cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, runToEnd, startChild } from './child-process.ts'
import { getFreePort } from './ports.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { askPostgresVersion } from './postgres-readiness.ts'
import { followServer, makeStandbyData, type PostgresStandby } from './postgres-standby.ts'
import { makePrivateFolder, type User } from './unprivileged-user.ts'

const START_TIMEOUT_MS = 60_000
const STOP_GRACE_MS = 20_000

export type ClusterOptions = {
  binaries: PostgresBinaries
  user: User | undefined
  port: number
  password: string
  adminUrl: string
  /** Settings as arguments of `postgres`. */
  arguments: string[]
  /** The data folder of a stopped server. The cluster starts from a copy of it. */
  dataToCopy: string | undefined
  signal: AbortSignal | undefined
}

/** A copy of the data of one moment, as a disk snapshot would hold it: exactly what was committed by then. */
export type PostgresBackup = {
  /** Kills the server if it runs, restores the data and starts the server. May be called more than once. */
  restore: () => Promise<void>
  /** Starts another server from the data, beside the first. Returns the superuser's address; it holds the password: never log it. */
  startAnother: () => Promise<string>
}

/** A cluster of our own. */
export type PostgresCluster = {
  pid: () => number | undefined
  restart: () => Promise<void>
  kill: () => Promise<void>
  /** Kills the server and starts it with the data that it began with. */
  reset: () => Promise<void>
  backUp: () => Promise<PostgresBackup>
  startStandby: () => Promise<PostgresStandby>
  /** Shuts the server down cleanly for good. Returns its data folder, which stays until `remove`. */
  freeze: () => Promise<string>
  remove: () => Promise<void>
}

/**
 * Makes a cluster and starts its server.
 * @throws Error in one line; nothing is left behind.
 */
export async function createPostgresCluster(options: ClusterOptions): Promise<PostgresCluster> {
  const { user } = options
  const folder = await makePrivateFolder('financial-agents-postgres-', user)
  const data = join(folder, 'data')
  let postmaster: Child | undefined
  let removed: Promise<void> | undefined
  const ends: (() => Promise<void>)[] = []

  const remove = async () => {
    for (const end of ends) await end()
    // An immediate shutdown: the data is removed, so the server need not write it out.
    await postmaster?.stop({ signal: 'SIGQUIT', graceMs: STOP_GRACE_MS })
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  try {
    const binFolder = await prepareBinaries(options.binaries, folder)
    const makeData = () =>
      options.dataToCopy === undefined
        ? initialise(binFolder, folder, data, options)
        : copyData(options.dataToCopy, data)
    await makeData()
    const start = async (signal?: AbortSignal) => {
      postmaster = await startPostmaster(binFolder, data, options)
      await askPostgresVersion(options.adminUrl, {
        name: `PostgreSQL ${options.binaries.version}`,
        child: postmaster,
        timeoutMs: START_TIMEOUT_MS,
        signal,
      })
    }
    await start(options.signal)
    const kill = async () => {
      if (postmaster?.isRunning()) await killWithBackends(postmaster)
    }
    /** Starts another server from a copy of these data, which is removed with the first. Returns its address. */
    const startAnother = async (dataToCopy: string) => {
      const address = new URL(options.adminUrl)
      address.port = String(await getFreePort())
      const own = { port: Number(address.port), adminUrl: address.href }
      const cluster = await createPostgresCluster({ ...options, ...own, dataToCopy })
      ends.push(cluster.remove)
      return own.adminUrl
    }
    let backups = 0
    return {
      pid: () => (postmaster?.isRunning() ? postmaster.pid : undefined),
      restart: async () => {
        if (removed !== undefined) throw new Error('this PostgreSQL was stopped and its data removed')
        await postmaster?.stop({ signal: 'SIGINT', graceMs: STOP_GRACE_MS })
        await start()
      },
      kill,
      reset: async () => {
        await kill()
        await rm(data, { recursive: true })
        await makeData()
        await start()
      },
      backUp: async () => {
        backups += 1
        const backup = join(folder, `backup-${backups}`)
        await kill()
        await copyData(data, backup)
        await start()
        return {
          restore: async () => {
            await kill()
            await rm(data, { recursive: true })
            await copyData(backup, data)
            await start()
          },
          startAnother: () => startAnother(backup),
        }
      },
      startStandby: async () => {
        const base = join(folder, `standby-${ends.length}`)
        await kill()
        await copyData(data, base)
        await start()
        await makeStandbyData(base, options.adminUrl, user)
        const { standby, close } = await followServer(await startAnother(base), options.adminUrl)
        ends.push(close)
        return standby
      },
      freeze: async () => {
        await postmaster?.stop({ signal: 'SIGINT', graceMs: STOP_GRACE_MS })
        return data
      },
      remove: () => (removed ??= remove()),
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function prepareBinaries(binaries: PostgresBinaries, folder: string): Promise<string> {
  if (!binaries.mustCopy) return binaries.binFolder
  const copy = join(folder, 'programs')
  await cp(binaries.folder, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  })
  return join(copy, 'bin')
}

async function initialise(binFolder: string, folder: string, data: string, options: ClusterOptions): Promise<void> {
  const { user, password, signal } = options
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (user !== undefined) await chown(passwordFile, user.uid, user.gid)
  const args = ['-D', data, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8']
  // `--no-sync`: the cluster is new and unused, so its loss in a crash of the machine would not matter.
  args.push('--locale=C', '--no-sync', '--no-instructions')
  const child = { cwd: folder, env: environment(), signal, ...(user && { user }) }
  await runToEnd('initdb', join(binFolder, 'initdb'), args, child)
  await rm(passwordFile)
}

/** Copies data that no server uses, with owners and modes, but without the last server's pid file. */
async function copyData(from: string, to: string): Promise<void> {
  await runToEnd('cp', 'cp', ['-Rp', from, to])
  await rm(join(to, 'postmaster.pid'), { force: true })
}

function startPostmaster(binFolder: string, data: string, options: ClusterOptions): Promise<Child> {
  const { port, user } = options
  const fixed = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    // Shared memory in the data folder instead of /dev/shm: it is removed with the folder, even after a kill.
    dynamic_shared_memory_type: 'mmap',
    logging_collector: 'off',
  }
  const settings = Object.entries(fixed).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const args = ['-D', data, ...options.arguments, ...settings]
  const child = { cwd: data, env: environment(), ...(user && { user }) }
  return startChild('PostgreSQL', join(binFolder, 'postgres'), args, child)
}

/** Our environment without the variables that would redirect PostgreSQL's programs, and with messages in English. */
function environment(): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))
  return { ...Object.fromEntries(ours), LC_ALL: 'C' }
}

/**
 * Kills a postmaster and its backends. The backends live in sessions of their own and would notice the postmaster's
 * death only later. Until then they could still commit, and a new postmaster would refuse the data that they hold.
 */
async function killWithBackends(postmaster: Child): Promise<void> {
  postmaster.signal('SIGSTOP')
  const backends = await listChildren(postmaster.pid)
  await postmaster.kill()
  for (const pid of backends) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The backend ended by itself.
    }
  }
}

async function listChildren(pid: number): Promise<number[]> {
  const fromKernel = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => undefined)
  if (fromKernel !== undefined) return fromKernel.split(' ').filter(Boolean).map(Number)
  const rows = await runToEnd('ps', 'ps', ['-A', '-o', 'ppid=,pid='])
  return rows
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([parent, child]) => (parent === pid && child !== undefined ? [child] : []))
}
