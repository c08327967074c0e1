/**
 * Opens an address in the browser of this machine. A browser that does not open is not a failure, because the address
 * is printed as well.
 */

import { spawn } from 'node:child_process'

const openers: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens an address of the web; anything else is left alone. */
export function openInBrowser(url: string): void {
  if (!/^https?:[/][/]/.test(url)) return
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
