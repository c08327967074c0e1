/**
 * Decides if a request is for the console, if the console has a host of its own. The host decides nothing else. If the
 * console shares the API's origin, the host is not checked.
 */

import type { IncomingMessage } from 'node:http'

export type IsConsoleHost = (request: Pick<IncomingMessage, 'url' | 'headers'>) => boolean

/** Returns null if the console has no host of its own. */
export function createIsConsoleHost(baseUrl: string, consoleUrl: string): IsConsoleHost | null {
  if (new URL(consoleUrl).host === new URL(baseUrl).host) return null
  const { host, protocol } = new URL(consoleUrl)
  const defaultPort = protocol === 'https:' ? ':443' : ':80'
  return (request) => {
    const named = hostOf(request)
    return named === host || plainHost(named, defaultPort) === host
  }
}

/** RFC 9112 §3.2.2: a target in absolute form takes precedence over the Host header. */
function hostOf({ url = '', headers }: Parameters<IsConsoleHost>[0]): string {
  if (url.startsWith('/')) return headers.host ?? ''
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host ?? ''
}

function plainHost(named: string, defaultPort: string): string {
  const host = named.toLowerCase()
  const [name = '', port = ''] = /^(.*?)(:\d*)?$/.exec(host)?.slice(1) ?? []
  return `${name.replace(/\.$/, '')}${port === defaultPort || port === ':' ? '' : (port ?? '')}`
}
