/**
 * The words that an owner confirms, in every language. The English messages are the words that the application received and that
 * were confirmed: see `views/confirmed-words.ts`.
 */

import type { FactLabel, OwnerIntent } from '@financial-agents/bus/messages/intents'
import { type Texts, words } from '@financial-agents/pages/words'

export const openingWords = words({
  mandate_create: {
    en: 'Let the payments below be made without asking you again.',
    de: 'Die folgenden Zahlungen dürfen ausgeführt werden, ohne Sie erneut zu fragen.',
    pt: 'Permitir que os pagamentos abaixo sejam feitos sem lhe voltar a perguntar.',
    fr: 'Autoriser les paiements ci-dessous sans vous redemander votre accord.',
    ar: 'السماح بإجراء الدفعات أدناه دون سؤالكم مرة أخرى.',
  },
  mandate_revoke: {
    en: 'End the repeated payments below. Nothing more is paid, and they cannot be brought back. Payments already sent are not called back.',
    de: 'Die folgenden wiederkehrenden Zahlungen beenden. Es wird nichts mehr gezahlt, und sie können nicht wiederhergestellt werden. Bereits gesendete Zahlungen werden nicht zurückgerufen.',
    pt: 'Terminar os pagamentos recorrentes abaixo. Nada mais é pago, e não podem ser repostos. Os pagamentos já enviados não são revertidos.',
    fr: 'Mettre fin aux paiements récurrents ci-dessous. Plus rien n’est payé, et ils ne peuvent pas être rétablis. Les paiements déjà envoyés ne sont pas rappelés.',
    ar: 'إنهاء المدفوعات المتكررة أدناه. لن يُدفع أي شيء بعد ذلك، ولا يمكن استعادتها. ولا تُسترد الدفعات المرسلة بالفعل.',
  },
  service_disconnect: {
    en: 'Disconnect from your financial provider. Each application below can no longer act for you there. You stay disconnected until you connect again.',
    de: 'Die Verbindung zu Ihrem Finanzanbieter trennen. Keine der folgenden Anwendungen kann dort noch für Sie handeln. Sie bleiben getrennt, bis Sie sich wieder verbinden.',
    pt: 'Desligar-se do seu prestador financeiro. Nenhuma das aplicações abaixo pode continuar a atuar lá por si. Fica desligado até se voltar a ligar.',
    fr: 'Couper la connexion avec votre prestataire financier. Aucune des applications ci-dessous ne peut plus y agir pour vous. La connexion reste coupée jusqu’à ce que vous vous reliiez de nouveau.',
    ar: 'قطع الاتصال بمزوّدكم المالي. لن يكون بإمكان أي من التطبيقات أدناه العمل هناك نيابةً عنكم. وتبقون دون اتصال حتى تتصلوا من جديد.',
  },
  transfer: {
    en: 'Pay from your spending account, once.',
    de: 'Einmal von Ihrem Ausgabenkonto zahlen.',
    pt: 'Pagar da sua conta de despesas, uma vez.',
    fr: 'Payer depuis votre compte de dépenses, une fois.',
    ar: 'الدفع من حساب الإنفاق لديكم، مرة واحدة.',
  },
} satisfies { readonly [A in OwnerIntent['action']]: Texts })

