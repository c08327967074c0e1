/**
 * Serves the logos of applications from our origin, so that no browser of an owner asks a third party. The address is the digest of the
 * picture, so that a picture never changes at its address.
 */

import { refusals } from '@financial-agents/owner-pages/refusal'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { pictureHeaders } from '@financial-agents/pages/picture'
import type { FastifyInstance } from 'fastify'
import { findLogo } from '../store/client-logos.ts'
import type { PageTools } from './page-tools.ts'

const keptS = 30 * 86_400

export function addApplicationLogos(app: FastifyInstance, { db }: PageTools): void {
  app.get<{ Params: { digest: string } }>(pagePaths.applicationLogo, async (request, reply) => {
    const { digest } = request.params
    const logo = /^[0-9a-f]{64}$/.test(digest) ? await findLogo(db, digest) : undefined
    if (!logo) throw refusals.notFound()
    return reply.headers(pictureHeaders(logo.media_type, keptS, true)).send(logo.bytes)
  })
}
