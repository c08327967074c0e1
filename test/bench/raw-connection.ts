/**
 * One HTTP connection of a load generator. It writes prepared requests and reads only the status and length of each
 * response. A full client would use more CPU than the system that is measured.
 */

import { connect } from 'node:net'

export type RawConnection = {
  /** Sends one request in wire format; returns the status once the whole response has arrived. */
  send(request: string): Promise<number>
  close(): void
}

const headEnd = '\r\n\r\n'
const length = /\r\ncontent-length: (\d+)/i

export async function openConnection(origin: string): Promise<RawConnection> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.setEncoding('latin1')
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let received = ''
  let waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined
  const fail = (error: Error) => waiting?.reject(error)
  socket.on('error', fail).on('close', () => fail(new Error('the connection was closed')))
  socket.on('data', (chunk: string) => {
    received = received === '' ? chunk : received + chunk
    const end = received.indexOf(headEnd)
    if (end === -1) return
    const bytes = length.exec(received.slice(0, end))?.[1]
    if (bytes === undefined) return fail(new Error('a response without a length'))
    if (received.length < end + headEnd.length + Number(bytes)) return
    const status = Number(received.slice(9, 12))
    received = ''
    const { resolve } = waiting as NonNullable<typeof waiting>
    waiting = undefined
    resolve(status)
  })
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request, 'latin1')
      }),
    close: () => socket.destroy(),
  }
}
