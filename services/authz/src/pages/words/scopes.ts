/**
 * The meaning of each scope, in words for the person whose money it is. `can` follows "It can". `short` says the same in
 * a few words, for lists, divided by commas.
 */

import type { Scope } from '@financial-agents/contract/scopes'
import { type Texts, words } from '@financial-agents/pages/words'

type OfScopes = { readonly [S in Scope | 'openid']: Texts }

export const canWords = words({
  openid: {
    en: 'Recognise you when you come back, by an identifier that applications of other makers do not get.',
    de: 'Sie bei Ihrer Rückkehr wiedererkennen, an einer Kennung, die Anwendungen anderer Hersteller nicht erhalten.',
    pt: 'Reconhecê-lo quando regressar, por um identificador que as aplicações de outros fabricantes não recebem.',
    fr: 'Vous reconnaître à votre retour, par un identifiant que les applications d’autres éditeurs ne reçoivent pas.',
    ar: 'التعرّف عليكم عند عودتكم بمعرّف لا تحصل عليه تطبيقات الجهات الأخرى.',
  },
  'identity:read': {
    en: 'Know your display name, your language and your time zone.',
    de: 'Ihren Anzeigenamen, Ihre Sprache und Ihre Zeitzone erfahren.',
    pt: 'Conhecer o seu nome de apresentação, o seu idioma e o seu fuso horário.',
    fr: 'Connaître votre nom d’affichage, votre langue et votre fuseau horaire.',
    ar: 'معرفة اسمكم المعروض ولغتكم ومنطقتكم الزمنية.',
  },
  'accounts:read': {
    en: 'See your accounts and the limits for withdrawing from them.',
    de: 'Ihre Konten und deren Auszahlungsgrenzen sehen.',
    pt: 'Ver as suas contas e os limites para levantar dinheiro delas.',
    fr: 'Voir vos comptes et les plafonds de leurs retraits.',
    ar: 'الاطلاع على حساباتكم وحدود السحب منها.',
  },
  'activity:read': {
    en: 'See the money that comes in and goes out.',
    de: 'Ihre Geldeingänge und Geldausgänge sehen.',
    pt: 'Ver o dinheiro que entra e que sai.',
    fr: 'Voir l’argent qui entre et qui sort.',
    ar: 'الاطلاع على الأموال الواردة والصادرة.',
  },
  'spending:read': {
    en: 'See your spending account: what it holds, what is credited and what is owed.',
    de: 'Ihr Ausgabenkonto sehen: Guthaben, Gutschriften und offene Beträge.',
    pt: 'Ver a sua conta de despesas: o saldo, o que lhe é creditado e o que está em dívida.',
    fr: 'Voir votre compte de dépenses : son solde, ce qui est crédité et ce qui est dû.',
    ar: 'الاطلاع على حساب الإنفاق لديكم: رصيده وما أُضيف إليه وما هو مستحق عليه.',
  },
  'beneficiaries:read': {
    en: 'See the people and companies that you can pay.',
    de: 'Die Personen und Unternehmen sehen, an die Sie zahlen können.',
    pt: 'Ver as pessoas e empresas a quem pode pagar.',
    fr: 'Voir les personnes et les entreprises que vous pouvez payer.',
    ar: 'الاطلاع على الأشخاص والشركات الذين يمكنكم الدفع لهم.',
  },
  'cards:read': {
    en: 'See your cards and what was paid with them, without card numbers.',
    de: 'Ihre Karten und die Zahlungen damit sehen, ohne Kartennummern.',
    pt: 'Ver os seus cartões e o que foi pago com eles, sem os números dos cartões.',
    fr: 'Voir vos cartes et ce qui a été payé avec elles, sans leurs numéros.',
    ar: 'الاطلاع على بطاقاتكم وما دُفع بها، دون أرقام البطاقات.',
  },
  'purchases:read': {
    en: 'See purchases and what they cost.',
    de: 'Käufe und deren Kosten sehen.',
    pt: 'Ver as compras e quanto custam.',
    fr: 'Voir les achats et leur coût.',
    ar: 'الاطلاع على المشتريات وتكلفتها.',
  },
  'kyc:read': {
    en: 'Know your display name, your language and your time zone, see whether you are connected and whether your identity is verified, and open the page where you verify it; it never sees your documents.',
    de: 'Ihren Anzeigenamen, Ihre Sprache und Ihre Zeitzone erfahren, sehen, ob Sie verbunden sind und ob Ihre Identität bestätigt ist, und die Seite öffnen, auf der Sie diese bestätigen; Ihre Dokumente sieht sie nie.',
    pt: 'Conhecer o seu nome de apresentação, o seu idioma e o seu fuso horário, ver se está ligado e se a sua identidade está verificada, e abrir a página onde a verifica; nunca vê os seus documentos.',
    fr: 'Connaître votre nom d’affichage, votre langue et votre fuseau horaire, voir si vous êtes relié et si votre identité est vérifiée, et ouvrir la page où vous la vérifiez ; elle ne voit jamais vos documents.',
    ar: 'معرفة اسمكم المعروض ولغتكم ومنطقتكم الزمنية، ومعرفة ما إذا كنتم متصلين وما إذا كانت هويتكم موثّقة، وفتح الصفحة التي توثّقونها فيها؛ ولا يرى وثائقكم أبدًا.',
  },
  'operations:read': {
    en: 'Follow what it started for you until it succeeds or fails.',
    de: 'Verfolgen, was sie für Sie begonnen hat, bis es gelingt oder scheitert.',
    pt: 'Acompanhar o que iniciou por si até que seja concluído ou falhe.',
    fr: 'Suivre ce qu’elle a lancé pour vous jusqu’à la réussite ou l’échec.',
    ar: 'متابعة ما بدأه نيابةً عنكم حتى ينجح أو يفشل.',
  },
  'authorization:read': {
    en: 'See what you allow it here, and its limits.',
    de: 'Sehen, was Sie ihr hier erlauben und welche Grenzen gelten.',
    pt: 'Ver o que lhe autoriza aqui e os respetivos limites.',
    fr: 'Voir ce que vous lui autorisez ici, et ses limites.',
    ar: 'الاطلاع على ما تسمحون له به هنا وعلى حدوده.',
  },
  'services:read': {
    en: 'See which services it may use for you; ending the connection to your provider takes your confirmation.',
    de: 'Sehen, welche Dienste sie für Sie nutzen darf; die Verbindung zu Ihrem Anbieter endet nur mit Ihrer Bestätigung.',
    pt: 'Ver que serviços pode usar por si; terminar a ligação ao seu prestador exige a sua confirmação.',
    fr: 'Voir quels services elle peut utiliser pour vous ; mettre fin à la connexion avec votre prestataire exige votre confirmation.',
    ar: 'الاطلاع على الخدمات التي يجوز له استخدامها نيابةً عنكم؛ أما إنهاء الاتصال بمزوّدكم فيتطلب تأكيدكم.',
  },
  'transfers:quote': {
    en: 'Ask what a transfer would cost, without making one.',
    de: 'Erfragen, was eine Überweisung kosten würde, ohne sie auszuführen.',
    pt: 'Perguntar quanto custaria uma transferência, sem a fazer.',
    fr: 'Demander ce que coûterait un virement, sans l’effectuer.',
    ar: 'الاستفسار عن تكلفة تحويل دون إجرائه.',
  },
  'beneficiaries:write': {
    en: 'Add people and companies that you can pay.',
    de: 'Personen und Unternehmen hinzufügen, an die Sie zahlen können.',
    pt: 'Adicionar pessoas e empresas a quem pode pagar.',
    fr: 'Ajouter des personnes et des entreprises que vous pouvez payer.',
    ar: 'إضافة أشخاص وشركات يمكنكم الدفع لهم.',
  },
  'cards:manage': {
    en: 'Create cards, freeze, unfreeze and close them, and open the page where the provider shows you a card’s number.',
    de: 'Karten erstellen, sperren, entsperren und schließen und die Seite öffnen, auf der Ihnen der Anbieter eine Kartennummer zeigt.',
    pt: 'Criar cartões, congelá-los, descongelá-los e encerrá-los, e abrir a página onde o prestador lhe mostra o número de um cartão.',
    fr: 'Créer des cartes, les bloquer, les débloquer et les clôturer, et ouvrir la page où le prestataire vous montre le numéro d’une carte.',
    ar: 'إنشاء بطاقات وتجميدها وإلغاء تجميدها وإغلاقها، وفتح الصفحة التي يعرض لكم فيها المزوّد رقم البطاقة.',
  },
  'spending:withdraw': {
    en: 'Move money: pay from your spending account, and set up repeated payments once you confirm each of them.',
    de: 'Geld bewegen: von Ihrem Ausgabenkonto zahlen und wiederkehrende Zahlungen einrichten, sobald Sie jede davon bestätigen.',
    pt: 'Movimentar dinheiro: pagar a partir da sua conta de despesas e criar pagamentos recorrentes depois de confirmar cada um deles.',
    fr: 'Déplacer de l’argent : payer depuis votre compte de dépenses et mettre en place des paiements récurrents une fois que vous avez confirmé chacun d’eux.',
    ar: 'تحريك الأموال: الدفع من حساب الإنفاق لديكم، وإعداد مدفوعات متكررة بعد أن تؤكدوا كلًا منها.',
  },
} satisfies OfScopes)

