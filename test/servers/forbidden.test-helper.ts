/**
 * Forbidden actions on NATS, written by hand. Each line names the users that may do it. The server denies it to all
 * others, whatever the tables of the code say.
 */

import type { UserName } from '@financial-agents/bus/topology'

/** One action on NATS. */
export type Attempt = {
  act: 'publish' | 'subscribe'
  subject: string
  queue?: string
  /** The users that may do it. */
  but?: readonly UserName[]
}

const publish = (subject: string, ...but: UserName[]): Attempt => ({ act: 'publish', subject, but })
const subscribe = (subject: string, ...but: UserName[]): Attempt => ({ act: 'subscribe', subject, but })
const inQueue = (queue: string, subject: string, ...but: UserName[]): Attempt => ({
  act: 'subscribe',
  subject,
  queue,
  but,
})

/** Inboxes of others: to forge a reply or to read along. */
const inboxes: Attempt[] = [
  subscribe('_INBOX.>'),
  subscribe('_INBOX.*.>'),
  subscribe('_INBOX.gateway.>', 'gateway'),
  subscribe('_INBOX.submitter.>', 'submitter'),
  subscribe('_INBOX.authz.>', 'authz'),
  subscribe('_INBOX.ops-console.>', 'ops-console'),
  publish('_INBOX.gateway.forged', 'gateway'),
  publish('_INBOX.provisioner.forged', 'authz', 'operations', 'submitter', 'beneficiaries', 'onboarding'),
  publish('_INBOX.reconciler.forged', 'onboarding'),
  publish('_INBOX.cards.forged', 'operations', 'onboarding'),
]

/** Requests to other services: to take them or to answer them in their place. */
const answers: Attempt[] = [
  subscribe('rpc.>'),
  subscribe('rpc.operations.getOperation'),
  inQueue('operations', 'rpc.>'),
  inQueue('mine', 'rpc.operations.>'),
  inQueue('operations', 'rpc.operations.>', 'operations'),
  inQueue('authz', 'rpc.authz.>', 'authz'),
  inQueue('ops-console', 'rpc.ops-console.>', 'ops-console'),
  subscribe('int.>'),
  subscribe('int.onboarding.credentials'),
  inQueue('onboarding', 'int.onboarding.>', 'onboarding'),
  inQueue('submitter', 'int.submitter.>', 'submitter'),
  subscribe('edge.>'),
  subscribe('edge.counts', 'gateway'),
  subscribe('evt.>'),
  subscribe('evt.grants', 'gateway'),
  subscribe('_R_.>'),
]

/** Requests that only certain services may send. */
const questions: Attempt[] = [
  publish('rpc.operations.listOperations', 'gateway'),
  publish('rpc.authz.http', 'gateway'),
  publish('int.operations.accept', 'beneficiaries', 'cards', 'spending', 'onboarding'),
  publish('int.operations.payloads', 'submitter'),
  publish('int.operations.decide-intent', 'authz'),
  publish('int.submitter.fence', 'authz', 'onboarding', 'beneficiaries'),
  publish('int.submitter.confirm', 'operations', 'reconciler'),
  publish('int.reconciler.late-answer', 'submitter'),
  publish('int.authz.suspend-grant', 'ops-console', 'provisioner'),
  publish('int.operations.witness', 'provisioner', 'ops-console'),
  publish('int.operations.lost', 'provisioner', 'ops-console'),
  publish('int.operations.recover', 'provisioner'),
  publish('int.submitter.recover', 'provisioner'),
  publish('int.operations.reserve-again', 'provisioner'),
  publish('int.beneficiaries.reserve-again', 'provisioner'),
  publish('int.beneficiaries.repeat-end', 'provisioner'),
  publish('int.onboarding.repeat-end', 'provisioner'),
  publish('int.authz.repeat-end', 'provisioner'),
  publish('int.onboarding.disconnect', 'authz'),
  publish('int.beneficiaries.owner-mandates', 'authz'),
  publish('int.operations.nobody-asks-this'),
  publish('edge.proof.0123456789abcdef', 'gateway'),
  publish('edge.counts', 'gateway'),
  publish('evt.grants', 'authz'),
]

