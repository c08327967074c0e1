/**
 * `POST /provider/v1/approvals` and `GET /provider/v1/approvals/{reference}`: prepare an approval for an instruction that may need
 * one, and read its decision. They move no money; preparing is idempotent by client reference.
 */

import { newApproval } from '@financial-agents/provider-http/api/hosted'
import { pathPattern } from '@financial-agents/provider-http/api/paths'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { type Approval, digestOf, type NewApproval } from '../approvals.ts'
import { findBeneficiary } from '../beneficiaries.ts'
import type { Fault } from '../faults.ts'
import { mandateNeedsApproval, validateMandate, wordsOfMandate } from '../mandates.ts'
import type { ReceivedBody } from '../mutation.ts'
import { answerQuietly, Refused } from '../quiet-call.ts'
import type { TestUser } from '../test-users.ts'
import { transferNeedsApproval, validateTransfer, wordsOfTransfer } from '../transfers.ts'
import type { World } from '../world.ts'

type ApprovalRequest = z.infer<typeof newApproval>

const pollAfterMs = 2_000

export function addApprovals(app: FastifyInstance, world: World, publicUrl: string | undefined): void {
  app.post(pathPattern('prepareApproval'), (request, reply) => {
    const parsed = newApproval.safeParse((request.body as ReceivedBody | undefined)?.value)
    const clientReference = parsed.data?.client_reference ?? null
    return answerQuietly(world, { kind: 'approval', clientReference, request, reply }, ({ testUser }, fault) => {
      if (!parsed.success) throw new Refused(400, 'invalid_request')
      if (fault?.script === 'fail') throw new Refused(422, fault.options.reason)
      const approval = prepare(world, testUser, parsed.data, fault)
      const status = world.approvals.status(approval)
      const shown = { reference: approval.ref, client_reference: approval.clientReference, status }
      if (status === 'not_needed') return { data: shown }
      const hosted_url = new URL(`/hosted/approvals/${approval.token}`, publicUrl ?? `http://${request.host}`).href
      const expires_at = new Date(approval.expiresAtMs).toISOString()
      return { data: { ...shown, hosted_url, expires_at, poll_after_ms: pollAfterMs } }
    })
  })

  app.get<{ Params: { reference: string } }>(pathPattern('readApproval'), (request, reply) => {
    const { reference } = request.params
    return answerQuietly(
      world,
      { kind: 'approval_read', clientReference: null, request, reply },
      (connection, fault) => {
        const approval = world.approvals.find(connection.testUser.id, reference)
        if (approval === undefined) throw new Refused(404, 'unknown_approval')
        if (fault?.script === 'fail') fail(approval, fault)
        const status = world.approvals.status(approval)
        return { data: { reference, status, failure_code: approval.reason } }
      },
    )
  })
}

function prepare(world: World, testUser: TestUser, asked: ApprovalRequest, fault: Fault | undefined): Approval {
  const { client_reference: clientReference, return_url: returnUrl, instruction } = asked
  const { needed, ...shown } = consider(world, testUser, instruction)
  const approval = world.approvals.prepare({
    testUser: testUser.id,
    clientReference,
    digest: digestOf(instruction.terms),
    returnUrl,
    ...shown,
    decision: needed ? decisionOf(fault) : 'not_needed',
    expired: fault?.script === 'expire',
  })
  if (approval === undefined) throw new Refused(409, 'reference_reused')
  return approval
}

function consider(world: World, testUser: TestUser, { kind, terms }: ApprovalRequest['instruction']) {
  const reason =
    kind === 'mandate_create' ? validateMandate(world, testUser, terms) : validateTransfer(world, testUser, terms)
  if (reason !== undefined) throw new Refused(422, reason)
  const beneficiary = findBeneficiary(world, testUser.id, terms.beneficiary_reference)?.content
  if (beneficiary === undefined) throw new Refused(422, 'unknown_beneficiary')
  return kind === 'mandate_create'
    ? {
        needed: mandateNeedsApproval(testUser),
        title: 'A permission to pay',
        words: wordsOfMandate(beneficiary, terms),
      }
    : {
        needed: transferNeedsApproval(testUser, terms),
        title: 'A transfer',
        words: wordsOfTransfer(beneficiary, terms),
      }
}

function decisionOf(fault: Fault | undefined): NewApproval['decision'] {
  if (fault?.script === 'approve') return 'granted'
  if (fault?.script === 'decline') return 'declined'
  return fault?.script === 'waive' ? 'not_needed' : undefined
}

function fail(approval: Approval, { options }: Fault): void {
  approval.decision = 'failed'
  approval.reason = options.reason
}