export const shortWords = words({
  openid: {
    en: 'recognise you',
    de: 'Sie wiedererkennen',
    pt: 'reconhecê-lo',
    fr: 'vous reconnaître',
    ar: 'التعرّف عليكم',
  },
  'identity:read': {
    en: 'know your display name',
    de: 'Ihren Anzeigenamen erfahren',
    pt: 'conhecer o seu nome de apresentação',
    fr: 'connaître votre nom d’affichage',
    ar: 'معرفة اسمكم المعروض',
  },
  'accounts:read': {
    en: 'see accounts',
    de: 'Konten sehen',
    pt: 'ver contas',
    fr: 'voir les comptes',
    ar: 'الاطلاع على الحسابات',
  },
  'activity:read': {
    en: 'see money coming in and going out',
    de: 'Geldeingänge und Geldausgänge sehen',
    pt: 'ver o dinheiro que entra e sai',
    fr: 'voir l’argent qui entre et qui sort',
    ar: 'الاطلاع على الأموال الواردة والصادرة',
  },
  'spending:read': {
    en: 'see the spending account',
    de: 'das Ausgabenkonto sehen',
    pt: 'ver a conta de despesas',
    fr: 'voir le compte de dépenses',
    ar: 'الاطلاع على حساب الإنفاق',
  },
  'beneficiaries:read': {
    en: 'see recipients',
    de: 'Empfänger sehen',
    pt: 'ver beneficiários',
    fr: 'voir les bénéficiaires',
    ar: 'الاطلاع على المستفيدين',
  },
  'cards:read': {
    en: 'see cards without their numbers',
    de: 'Karten ohne ihre Nummern sehen',
    pt: 'ver cartões sem os números',
    fr: 'voir les cartes sans leurs numéros',
    ar: 'الاطلاع على البطاقات دون أرقامها',
  },
  'purchases:read': {
    en: 'see purchases',
    de: 'Käufe sehen',
    pt: 'ver compras',
    fr: 'voir les achats',
    ar: 'الاطلاع على المشتريات',
  },
  'kyc:read': {
    en: 'know your display name, see whether you are verified',
    de: 'Ihren Anzeigenamen erfahren, sehen ob Ihre Identität bestätigt ist',
    pt: 'conhecer o seu nome de apresentação, ver se a sua identidade está verificada',
    fr: 'connaître votre nom d’affichage, voir si votre identité est vérifiée',
    ar: 'معرفة اسمكم المعروض، معرفة ما إذا كانت هويتكم موثّقة',
  },
  'operations:read': {
    en: 'follow what it started',
    de: 'verfolgen was sie begonnen hat',
    pt: 'acompanhar o que iniciou',
    fr: 'suivre ce qu’elle a lancé',
    ar: 'متابعة ما بدأه',
  },
  'authorization:read': {
    en: 'see what it is allowed',
    de: 'sehen was ihr erlaubt ist',
    pt: 'ver o que lhe é autorizado',
    fr: 'voir ce qui lui est autorisé',
    ar: 'الاطلاع على ما يُسمح له به',
  },
  'services:read': {
    en: 'see available services',
    de: 'verfügbare Dienste sehen',
    pt: 'ver os serviços disponíveis',
    fr: 'voir les services disponibles',
    ar: 'الاطلاع على الخدمات المتاحة',
  },
  'transfers:quote': {
    en: 'estimate transfers',
    de: 'Überweisungskosten schätzen',
    pt: 'estimar transferências',
    fr: 'estimer des virements',
    ar: 'تقدير تكلفة التحويلات',
  },
  'beneficiaries:write': {
    en: 'add recipients',
    de: 'Empfänger hinzufügen',
    pt: 'adicionar beneficiários',
    fr: 'ajouter des bénéficiaires',
    ar: 'إضافة مستفيدين',
  },
  'cards:manage': {
    en: 'create and manage cards',
    de: 'Karten erstellen und verwalten',
    pt: 'criar e gerir cartões',
    fr: 'créer et gérer des cartes',
    ar: 'إنشاء البطاقات وإدارتها',
  },
  'spending:withdraw': {
    en: 'move money',
    de: 'Geld bewegen',
    pt: 'movimentar dinheiro',
    fr: 'déplacer de l’argent',
    ar: 'تحريك الأموال',
  },
} satisfies OfScopes)

