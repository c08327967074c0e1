/**
 * `POST /provider/v1/approvals` and `GET /provider/v1/approvals/{ref}`: prepare an approval for an instruction that may need
 * one, and read its decision. They move no money; preparing is idempotent by client reference.
 */

import { pathPattern } from '@financial-agents/provider-api/paths'
import { newApproval } from '@financial-agents/provider-api/shapes/hosted'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { type Approval, digestOf, type NewApproval } from '../approvals.ts'
import type { Fault } from '../faults.ts'
import { grantNeedsApproval, validateGrant, wordsOfGrant } from '../grants.ts'
import type { ReceivedBody } from '../mutation.ts'
import { findPayee } from '../payees.ts'
import { answerQuietly, Refused } from '../quiet-call.ts'
import type { TestUser } from '../test-users.ts'
import { transferNeedsApproval, validateTransfer, wordsOfTransfer } from '../transfers.ts'
import type { World } from '../world.ts'

type Asked = z.infer<typeof newApproval>

const checkAfterMs = 2_000

export function addApprovals(app: FastifyInstance, world: World, publicUrl: string | undefined): void {
  app.post(pathPattern('prepareApproval'), (request, reply) => {
    const parsed = newApproval.safeParse((request.body as ReceivedBody | undefined)?.value)
    const clientReference = parsed.data?.client_reference ?? null
    return answerQuietly(world, { kind: 'approval', clientReference, request, reply }, ({ testUser }, fault) => {
      if (!parsed.success) throw new Refused(400, 'invalid_request')
      if (fault?.script === 'fail') throw new Refused(422, fault.options.reason)
      const approval = prepare(world, testUser, parsed.data, fault)
      const status = world.approvals.status(approval)
      const shown = { approval_ref: approval.ref, client_reference: approval.clientReference, status }
      if (status === 'waived') return { approval: shown }
      const page_url = new URL(`/hosted/approvals/${approval.token}`, publicUrl ?? `http://${request.host}`).href
      const expires_at = new Date(approval.expiresAtMs).toISOString()
      return { approval: { ...shown, page_url, expires_at, check_after_ms: checkAfterMs } }
    })
  })

  app.get<{ Params: { ref: string } }>(pathPattern('readApproval'), (request, reply) => {
    const { ref } = request.params
    return answerQuietly(
      world,
      { kind: 'approval_read', clientReference: null, request, reply },
      (connection, fault) => {
        const approval = world.approvals.find(connection.testUser.id, ref)
        if (approval === undefined) throw new Refused(404, 'unknown_approval')
        if (fault?.script === 'fail') fail(approval, fault)
        const status = world.approvals.status(approval)
        return { approval: { approval_ref: ref, status, failure_reason: approval.reason } }
      },
    )
  })
}

function prepare(world: World, testUser: TestUser, asked: Asked, fault: Fault | undefined): Approval {
  const { client_reference: clientReference, return_url: returnUrl, instruction } = asked
  const { needed, ...shown } = consider(world, testUser, instruction)
  const approval = world.approvals.prepare({
    testUser: testUser.id,
    clientReference,
    digest: digestOf(instruction.terms),
    returnUrl,
    ...shown,
    decision: needed ? decisionOf(fault) : 'waived',
    expired: fault?.script === 'expire',
  })
  if (approval === undefined) throw new Refused(409, 'reference_reused')
  return approval
}

function consider(world: World, testUser: TestUser, { type, terms }: Asked['instruction']) {
  const reason = type === 'grant' ? validateGrant(world, testUser, terms) : validateTransfer(world, testUser, terms)
  if (reason !== undefined) throw new Refused(422, reason)
  const payee = findPayee(world, testUser.id, terms.payee_ref)?.content
  if (payee === undefined) throw new Refused(422, 'unknown_payee')
  return type === 'grant'
    ? { needed: grantNeedsApproval(testUser), title: 'A standing permission to pay', words: wordsOfGrant(payee, terms) }
    : {
        needed: transferNeedsApproval(testUser, terms.amount),
        title: 'A transfer',
        words: wordsOfTransfer(payee, terms),
      }
}

function decisionOf(fault: Fault | undefined): NewApproval['decision'] {
  if (fault?.script === 'approve') return 'approved'
  if (fault?.script === 'decline') return 'declined'
  return fault?.script === 'waive' ? 'waived' : undefined
}

function fail(approval: Approval, { options }: Fault): void {
  approval.decision = 'failed'
  approval.reason = options.reason
}
