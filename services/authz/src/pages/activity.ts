/**
 * The history of an owner: every payment and other write of every application, a page for each with its course, and the
 * receipt of a payment that was made. The list's address holds its filters and its position.
 */

import { ownerHistoryPage } from '@financial-agents/bus/messages/owner-activity'
import { accountPageClient } from '@financial-agents/contract/principal'
import { type ActivityFilters, activityView, operationView } from '@financial-agents/owner-pages/activity'
import { payeeOf } from '@financial-agents/owner-pages/payees'
import { refusals } from '@financial-agents/owner-pages/refusal'
import { pagePaths } from '@financial-agents/pages/page-paths'
import type { Reader } from '@financial-agents/pages/reader'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { FastifyInstance } from 'fastify'
import { listClientNames } from '../store/operator-grants.ts'
import { listGrantsOfOwner } from '../store/owner-grants.ts'
import { findOwner } from '../store/owners.ts'
import { findHistory, findOperation, findPayees } from './owner-activity.ts'
import { hiddenToken, redirect } from './page-request.ts'
import type { PageTools } from './page-tools.ts'
import { sendSignedIn } from './signed-in.ts'

type Query = Readonly<Record<string, unknown>>

const pageSize = 50

export function addActivityPages(app: FastifyInstance, tools: PageTools): void {
  const { sessions, db, clock } = tools

  app.get<{ Querystring: Query }>(pagePaths.accountActivity, async (request, reply) => {
    const session = await sessions.find(request, 'use')
    if (!session) return redirect(reply, pagePaths.account)
    const { ownerId } = session
    const filters = readFilters(request.query)
    const found = await findHistory(tools, {
      owner_id: ownerId,
      client_id: filters.application ?? null,
      mandate_id: filters.mandate ?? null,
      payments_only: filters.only === 'payments' || filters.mandate !== undefined,
      ...boundsOf(filters.month),
      after: readPosition(request.query['after']),
      limit: Math.min(pageSize + 1, ownerHistoryPage),
    })
    const operations = found?.slice(0, pageSize)
    const [owner, grants, payees] = await Promise.all([
      findOwner(db, ownerId),
      listGrantsOfOwner(db, ownerId, clock.now()),
      findPayees(tools, ownerId, operations ?? []),
    ])
    const applications = new Map(grants.map(({ client_id, label, client_name }) => [client_id, label ?? client_name]))
    const last = (found?.length ?? 0) > pageSize ? operations?.at(-1) : undefined
    const reader = tools.readers.of(request, owner)
    const names = await namesOf(tools, operations ?? [], reader)
    const view = activityView({
      operations,
      payees,
      names: new Map([...names, ...applications]),
      applications: [...applications],
      months: lastMonths(clock.now()),
      filters,
      older: last && `${last.created_at}~${last.operation_id}`,
      reader,
      hidden: hiddenToken(tools, 'session', session.uid),
    })
    return sendSignedIn(tools, reply, session, view, { grants })
  })

  app.get<{ Params: { operationId: string } }>(pagePaths.accountOperation, async (request, reply) => {
    const session = await sessions.find(request, 'use')
    if (!session) return redirect(reply, pagePaths.account)
    const found = await findOperation(tools, session.ownerId, request.params.operationId)
    if (!found) throw refusals.notFound()
    const { operation, moves, memo } = found
    const owner = await findOwner(db, session.ownerId)
    const reader = tools.readers.of(request, owner)
    const [payees, names] = await Promise.all([
      findPayees(tools, session.ownerId, [operation]),
      namesOf(tools, [operation], reader),
    ])
    const view = operationView({
      operation,
      moves,
      memo,
      payee: payeeOf(operation, payees),
      clientName: names.get(operation.client_id),
      ownerName: owner?.display_name ?? null,
      reader,
      hidden: hiddenToken(tools, 'session', session.uid),
    })
    return sendSignedIn(tools, reply, session, view)
  })
}

/** The names of applications by their ids. */
export async function namesOf(
  { db }: PageTools,
  of: readonly { client_id: string }[],
  reader: Reader,
): Promise<ReadonlyMap<string, string>> {
  const known = await listClientNames(
    db,
    of.map(({ client_id }) => client_id),
  )
  const names = known.map(({ client_id, name }) => [client_id, name] as const)
  return new Map([[accountPageClient, reader.say('activity')('you')], ...names])
}

/** Reads the filters of an address. A malformed value is ignored. */
function readFilters(query: Query): ActivityFilters {
  const text = (name: string, pattern: RegExp) => {
    const value = query[name]
    return typeof value === 'string' && pattern.test(value) ? value : undefined
  }
  const mandate = text('mandate', /./)
  return {
    application: text('application', /^[\w:.-]{1,200}$/),
    only: text('only', /^payments$/) as 'payments' | undefined,
    month: text('month', /^2\d{3}-(0[1-9]|1[0-2])$/),
    mandate: mandate !== undefined && isUuid(mandate) ? mandate : undefined,
  }
}

/** Reads the position in an address, which anybody can write. A malformed one is ignored. */
function readPosition(after: unknown): { created_at: string; id: string } | null {
  const [created_at = '', id = ''] = typeof after === 'string' ? after.split('~') : []
  return isTimestamp(created_at) && isUuid(id) ? { created_at, id } : null
}

/**
 * True for a moment as `toISOString` writes it, of the years 1 to 9999. PostgreSQL would fail the whole statement for
 * any other text.
 */
function isTimestamp(text: string): boolean {
  const timestamp = new Date(text)
  const year = timestamp.getUTCFullYear()
  return year >= 1 && year <= 9_999 && timestamp.toISOString() === text
}

/** Returns the first moments of a month and of the next one. The month is in UTC, as for the monthly limits. */
function boundsOf(month: string | undefined): { from: string | null; until: string | null } {
  if (month === undefined) return { from: null, until: null }
  const [year = 0, number = 1] = month.split('-').map(Number)
  const start = (index: number) => new Date(Date.UTC(year, index, 1)).toISOString()
  return { from: start(number - 1), until: start(number) }
}

/** The last twelve months in UTC, the present one first, as `2026-11`. */
function lastMonths(now: Date): string[] {
  return Array.from({ length: 12 }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}
