/** Sends bytes on a socket, for input that no HTTP client would send. */

import { connect } from 'node:net'

/** The longest wait for an answer. It only bounds a hang. */
const hangMs = 120_000

export type RawAnswer = { status: number; headers: Headers; body: unknown; text: string; closed: boolean }

/**
 * Sends `bytes`, and reads until a response is complete (unless `untilClosed`), the connection ends, or no more has come
 * for `quietMs` after the first bytes.
 */
export function sendBytes(
  url: string,
  bytes: string | Buffer,
  options: { quietMs?: number; untilClosed?: boolean } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes))
    const finish = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(parse(Buffer.concat(chunks).toString(), closed))
    }
    let timer = setTimeout(() => finish(false), hangMs)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (options.quietMs !== undefined) {
        clearTimeout(timer)
        timer = setTimeout(() => finish(false), options.quietMs)
      }
      if (!options.untilClosed && isComplete(Buffer.concat(chunks).toString())) finish(false)
    })
    socket.on('end', () => finish(true))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') finish(true)
      else reject(error)
    })
  })
}

function isComplete(text: string): boolean {
  const [head, body] = text.split('\r\n\r\n', 2)
  const length = /content-length: (\d+)/i.exec(head ?? '')?.[1]
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length)
}

function parse(text: string, closed: boolean): RawAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2)
  const [line = '', ...fields] = head.split('\r\n')
  const headers = new Headers()
  for (const field of fields) headers.append(field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1))
  const isJson = headers.get('content-type')?.includes('json')
  // Several answers may follow each other; these are the head and the body of the first.
  const own = Buffer.from(body)
    .subarray(0, Number(headers.get('content-length')))
    .toString()
  return { status: Number(line.split(' ')[1]), headers, text, closed, body: isJson ? JSON.parse(own) : undefined }
}
