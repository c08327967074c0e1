/** The messages of operations: their kinds, their states, and why they failed. */

import type { OwnerOperation } from '@financial-agents/bus/messages/owner-activity'
import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import { type Texts, words } from '@financial-agents/pages/words'

/** The purpose of an operation, in words for its owner. */
export const kindWords = words({
  beneficiary_create: {
    en: 'Add somebody to pay',
    de: 'Zahlungsempfänger hinzufügen',
    pt: 'Adicionar um beneficiário',
    fr: 'Ajouter un bénéficiaire',
    ar: 'إضافة مستفيد',
  },
  card_close: {
    en: 'Close a card',
    de: 'Karte schließen',
    pt: 'Encerrar um cartão',
    fr: 'Clôturer une carte',
    ar: 'إغلاق بطاقة',
  },
  card_create: {
    en: 'Create a card',
    de: 'Karte erstellen',
    pt: 'Criar um cartão',
    fr: 'Créer une carte',
    ar: 'إنشاء بطاقة',
  },
  card_freeze: {
    en: 'Freeze a card',
    de: 'Karte sperren',
    pt: 'Congelar um cartão',
    fr: 'Bloquer une carte',
    ar: 'تجميد بطاقة',
  },
  card_unfreeze: {
    en: 'Unfreeze a card',
    de: 'Karte entsperren',
    pt: 'Descongelar um cartão',
    fr: 'Débloquer une carte',
    ar: 'إلغاء تجميد بطاقة',
  },
  mandate_create: {
    en: 'Set up repeated payments',
    de: 'Wiederkehrende Zahlungen einrichten',
    pt: 'Criar pagamentos recorrentes',
    fr: 'Mettre en place des paiements récurrents',
    ar: 'إعداد مدفوعات متكررة',
  },
  mandate_revoke: {
    en: 'End repeated payments',
    de: 'Wiederkehrende Zahlungen beenden',
    pt: 'Terminar pagamentos recorrentes',
    fr: 'Mettre fin à des paiements récurrents',
    ar: 'إنهاء مدفوعات متكررة',
  },
  mandate_suspend: {
    en: 'Pause repeated payments',
    de: 'Wiederkehrende Zahlungen pausieren',
    pt: 'Suspender pagamentos recorrentes',
    fr: 'Suspendre des paiements récurrents',
    ar: 'إيقاف مدفوعات متكررة',
  },
  mandate_transfer: {
    en: 'Make one of the repeated payments',
    de: 'Eine der wiederkehrenden Zahlungen ausführen',
    pt: 'Fazer um dos pagamentos recorrentes',
    fr: 'Effectuer l’un des paiements récurrents',
    ar: 'إجراء إحدى المدفوعات المتكررة',
  },
  transfer: {
    en: 'Pay somebody',
    de: 'Jemanden bezahlen',
    pt: 'Pagar a alguém',
    fr: 'Payer quelqu’un',
    ar: 'دفع مبلغ لجهة',
  },
  transfer_grant_revoke: {
    en: 'End the permission for transfers at the provider',
    de: 'Die Erlaubnis für Überweisungen beim Anbieter beenden',
    pt: 'Terminar a autorização de transferências no prestador',
    fr: 'Mettre fin à l’autorisation de virements chez le prestataire',
    ar: 'إنهاء إذن التحويلات لدى المزوّد',
  },
} satisfies { readonly [K in OperationKind]: Texts })

type State = OwnerOperation['state']

/** The messages of the states of an operation. */
export const stateTexts = words({
  requires_action: {
    en: 'Waiting for you',
    de: 'Wartet auf Sie',
    pt: 'À sua espera',
    fr: 'En attente de votre part',
    ar: 'بانتظاركم',
  },
  accepted: { en: 'Accepted', de: 'Angenommen', pt: 'Aceite', fr: 'Accepté', ar: 'مقبول' },
  submitting: { en: 'Being sent', de: 'Wird gesendet', pt: 'A ser enviado', fr: 'En cours d’envoi', ar: 'قيد الإرسال' },
  submitted: {
    en: 'At your provider',
    de: 'Bei Ihrem Anbieter',
    pt: 'No seu prestador',
    fr: 'Chez votre prestataire',
    ar: 'لدى مزوّدكم',
  },
  indeterminate: {
    en: 'Not known yet',
    de: 'Noch nicht bekannt',
    pt: 'Ainda não se sabe',
    fr: 'Pas encore connu',
    ar: 'غير معروف بعد',
  },
  succeeded: { en: 'Done', de: 'Erledigt', pt: 'Concluído', fr: 'Effectué', ar: 'تم' },
  failed: { en: 'Failed', de: 'Fehlgeschlagen', pt: 'Falhou', fr: 'Échoué', ar: 'فشل' },
  cancelled: {
    en: 'Cancelled before it was sent',
    de: 'Vor dem Senden abgebrochen',
    pt: 'Cancelado antes de ser enviado',
    fr: 'Annulé avant l’envoi',
    ar: 'أُلغي قبل إرساله',
  },
} satisfies { readonly [S in State]: Texts })