/** The powers that an application lacks without a scope, and the powers that no scope gives. */
export const cannotWords = words({
  'spending:withdraw': {
    en: 'Move money.',
    de: 'Geld bewegen.',
    pt: 'Movimentar dinheiro.',
    fr: 'Déplacer de l’argent.',
    ar: 'تحريك الأموال.',
  },
  'beneficiaries:write': {
    en: 'Add people or companies that you can pay.',
    de: 'Personen oder Unternehmen hinzufügen, an die Sie zahlen können.',
    pt: 'Adicionar pessoas ou empresas a quem pode pagar.',
    fr: 'Ajouter des personnes ou des entreprises que vous pouvez payer.',
    ar: 'إضافة أشخاص أو شركات يمكنكم الدفع لهم.',
  },
  'cards:manage': {
    en: 'Create, freeze or close cards.',
    de: 'Karten erstellen, sperren oder schließen.',
    pt: 'Criar, congelar ou encerrar cartões.',
    fr: 'Créer, bloquer ou clôturer des cartes.',
    ar: 'إنشاء بطاقات أو تجميدها أو إغلاقها.',
  },
  secrets: {
    en: 'See card numbers, your identity documents, or how you sign in at your provider.',
    de: 'Kartennummern, Ihre Ausweisdokumente oder die Art Ihrer Anmeldung bei Ihrem Anbieter sehen.',
    pt: 'Ver números de cartões, os seus documentos de identidade ou a forma como inicia sessão no seu prestador.',
    fr: 'Voir les numéros de carte, vos pièces d’identité ou la manière dont vous vous connectez chez votre prestataire.',
    ar: 'رؤية أرقام البطاقات أو وثائق هويتكم أو كيفية تسجيل دخولكم لدى مزوّدكم.',
  },
  others: {
    en: 'Allow other applications anything.',
    de: 'Anderen Anwendungen etwas erlauben.',
    pt: 'Autorizar o que quer que seja a outras aplicações.',
    fr: 'Autoriser quoi que ce soit à d’autres applications.',
    ar: 'السماح لتطبيقات أخرى بأي شيء.',
  },
})
