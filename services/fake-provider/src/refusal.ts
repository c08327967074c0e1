/** The provider's refusal document. With a 4xx status it guarantees that nothing was executed. */

import type { FastifyReply } from 'fastify'

export function refusal(reply: FastifyReply, status: number, code: string): FastifyReply {
  return reply.code(status).send({ error: { code } })
}