/** An explanation beyond the word, for the states that need one. */
export const stateMoreTexts = words({
  requires_action: {
    en: 'Your provider asks for your approval. The application is told where you give it.',
    de: 'Ihr Anbieter bittet um Ihre Freigabe. Der Anwendung wird mitgeteilt, wo Sie sie erteilen.',
    pt: 'O seu prestador pede a sua aprovação. A aplicação é informada de onde a dá.',
    fr: 'Votre prestataire demande votre approbation. L’application apprend où vous la donnez.',
    ar: 'يطلب مزوّدكم موافقتكم. ويُبلَّغ التطبيق بالموضع الذي تمنحونها فيه.',
  },
  accepted: {
    en: 'It waits to be sent to your provider, or is being sent just now.',
    de: 'Es wartet darauf, an Ihren Anbieter gesendet zu werden, oder wird gerade gesendet.',
    pt: 'Aguarda o envio ao seu prestador, ou está a ser enviado agora mesmo.',
    fr: 'Cela attend d’être envoyé à votre prestataire, ou est en cours d’envoi.',
    ar: 'ينتظر إرساله إلى مزوّدكم، أو يجري إرساله الآن.',
  },
  submitting: {
    en: 'We have begun to send it and do not know yet what your provider says.',
    de: 'Wir haben begonnen, es zu senden, und wissen noch nicht, was Ihr Anbieter sagt.',
    pt: 'Começámos a enviá-lo e ainda não sabemos o que diz o seu prestador.',
    fr: 'Nous avons commencé l’envoi et ne savons pas encore ce que répond votre prestataire.',
    ar: 'بدأنا إرساله ولا نعرف بعد ردّ مزوّدكم.',
  },
  submitted: {
    en: 'Your provider has it. We do not know yet how it ends.',
    de: 'Es liegt Ihrem Anbieter vor. Wir wissen noch nicht, wie es ausgeht.',
    pt: 'Está no seu prestador. Ainda não sabemos como termina.',
    fr: 'Votre prestataire l’a reçu. Nous ne savons pas encore quelle en est l’issue.',
    ar: 'وصل إلى مزوّدكم. ولا نعرف بعد كيف سينتهي.',
  },
  indeterminate: {
    en: 'We do not know yet whether your provider did this. We keep asking until it is proven, however long that takes; nothing will be sent again.',
    de: 'Wir wissen noch nicht, ob Ihr Anbieter dies ausgeführt hat. Wir fragen weiter, bis es erwiesen ist, wie lange das auch dauert; es wird nichts noch einmal gesendet.',
    pt: 'Ainda não sabemos se o seu prestador fez isto. Continuamos a perguntar até que esteja provado, demore o que demorar; nada será enviado novamente.',
    fr: 'Nous ne savons pas encore si votre prestataire l’a fait. Nous continuons de l’interroger jusqu’à ce que ce soit prouvé, aussi longtemps qu’il le faudra ; rien ne sera envoyé de nouveau.',
    ar: 'لا نعرف بعد ما إذا كان مزوّدكم قد نفّذ هذا. ونواصل السؤال حتى يثبت ذلك مهما طال الوقت؛ ولن يُرسل أي شيء مرة أخرى.',
  },
} satisfies { readonly [S in State]?: Texts })