/** The streams: publishing, consuming and creating. */
const streams: Attempt[] = [
  publish('ops.submit.transfer', 'operations'),
  publish('ops.event.transfer', 'operations', 'submitter', 'reconciler'),
  publish('ops.other'),
  subscribe('ops.>'),
  subscribe('ops.submit.>'),
  publish('$JS.API.INFO', 'provisioner'),
  publish('$JS.API.STREAM.CREATE.MINE', 'provisioner'),
  publish('$JS.API.STREAM.UPDATE.OPS_SUBMIT', 'provisioner'),
  publish('$JS.API.STREAM.DELETE.OPS_SUBMIT', 'provisioner'),
  publish('$JS.API.STREAM.PURGE.OPS_EVENT', 'provisioner'),
  publish('$JS.API.STREAM.INFO.OPS_EVENT', 'provisioner'),
  publish('$JS.API.STREAM.MSG.GET.OPS_EVENT', 'operations', 'provisioner'),
  publish('$JS.API.STREAM.MSG.DELETE.OPS_EVENT', 'provisioner'),
  publish('$JS.API.STREAM.SNAPSHOT.OPS_EVENT', 'provisioner'),
  publish('$JS.API.DIRECT.GET.OPS_SUBMIT', 'provisioner'),
  publish('$JS.API.CONSUMER.CREATE.OPS_EVENT.mine', 'provisioner'),
  publish('$JS.API.CONSUMER.DURABLE.CREATE.OPS_SUBMIT.submitter', 'provisioner'),
  publish('$JS.API.CONSUMER.DELETE.OPS_SUBMIT.submitter', 'provisioner'),
  publish('$JS.API.CONSUMER.PAUSE.OPS_EVENT.operations', 'provisioner'),
  publish('$JS.API.CONSUMER.MSG.NEXT.OPS_SUBMIT.submitter', 'submitter', 'provisioner'),
  publish('$JS.API.CONSUMER.MSG.NEXT.OPS_EVENT.notifier', 'notifier', 'provisioner'),
  publish('$JS.ACK.OPS_SUBMIT.submitter.1.1.1.1.0', 'submitter'),
  publish('$JS.ACK.OPS_EVENT.reconciler.1.1.1.1.0', 'reconciler'),
  subscribe('$JS.>'),
  subscribe('$JS.EVENT.>'),
]

/** The witness: to write it, or to make it forget. */
const witness: Attempt[] = [
  publish('witness.operations.epoch', 'operations', 'provisioner'),
  publish('witness.operations.mark.0123456789abcdef', 'operations', 'provisioner'),
  publish('witness.submitter.mark.0123456789abcdef', 'submitter', 'provisioner'),
  publish('witness.submitter.loss', 'submitter', 'provisioner'),
  publish('witnessed.ends.grant', 'submitter'),
  publish('witnessed.payments', 'operations'),
  subscribe('witness.>'),
  publish('$JS.API.STREAM.MSG.GET.WITNESS', 'operations', 'submitter', 'provisioner'),
  publish('$JS.API.STREAM.PURGE.WITNESS', 'operations', 'submitter', 'provisioner'),
  publish('$JS.API.STREAM.DELETE.WITNESS', 'provisioner'),
  publish('$JS.API.STREAM.PURGE.WITNESS_ENDS', 'provisioner'),
  publish('$JS.API.STREAM.PURGE.WITNESS_PAYMENTS', 'provisioner'),
]

/** The server itself. */
const server: Attempt[] = [
  publish('$SYS.REQ.SERVER.PING'),
  publish('$SYS.REQ.ACCOUNT.CORE.CONNZ'),
  subscribe('$SYS.>'),
  subscribe('$SYS.ACCOUNT.CORE.>'),
  subscribe('>'),
  subscribe('*.>'),
  subscribe('*'),
]

export const attempts: readonly Attempt[] = [...inboxes, ...answers, ...questions, ...streams, ...witness, ...server]
