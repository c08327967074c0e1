/** Parses the body of a control request. A missing body counts as `{}`. Throws ZodError, which is answered with 400. */

import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ReceivedBody } from './mutation.ts'

export function readControlBody<Shape extends z.ZodType>(shape: Shape, request: FastifyRequest): z.infer<Shape> {
  const body = request.body as ReceivedBody | undefined
  return shape.parse(body === undefined || body.text === '' ? {} : body.value)
}
