// A Chromium for the tests of the pages. Sources, in order: the CHROMIUM variable, the PATH, our cache, Debian's
// package (fetched once into the cache). A Chromium counts as found only after it has started. If there is none, the
// caller gets the reason in one line and skips its tests visibly. A CHROMIUM that does not start is a mistake and
// throws.

import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { type CacheEntry, fillCache, findInCache } from './cache.ts'
import { type ChromiumProgram, findUnpackedChromium, unpackChromiumFromDebian } from './chromium-debian-package.ts'

const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
] as const

const cached: CacheEntry = {
  name: 'chromium',
  findVersion: async (folder) => {
    try {
      const browser = await start(await findUnpackedChromium(folder), 'wide')
      await browser.close()
      return browser.version()
    } catch {
      return undefined
    }
  },
}

/** Two sets of fonts, between which the letters of most machines lie in width and in height: DejaVu is wide. */
export type FontSet = 'wide' | 'narrow'

export type LaunchOptions = { log: (line: string) => void; signal?: AbortSignal | undefined; fonts?: FontSet }

/** A running browser, or the reason why there is none. */
export type LaunchedChromium = { browser: Browser; missing?: never } | { browser?: never; missing: string }

/**
 * Starts a headless Chromium.
 * @throws Error in one line if the program named by CHROMIUM does not start; the abort reason if aborted.
 */
export async function launchChromium({ log, signal, fonts = 'wide' }: LaunchOptions): Promise<LaunchedChromium> {
  const named = process.env['CHROMIUM']
  if (named) return { browser: await start({ path: named, env: {} }, fonts) }
  const failures: string[] = []
  const tryToStart = async (program: ChromiumProgram) => {
    try {
      return await start(program, fonts)
    } catch (error) {
      failures.push(firstLine(error))
      return undefined
    }
  }
  for (const path of await findOnPath()) {
    const browser = await tryToStart({ path, env: {} })
    if (browser) return { browser }
  }
  try {
    const { folder } =
      (await findInCache(cached)) ??
      (await fillCache(cached, (folder) => unpackChromiumFromDebian({ folder, log, signal })))
    return { browser: await start(await findUnpackedChromium(folder), fonts) }
  } catch (error) {
    signal?.throwIfAborted()
    failures.push(firstLine(error))
  }
  return { missing: `no Chromium: install it, or name one in CHROMIUM (tried: ${failures.join('; ')})` }
}

/**
 * Starts Chromium without its sandbox, which works neither as root nor in a container. The browser cannot reach
 * anything outside this machine.
 *
 * It sees only the fonts of a set, which are packages of ours, so that no size on a page depends on the fonts of the machine. (A
 * Chromium for macOS does not read the file that names them.)
 */
function start({ path, env }: ChromiumProgram, fonts: FontSet): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
    chromiumSandbox: false,
    env: { ...process.env, ...env, FONTCONFIG_FILE: join(import.meta.dirname, `../fonts/${fonts}.conf`) },
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'],
  })
}

async function findOnPath(): Promise<string[]> {
  const found: string[] = []
  for (const folder of (process.env['PATH'] ?? '').split(delimiter).filter((entry) => entry !== ''))
    for (const name of NAMES) {
      const path = join(folder, name)
      const isProgram = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
      if (isProgram) found.push(path)
    }
  return found
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] as string
}
