import type { OwnerMandate } from '@financial-agents/bus/messages/resources'

/** A mandate in the form that beneficiaries sends. */
export function mandateOf(changes: Partial<OwnerMandate> = {}): OwnerMandate {
  return {
    id: '01990000-0000-7000-8000-000000000001',
    beneficiary_id: '01990000-0000-7000-8000-000000000002',
    beneficiary_name: 'Rui Prado',
    client_id: 'client-one',
    authorities: [],
    state: 'active',
    currency: 'EUR',
    authorized_clients: ['client-one'],
    authorized_rules: [],
    per_payment_max: '50',
    daily_max: '100',
    weekly_max: '200.5',
    monthly_max: '300',
    total_cap: '400',
    payment_count: 10,
    remaining: { daily: '87.5', weekly: '200.5', monthly: '0', total: '0.000000000000000001', payments: 9 },
    expires_at: '2026-12-24T10:00:00.000Z',
    operation_id: '01990000-0000-7000-8000-000000000003',
    created_at: '2026-11-20T10:00:00.000Z',
    updated_at: '2026-11-20T10:00:00.000Z',
    ...changes,
  }
}