export const failureTexts = words({
  notSent: {
    en: 'It could not be sent, so nothing happened at your provider.',
    de: 'Es konnte nicht gesendet werden, daher ist bei Ihrem Anbieter nichts geschehen.',
    pt: 'Não pôde ser enviado, por isso nada aconteceu no seu prestador.',
    fr: 'Cela n’a pas pu être envoyé, donc rien ne s’est passé chez votre prestataire.',
    ar: 'تعذّر إرساله، لذلك لم يحدث شيء لدى مزوّدكم.',
  },
  refused: {
    en: 'Your provider refused it. Nothing happened there.',
    de: 'Ihr Anbieter hat es abgelehnt. Dort ist nichts geschehen.',
    pt: 'O seu prestador recusou-o. Lá, nada aconteceu.',
    fr: 'Votre prestataire l’a refusé. Rien ne s’y est passé.',
    ar: 'رفضه مزوّدكم. ولم يحدث شيء هناك.',
  },
  unclear: {
    en: 'Your provider has not said clearly yet whether it took it.',
    de: 'Ihr Anbieter hat noch nicht eindeutig gesagt, ob er es angenommen hat.',
    pt: 'O seu prestador ainda não disse claramente se o aceitou.',
    fr: 'Votre prestataire n’a pas encore dit clairement s’il l’a accepté.',
    ar: 'لم يوضّح مزوّدكم بعد ما إذا كان قد قبله.',
  },
  identity: {
    en: 'Your provider first wants to know who you are. Nothing happened there.',
    de: 'Ihr Anbieter möchte zuerst wissen, wer Sie sind. Dort ist nichts geschehen.',
    pt: 'O seu prestador quer primeiro saber quem é. Lá, nada aconteceu.',
    fr: 'Votre prestataire veut d’abord savoir qui vous êtes. Rien ne s’y est passé.',
    ar: 'يريد مزوّدكم أولًا التحقق من هويتكم. ولم يحدث شيء هناك.',
  },
  settlement: {
    en: 'Your provider took it and said later that it had failed.',
    de: 'Ihr Anbieter hat es angenommen und später gesagt, dass es fehlgeschlagen ist.',
    pt: 'O seu prestador aceitou-o e disse mais tarde que tinha falhado.',
    fr: 'Votre prestataire l’a accepté, puis a indiqué que cela avait échoué.',
    ar: 'قبله مزوّدكم ثم أفاد لاحقًا بأنه فشل.',
  },
  withdrawn: {
    en: 'It was stopped before it was sent: the access, the connection or the repeated payments were no longer in force.',
    de: 'Es wurde vor dem Senden gestoppt: Der Zugriff, die Verbindung oder die wiederkehrenden Zahlungen waren nicht mehr in Kraft.',
    pt: 'Foi parado antes de ser enviado: o acesso, a ligação ou os pagamentos recorrentes já não estavam em vigor.',
    fr: 'Cela a été arrêté avant l’envoi : l’accès, la connexion ou les paiements récurrents n’étaient plus en vigueur.',
    ar: 'أُوقف قبل إرساله: لم يعد إذن الوصول أو الاتصال أو المدفوعات المتكررة ساريًا.',
  },
  late: {
    en: 'Your provider did not begin it in time, and will not do it now.',
    de: 'Ihr Anbieter hat nicht rechtzeitig damit begonnen und führt es jetzt nicht mehr aus.',
    pt: 'O seu prestador não o iniciou a tempo e já não o fará.',
    fr: 'Votre prestataire ne l’a pas commencé à temps et ne le fera plus.',
    ar: 'لم يبدأه مزوّدكم في الوقت المحدد، ولن ينفّذه الآن.',
  },
  declined: {
    en: 'You declined it at your provider. Nothing was sent.',
    de: 'Sie haben es bei Ihrem Anbieter abgelehnt. Es wurde nichts gesendet.',
    pt: 'Recusou-o no seu prestador. Nada foi enviado.',
    fr: 'Vous l’avez refusé chez votre prestataire. Rien n’a été envoyé.',
    ar: 'رفضتموه لدى مزوّدكم. ولم يُرسل شيء.',
  },
  notApproved: {
    en: 'You did not approve it at your provider in time. Nothing was sent.',
    de: 'Sie haben es bei Ihrem Anbieter nicht rechtzeitig freigegeben. Es wurde nichts gesendet.',
    pt: 'Não o aprovou a tempo no seu prestador. Nada foi enviado.',
    fr: 'Vous ne l’avez pas approuvé à temps chez votre prestataire. Rien n’a été envoyé.',
    ar: 'لم توافقوا عليه لدى مزوّدكم في الوقت المحدد. ولم يُرسل شيء.',
  },
})
