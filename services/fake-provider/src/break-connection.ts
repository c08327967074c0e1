/** Ends the caller's connection without an answer. */

import type { FastifyReply, FastifyRequest } from 'fastify'

export function breakConnection(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack()
  request.raw.socket.destroy()
  return reply
}