export const factLabelWords = words({
  'A day': { en: 'A day', de: 'Am Tag', pt: 'Por dia', fr: 'Par jour', ar: 'في اليوم' },
  'A month': { en: 'A month', de: 'Im Monat', pt: 'Por mês', fr: 'Par mois', ar: 'في الشهر' },
  'A week': { en: 'A week', de: 'In der Woche', pt: 'Por semana', fr: 'Par semaine', ar: 'في الأسبوع' },
  'Account of the payee': {
    en: 'Account of the payee',
    de: 'Konto des Zahlungsempfängers',
    pt: 'Conta do beneficiário',
    fr: 'Compte du bénéficiaire',
    ar: 'حساب المستفيد',
  },
  Added: { en: 'Added', de: 'Hinzugefügt', pt: 'Adicionado em', fr: 'Ajouté le', ar: 'أُضيف في' },
  Amount: { en: 'Amount', de: 'Betrag', pt: 'Montante', fr: 'Montant', ar: 'المبلغ' },
  'At most lost in all': {
    en: 'At most lost in all',
    de: 'Insgesamt höchstens verloren',
    pt: 'Perda máxima no total',
    fr: 'Perte maximale en tout',
    ar: 'أقصى خسارة إجمالًا',
  },
  'Each payment': {
    en: 'Each payment',
    de: 'Jede Zahlung',
    pt: 'Cada pagamento',
    fr: 'Chaque paiement',
    ar: 'كل دفعة',
  },
  'Each payment follows one of the rules': {
    en: 'Each payment follows one of the rules',
    de: 'Jede Zahlung folgt einer der Regeln',
    pt: 'Cada pagamento segue uma das regras',
    fr: 'Chaque paiement suit l’une des règles',
    ar: 'تتبع كل دفعة إحدى القواعد',
  },
  'In all': { en: 'In all', de: 'Insgesamt', pt: 'No total', fr: 'En tout', ar: 'الإجمالي' },
  'Left of it': { en: 'Left of it', de: 'Davon übrig', pt: 'Restante', fr: 'Restant', ar: 'المتبقي منها' },
  'Loses the connection': {
    en: 'Loses the connection',
    de: 'Verliert die Verbindung',
    pt: 'Perde a ligação',
    fr: 'Perd la connexion',
    ar: 'يفقد الاتصال',
  },
  Memo: { en: 'Memo', de: 'Verwendungszweck', pt: 'Descritivo', fr: 'Libellé', ar: 'ملاحظة' },
  'Name checked': {
    en: 'Name checked',
    de: 'Name geprüft',
    pt: 'Nome verificado',
    fr: 'Nom vérifié',
    ar: 'التحقق من الاسم',
  },
  'Named by': {
    en: 'Named by',
    de: 'Benannt von',
    pt: 'Nome indicado por',
    fr: 'Nom indiqué par',
    ar: 'الجهة التي ذكرت الاسم',
  },
  'Paid by': { en: 'Paid by', de: 'Ausgeführt von', pt: 'Pago por', fr: 'Payé par', ar: 'يدفعها' },
  Payee: { en: 'Payee', de: 'Zahlungsempfänger', pt: 'Beneficiário', fr: 'Bénéficiaire', ar: 'المستفيد' },
  'Payments left': {
    en: 'Payments left',
    de: 'Verbleibende Zahlungen',
    pt: 'Pagamentos restantes',
    fr: 'Paiements restants',
    ar: 'الدفعات المتبقية',
  },
  Purpose: { en: 'Purpose', de: 'Zweck', pt: 'Finalidade', fr: 'Motif', ar: 'الغرض' },
  Rules: { en: 'Rules', de: 'Regeln', pt: 'Regras', fr: 'Règles', ar: 'القواعد' },
  Until: { en: 'Until', de: 'Bis', pt: 'Até', fr: 'Jusqu’au', ar: 'حتى' },
} satisfies { readonly [L in FactLabel]: Texts })

export const factDataWords = words({
  amount: { en: '{amount}', de: '{amount}', pt: '{amount}', fr: '{amount}', ar: '{amount}' },
  at_most: {
    en: 'At most {amount}',
    de: 'Höchstens {amount}',
    pt: 'No máximo {amount}',
    fr: 'Au plus {amount}',
    ar: '{amount} كحد أقصى',
  },
  at_most_in: {
    en: 'At most {amount}, in at most {payments, plural, one {{payments} payment} other {{payments} payments}}',
    de: 'Höchstens {amount}, in höchstens {payments, plural, one {{payments} Zahlung} other {{payments} Zahlungen}}',
    pt: 'No máximo {amount}, em no máximo {payments, plural, one {{payments} pagamento} other {{payments} pagamentos}}',
    fr: 'Au plus {amount}, en au plus {payments, plural, one {{payments} paiement} other {{payments} paiements}}',
    ar: '{amount} كحد أقصى، في {payments, plural, zero {{payments} دفعة} one {دفعة واحدة} two {دفعتين} few {{payments} دفعات} many {{payments} دفعة} other {{payments} دفعة}} على الأكثر',
  },
  left_of: {
    en: '{amount} of {whole}',
    de: '{amount} von {whole}',
    pt: '{amount} de {whole}',
    fr: '{amount} sur {whole}',
    ar: '{amount} من {whole}',
  },
  count: { en: '{count}', de: '{count}', pt: '{count}', fr: '{count}', ar: '{count}' },
  none: { en: 'None', de: 'Keine', pt: 'Nenhuma', fr: 'Aucune', ar: 'لا توجد' },
  unchecked: {
    en: 'By nobody that we know of. The account may belong to somebody else.',
    de: 'Von niemandem, soweit wir wissen. Das Konto kann jemand anderem gehören.',
    pt: 'Por ninguém, que saibamos. A conta pode pertencer a outra pessoa.',
    fr: 'Par personne, à notre connaissance. Le compte peut appartenir à quelqu’un d’autre.',
    ar: 'لم يتحقق منه أحد بحسب علمنا. وقد يكون الحساب لشخص آخر.',
  },
  account: {
    en: '{name} ending in {last}',
    de: '{name} mit den Endziffern {last}',
    pt: '{name} a terminar em {last}',
    fr: '{name} se terminant par {last}',
    ar: '{name} ينتهي بـ {last}',
  },
})
