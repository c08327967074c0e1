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
import { grantNeedsApproval, judgeGrant, wordsOfGrant } from '../grants.ts'
import type { ReceivedBody } from '../mutation.ts'
import { findPayee } from '../payees.ts'
import type { Persona } from '../personas.ts'
import { answerQuietly, Refused } from '../quiet-call.ts'
import { judgeTransfer, transferNeedsApproval, wordsOfTransfer } from '../transfers.ts'
import type { World } from '../world.ts'

type Asked = z.infer<typeof newApproval>

const checkAfterMs = 2_000

export function addApprovals(app: FastifyInstance, world: World, publicUrl: string | undefined): void {
  app.post(pathPattern('prepareApproval'), (request, reply) => {
    const parsed = newApproval.safeParse((request.body as ReceivedBody | undefined)?.value)
    const clientReference = parsed.data?.client_reference ?? null
    return answerQuietly(world, { kind: 'approval', clientReference, request, reply }, ({ persona }, fault) => {
      if (!parsed.success) throw new Refused(400, 'invalid_request')
      if (fault?.script === 'fail') throw new Refused(422, fault.options.reason)
      const approval = prepare(world, persona, parsed.data, fault)
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
        const approval = world.approvals.find(connection.persona.id, ref)
        if (approval === undefined) throw new Refused(404, 'unknown_approval')
        if (fault?.script === 'fail') fail(approval, fault)
        const status = world.approvals.status(approval)
        return { approval: { approval_ref: ref, status, failure_reason: approval.reason } }
      },
    )
  })
}

function prepare(world: World, persona: Persona, asked: Asked, fault: Fault | undefined): Approval {
  const { client_reference: clientReference, return_url: returnUrl, instruction } = asked
  const { needed, ...shown } = consider(world, persona, instruction)
  const approval = world.approvals.prepare({
    persona: persona.id,
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

function consider(world: World, persona: Persona, { type, terms }: Asked['instruction']) {
  const reason = type === 'grant' ? judgeGrant(world, persona, terms) : judgeTransfer(world, persona, terms)
  if (reason !== undefined) throw new Refused(422, reason)
  const payee = findPayee(world, persona.id, terms.payee_ref)?.content
  if (payee === undefined) throw new Refused(422, 'unknown_payee')
  return type === 'grant'
    ? { needed: grantNeedsApproval(persona), title: 'A standing permission to pay', words: wordsOfGrant(payee, terms) }
    : {
        needed: transferNeedsApproval(persona, terms.amount),
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
