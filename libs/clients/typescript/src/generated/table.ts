// Written by `pnpm gen` from libs/api/contract; change the table it comes from.

/** Every method of the client, by resource, as `row.ts` reads it: method, path, then marks. */
export const table = {
  system: {
    health: 'GET /v1/health open',
    metadata: 'GET /v1/metadata open',
    publicConfig: 'GET /v1/public-config open',
    openapi: 'GET /v1/openapi.json open',
  },
  authorization: {
    get: 'GET /v1/authorization',
  },
  confirmations: {
    create: 'POST /v1/confirmation-intents body',
    get: 'GET /v1/confirmation-intents/{intent_id}',
  },
  identity: {
    get: 'GET /v1/identity',
  },
  operations: {
    list: 'GET /v1/operations query list',
    get: 'GET /v1/operations/{id} operation',
    pollApproval: 'POST /v1/operations/{operation_id}/approval/poll operation',
  },
  payments: {
    list: 'GET /v1/transfers query list',
    get: 'GET /v1/transfers/{transfer_id}',
  },
  webhooks: {
    create: 'POST /v1/webhook-subscriptions body once',
    list: 'GET /v1/webhook-subscriptions query list',
    get: 'GET /v1/webhook-subscriptions/{id}',
    delete: 'DELETE /v1/webhook-subscriptions/{id}',
    rotateSecret: 'POST /v1/webhook-subscriptions/{id}/rotate-secret status:200',
    deliveries: 'GET /v1/webhook-subscriptions/{id}/deliveries query list',
    resend: 'POST /v1/webhook-subscriptions/{id}/deliveries/{delivery_id}/resend status:200',
  },
  onboarding: {
    get: 'GET /v1/onboarding',
  },
  connection: {
    get: 'GET /v1/service-connections/current',
    disconnect: 'DELETE /v1/service-connections/current confirm:service_disconnect always once',
  },
  kyc: {
    get: 'GET /v1/kyc',
    startSession: 'POST /v1/kyc/sessions',
  },
  accounts: {
    list: 'GET /v1/accounts query list',
    get: 'GET /v1/accounts/{account_id}',
    withdrawalLimits: 'GET /v1/accounts/withdrawal-limits query',
  },
  activity: {
    list: 'GET /v1/activity query list',
  },
  beneficiaries: {
    create: 'POST /v1/beneficiaries body keyed:beneficiary_create',
    list: 'GET /v1/beneficiaries query list',
    get: 'GET /v1/beneficiaries/{beneficiary_id}',
    virtualAccountEconomics: 'GET /v1/beneficiaries/virtual-account-economics',
    addressCountries: 'GET /v1/beneficiaries/address-countries',
  },
  payoutSchemas: {
    list: 'GET /v1/beneficiaries/payout-schemas query list',
    get: 'GET /v1/beneficiaries/payout-schemas/{payout_schema_id}',
  },
  mandates: {
    create: 'POST /v1/mandates body keyed:mandate_create confirm:mandate_create always',
    list: 'GET /v1/mandates query list',
    get: 'GET /v1/mandates/{mandate_id}',
    suspend: 'POST /v1/mandates/{mandate_id}/suspend keyed:mandate_suspend',
    revoke: 'POST /v1/mandates/{mandate_id}/revoke keyed:mandate_revoke confirm:mandate_revoke always',
    pay: 'POST /v1/mandates/{mandate_id}/transfers body keyed:mandate_transfer',
    checkPayment: 'POST /v1/mandates/{mandate_id}/transfers/check body status:200 has:refusal',
  },
  cards: {
    create: 'POST /v1/cards body keyed:card_create',
    list: 'GET /v1/cards query list',
    get: 'GET /v1/cards/{card_id}',
    activity: 'GET /v1/cards/{card_id}/activity query list',
    freeze: 'POST /v1/cards/{card_id}/freeze keyed:card_freeze',
    unfreeze: 'POST /v1/cards/{card_id}/unfreeze keyed:card_unfreeze',
    close: 'POST /v1/cards/{card_id}/close keyed:card_close',
    reveal: 'POST /v1/cards/{card_id}/reveals',
  },
  spending: {
    get: 'GET /v1/spending-account',
    pay: 'POST /v1/spending-account/withdrawals body keyed:transfer confirm:transfer',
    checkPayment: 'POST /v1/spending-account/withdrawals/check body status:200 has:refusal',
  },
  quotes: {
    create: 'POST /v1/quotes body',
  },
  purchases: {
    createQuote: 'POST /v1/purchases/quotes body',
    getQuote: 'GET /v1/purchases/quotes/{quote_id}',
    list: 'GET /v1/purchases query list',
    get: 'GET /v1/purchases/{purchase_id}',
  },
  services: {
    list: 'GET /v1/services query list',
    get: 'GET /v1/services/{service_id}',
  },
  referenceData: {
    assets: 'GET /v1/reference-data/assets query open list',
    fiatPrices: 'GET /v1/reference-data/fiat-prices query open list',
  },
}
