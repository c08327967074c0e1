/** An example of every body and answer, by the name of its schema; `Name.variant` where there are several. Invented data. */

const at = '2026-03-14T09:26:53.000Z'
const later = '2026-03-14T09:36:53.000Z'
const reference = '0195a1c2-7d4e-7b1a-9c3f-1f2e3d4c5b6a'
const eur = (value: string) => ({ value, ccy: 'EUR' })

const record = {
  provider_ref: 'ben_0001',
  client_reference: reference,
  status: 'active',
  settled_at: at,
  failure_reason: null,
}

const grantTerms = {
  payee_ref: 'ben_0001',
  ceilings: { each: '50', day: '100', week: '200', month: '300', all: '400' },
  uses: 10,
  ends_at: '2026-12-31T23:59:59Z',
}

const transferTerms = { payee_ref: 'ben_0001', amount: eur('20.00'), purpose: null, note: 'With thanks' }

const page = (path: string) => ({
  client_reference: reference,
  page_url: `https://provider.example/pages/${path}`,
  expires_at: later,
})

export const examples: Readonly<Record<string, unknown>> = {
  AccountNumberTerms: {
    terms: [{ ccy: 'EUR', monthly: eur('2.00'), inbound: { fixed: '0.10', basis_points: '5' }, settles_in_days: 1 }],
  },
  Accounts: {
    accounts: [
      {
        account_ref: 'acc_1',
        title: 'Everyday account',
        sort: 'current',
        ccy: 'EUR',
        status: 'open',
        available: '1250.10',
        booked: '1300.00',
        number_tail: '0154',
        opened_at: '2019-05-02T09:00:00+02:00',
      },
    ],
  },
  'ActionSearchAnswer.paused': {
    results: [{ provider_ref: 'crd_0001', state: 'paused', actions: [{ ...record, provider_ref: 'act_0001' }] }],
    more: false,
    as_of: at,
  },
  'ActionSearchAnswer.nothing': { results: [], more: false, as_of: at },
  'ApprovalResult.waiting': { approval: { status: 'waiting', approval_ref: 'apv_0001' } },
  'ApprovalResult.failed': {
    approval: { status: 'failed', approval_ref: 'apv_0001', failure_reason: 'account_closed' },
  },
  'ApprovalStarted.needed': {
    approval: { ...page('approve/8f2c'), status: 'waiting', approval_ref: 'apv_0001', check_after_ms: 2000 },
  },
  'ApprovalStarted.waived': { approval: { status: 'waived', client_reference: reference } },
  Assets: { assets: [{ ticker: 'BTC', title: 'Bitcoin', sort: 'coin', digits: 8 }] },
  CardReveal: { card_reveal: { ...page('card/77aa'), reveal_ref: 'rvl_0001', card_ref: 'crd_0001' } },
  Countries: { countries: [{ iso2: 'PT', iso3: 'PRT', display_name: 'Portugal' }] },
  'DeviceAuthenticationResult.waiting': { device_authentication: { status: 'waiting' } },
  'DeviceAuthenticationResult.approved': {
    device_authentication: {
      status: 'approved',
      credentials: 'example-connection-of-rui',
      customer: { customer_ref: 'per_1', full_name: 'Rui Prado', locale: 'pt-PT', time_zone: 'Europe/Lisbon' },
    },
  },
  DeviceAuthenticationStarted: {
    device_authentication: { ...page('sign-in/51bd'), authentication_ref: 'dva_0001' },
  },
  GrantTerms: grantTerms,
  Identity: { identity: { status: 'passed', reason: null, changed_at: '2025-11-02T10:00:00Z' } },
  IdentityCheck: { identity_check: { ...page('identity/90ef'), check_ref: 'idc_0001' } },
  'Limits.stated': {
    limits: {
      scheme_id: 'sepa_pt_eur',
      ccy: 'EUR',
      lowest: '0.01',
      highest: '25000.00',
      fee: { fixed: '0.00', basis_points: '0' },
      network: 'sepa.credit_transfer',
      note: { allowed: true, min: 0, max: 140 },
      purposes: [],
    },
  },
  'Limits.none': { limits: null },
  Movements: {
    movements: [
      {
        movement_ref: 'mov_0001',
        origin: 'purse',
        flow: 'debit',
        amount: eur('20.00'),
        stage: 'booked',
        text: 'With thanks',
        other_party: 'Rui Prado',
        mcc: null,
        card_ref: null,
        happened_at: '2026-03-14T10:26:53+01:00',
      },
    ],
    next_page: null,
  },
  'MutationAnswer.executed': { result: record },
  'MutationAnswer.pending': { result: { ...record, status: 'pending', settled_at: null } },
  NewAction: { client_reference: reference, valid_until: later },
  NewApproval: {
    client_reference: reference,
    return_url: 'https://api.example/return/5c1d',
    instruction: { type: 'transfer', terms: transferTerms },
  },
  NewBeneficiary: {
    client_reference: reference,
    valid_until: later,
    holder: { full_name: 'Rui Prado', alias: null },
    destination: {
      scheme_id: 'sepa_pt_eur',
      country_code: 'PT',
      currency_code: 'EUR',
      inputs: { iban: 'PT50000201231234567890154' },
    },
    third_party: true,
    purpose: null,
  },
  NewCard: { client_reference: reference, valid_until: later, title: 'Groceries', form: 'digital', ccy: 'EUR' },
  NewCardReveal: { client_reference: reference, card_ref: 'crd_0001' },
  NewDeviceAuthentication: { client_reference: reference, return_url: 'https://api.example/return/5c1d' },
  NewGrant: { client_reference: reference, valid_until: later, ...grantTerms },
  NewIdentityCheck: { client_reference: reference, return_url: null },
  NewPurchaseEstimate: { offer_ref: 'off_books', sku: 'books-20', quantity: 1, recipient: 'rui@example.com' },
  NewSandboxConnection: { approves: false },
  NewSandboxDecision: { page_url: 'https://provider.example/pages/approve/8f2c', decision: 'approve' },
  NewSandboxFault: { client_reference: reference, fault: 'settle_later' },
  NewSandboxSettlement: { client_reference: reference, as: 'active' },
  NewTransfer: { client_reference: reference, valid_until: later, ...transferTerms },
  NewTransferEstimate: { from_ccy: 'EUR', to_ccy: 'GBP', value: '100.00', fixed: 'from', payee_ref: null },
  NewTransferUnderGrant: { client_reference: reference, amount: eur('12.50'), note: 'October rent' },
  Offers: {
    offers: [{ offer_ref: 'off_books', title: 'Books', line: 'vouchers', guide_url: null, skus: ['books-20'] }],
  },
  Orders: {
    orders: [
      {
        order_ref: 'ord_0001',
        estimate_ref: 'est_0001',
        offer_ref: 'off_books',
        stage: 'delivered',
        total: eur('20.00'),
        released_at: at,
        changed_at: later,
      },
    ],
  },
  PayoutSchemes: {
    schemes: [
      {
        scheme_id: 'sepa_pt_eur',
        title: 'Portugal, SEPA',
        country_code: 'PT',
        currency_code: 'EUR',
        network: 'sepa.credit_transfer',
        inputs: [
          {
            name: 'iban',
            caption: 'IBAN',
            kind: 'text',
            regex: 'PT[0-9]{23}',
            min: 25,
            max: 25,
            choices: null,
            mandatory: true,
          },
        ],
        sample: { iban: 'PT50000201231234567890154' },
      },
    ],
  },
  Prices: { prices: [{ ticker: 'BTC', ccy: 'EUR', price: '61234.50', at }] },
  ProviderRecord: record,
  'PurchaseEstimate.estimate': { estimate: { estimate_ref: 'est_0001', total: eur('20.00'), good_until: later } },
  'PurchaseEstimate.not_offered': { not_offered: 'recipient' },
  Purse: { purse: { held: eur('1250.10'), promotional: eur('0.00'), owed: eur('12.40') } },
  Refusal: { error: { code: 'invalid_request' } },
  Sandbox: {
    faults: ['refuse', 'reject', 'settle_later', 'two_records', 'reopened', 'expire_approval'],
    payout_scheme: 'sepa_pt_eur',
    payment: eur('12.50'),
    approved_payment: eur('0.05'),
    card: { form: 'digital', ccy: 'EUR' },
    limits_scheme: 'sepa_pt_eur',
    transfer_estimate: { from_ccy: 'EUR', to_ccy: 'GBP', value: '100.00' },
    purchase_estimate: { offer_ref: 'off_books', sku: 'books-20', quantity: 1, recipient: 'rui@example.com' },
    price_ccy: 'EUR',
    reader: { credentials: 'example-connection-of-rui', card_ref: 'crd_0001' },
    other_reader: { credentials: 'example-connection-of-marta' },
  },
  SandboxConnection: { credentials: 'example-connection-2' },
  SandboxDone: {},
  'SearchAnswer.found': { results: [record], more: false, as_of: at },
  'SearchAnswer.nothing': { results: [], more: false, as_of: at },
  'TransferEstimate.estimate': {
    estimate: {
      give: eur('100.00'),
      receive: { value: '86.20', ccy: 'GBP' },
      rate: '0.862',
      charge: eur('0.50'),
      network: 'faster_payments',
      arrives_at: later,
      good_until: later,
    },
  },
  'TransferEstimate.not_offered': { not_offered: 'value' },
  TransferTerms: transferTerms,
}
