import { mkdtempSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { startStack } from '../stack.ts'
import { connectBus } from '@financial-agents/bus/connect'
import { callRoute, call } from '@financial-agents/bus/rpc'
import pg from 'pg'
const folder = mkdtempSync('/tmp/scratch-stack-')
const t0 = performance.now()
const stack = await startStack({ folder, log: (l) => console.log(l), environment: { beneficiaries: { SWEEP_PAUSE_MS: '200', DRAFT_DECIDE_AFTER_MS: '1500', PENDING_PULL_AFTER_MS: '3000', LOG_LEVEL: 'info' } } })
console.log('ready', performance.now() - t0)
try {
  const gw = await connectBus({ servers: stack.nats.server.url, name: 'gateway', nkeySeed: stack.nats.seeds.gateway, onStatus: () => {} })
  const authz = await connectBus({ servers: stack.nats.server.url, name: 'authz', nkeySeed: stack.nats.seeds.authz, onStatus: () => {} })
  const owner_id = '01980000-0000-7000-8000-000000000001'
  const [b] = await call(authz, 'int.onboarding.bindings', { owner_ids: [owner_id] }, { requestId: 'r', traceparent: '', timeoutMs: 1000 })
  console.log('binding', b)
  const principal = { owner_id, subject: 's', client_id: 'ines-agent', grant_id: randomUUID(), binding_id: b!.binding_id }
  const body = { country: 'PT', currency: 'EUR', details: { iban: 'PT50000201231234567890154' }, name: 'Rui', payout_schema_id: 'sepa_pt_eur' }
  const tp = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const create = (key: string, timeoutMs = 5000) => callRoute(gw, 'rpc.beneficiaries.createBeneficiary', { params: {}, query: {}, body, idempotency: { key, request_hash: 'h'.repeat(43) } }, { requestId: randomUUID(), traceparent: tp, timeoutMs, principal }).catch((e) => ({ ok: false, problem: { code: String(e.name) } }) as any)
  const list = async () => ((await callRoute(gw, 'rpc.beneficiaries.listBeneficiaries', { params: {}, query: { limit: '100' } }, { requestId: 'r', traceparent: tp, timeoutMs: 3000, principal })) as any)
  const key = randomUUID()
  const replies: any[] = await Promise.all(Array.from({ length: 200 }, () => create(key)))
  console.log('200 equal:', new Set(replies.map((r) => r.data?.id)).size, 'ids;', replies.filter((r) => r.ok && !r.replayed).length, 'not replayed;', replies.filter((r) => !r.ok).map((r) => r.problem.code))
  // throughput
  for (const n of [500, 3000]) { const t = performance.now(); let done = 0; await Promise.all(Array.from({ length: 64 }, async () => { while (done < n) { done++; const r: any = await create(randomUUID()); if (!r.ok) console.log(r.problem) } })); console.log('creates/s', Math.round(n / (performance.now() - t) * 1000)) }
  await new Promise((r) => setTimeout(r, 3000))
  const db = new pg.Client({ connectionString: stack.postgres.adminUrl }); await db.connect()
  console.log((await db.query('select state, count(*) from beneficiaries.beneficiaries group by 1')).rows)
  // crash at each failpoint
  for (const fp of ['draft.before_commit', 'draft.after_commit', 'accept.before_send', 'accept.after_send', 'pending.before_commit', 'pending.after_commit', 'events.before_commit', 'events.after_commit']) {
    await stack.kill('beneficiaries'); await stack.start('beneficiaries', { FAILPOINT: fp })
    const k = randomUUID(); const first: any = await create(k, 2000)
    await new Promise((r) => setTimeout(r, 600))
    const dead = !stack.processes.get('beneficiaries')?.some((p) => p.child.isRunning())
    await stack.kill('beneficiaries'); await stack.start('beneficiaries')
    const again: any = await create(k)
    await new Promise((r) => setTimeout(r, 4500))
    const rows = (await db.query('select state, operation_id = $2 as mine from beneficiaries.beneficiaries where idempotency_key = $1', [k, again.data?.id])).rows
    const drafts = (await db.query(`select state, count(*)::int from beneficiaries.beneficiaries where state in ('draft','pending','void') group by 1`)).rows
    console.log(fp, 'died', dead, '| first', first.ok ? 'ok' : first.problem.code, '| again', again.ok ? (again.replayed ? 'replayed' : 'new') : again.problem.code, JSON.stringify(rows), JSON.stringify(drafts))
  }
  // sweep failpoints: drafts left by a crash after commit and never repeated
  await stack.kill('beneficiaries'); await stack.start('beneficiaries', { FAILPOINT: 'draft.after_commit' })
  const k1 = randomUUID(); await create(k1, 1500)
  for (const fp of ['sweep.before_send', 'sweep.after_send', 'void.before_commit', 'void.after_commit']) {
    await stack.kill('beneficiaries'); await stack.start('beneficiaries', { FAILPOINT: fp }).catch(() => {}); await new Promise((r) => setTimeout(r, 4500))
    console.log(fp, 'died', !stack.processes.get('beneficiaries')?.some((p) => p.child.isRunning()))
  }
  await stack.kill('beneficiaries'); await stack.start('beneficiaries'); await new Promise((r) => setTimeout(r, 4000))
  console.log((await db.query('select state, count(*) from beneficiaries.beneficiaries group by 1')).rows)
  console.log('ledger', await (await fetch(stack.providerUrl + '/control/ledger/summary')).json())
  await db.end(); await gw.connection.close(); await authz.connection.close()
} catch (e) { console.error(e) } finally { await stack.stop() }
console.log(folder)
process.exit(0)
