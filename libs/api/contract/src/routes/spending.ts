/** Spending area: the owner's spending account, and withdrawals from it. */

import { confirmationProblems } from '../problem-catalogue.ts'
import { route } from '../route.ts'
import { spendingAccount } from '../schemas/account.ts'
import { operation } from '../schemas/operation.ts'
import { paymentCheck } from '../schemas/payment-check.ts'
import { createWithdrawalBody } from '../schemas/withdrawal.ts'

export const spendingRoutes = {
  getSpendingAccount: route({
    summary: 'Read the spending account',
    method: 'GET',
    path: '/v1/spending-account',
    client: 'spending.get',
    capability: 'spending.read',
    area: 'spending',
    service: 'spending',
    scope: 'spending:read',
    binding: true,
    response: spendingAccount,
    problems: ['provider_unavailable'],
  }),
  createWithdrawal: route({
    summary: 'Withdraw from the spending account',
    description:
      'Checked against the limits of the provider and the ceilings of the grant. A withdrawal has no resource of its own: read its operation.',
    method: 'POST',
    path: '/v1/spending-account/withdrawals',
    client: 'spending.pay',
    cli: 'pay {amount} {currency} --to {beneficiary_id} --reference {memo} --intent rent-2026-11',
    opens: 'transfer',
    area: 'spending',
    service: 'spending',
    scope: 'spending:withdraw',
    keyed: true,
    binding: true,
    capability: 'transfers.execute',
    confirmation: { action: 'transfer', needed: 'by_policy' },
    policy: true,
    body: createWithdrawalBody,
    status: 202,
    response: operation,
    problems: ['grant_ceiling_exceeded', ...confirmationProblems, 'provider_unavailable'],
  }),
  checkWithdrawal: route({
    summary: 'Check a withdrawal before it is made',
    description: 'The same checks as those of the withdrawal, over the same body.',
    method: 'POST',
    path: '/v1/spending-account/withdrawals/check',
    client: 'spending.checkPayment',
    area: 'payment-checks',
    service: 'spending',
    scope: 'spending:withdraw',
    binding: true,
    capability: 'transfers.execute',
    policy: true,
    body: createWithdrawalBody,
    response: paymentCheck,
    problems: ['provider_unavailable'],
  }),
}
