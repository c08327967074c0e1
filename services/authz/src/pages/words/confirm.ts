/** The messages of a confirmation: the request, its facts, and what became of it. */

import type { OwnerIntent } from '@financial-agents/bus/messages/intents'
import { type Texts, words } from '@financial-agents/pages/words'

export const confirmWords = words({
  asks: {
    en: 'asks you to confirm',
    de: 'bittet Sie um Bestätigung',
    pt: 'pede a sua confirmação',
    fr: 'vous demande de confirmer',
    ar: 'يطلب تأكيدكم',
  },
  asked: { en: 'Asked', de: 'Angefragt', pt: 'Pedido em', fr: 'Demandé', ar: 'وقت الطلب' },
  before: {
    en: 'Decide before',
    de: 'Entscheiden bis',
    pt: 'Decidir antes de',
    fr: 'À décider avant',
    ar: 'اتخاذ القرار قبل',
  },
  only: {
    en: 'Confirm only what you expect. It allows exactly this, once. You can take it back here until the application has used it. If you decline before that, nothing happens.',
    de: 'Bestätigen Sie nur, was Sie erwarten. Es erlaubt genau dies, einmal. Bis die Anwendung es verwendet hat, können Sie es hier zurücknehmen. Wenn Sie vorher ablehnen, geschieht nichts.',
    pt: 'Confirme apenas o que espera. Autoriza exatamente isto, uma vez. Pode retirar a confirmação aqui até a aplicação a ter utilizado. Se recusar antes disso, nada acontece.',
    fr: 'Ne confirmez que ce que vous attendez. Cela autorise exactement ceci, une fois. Vous pouvez retirer votre confirmation ici tant que l’application ne l’a pas utilisée. Si vous refusez avant cela, rien ne se passe.',
    ar: 'لا تؤكدوا إلا ما تتوقعونه. التأكيد يسمح بهذا بالضبط، مرة واحدة. ويمكنكم سحبه هنا ما دام التطبيق لم يستخدمه. وإذا رفضتم قبل ذلك فلن يحدث شيء.',
  },
  confirm: { en: 'Confirm', de: 'Bestätigen', pt: 'Confirmar', fr: 'Confirmer', ar: 'تأكيد' },
  decline: { en: 'Decline', de: 'Ablehnen', pt: 'Recusar', fr: 'Refuser', ar: 'رفض' },
  original: {
    en: 'The words that you confirm',
    de: 'Der englische Wortlaut, den Sie bestätigen',
    pt: 'O texto em inglês que confirma',
    fr: 'Le texte anglais que vous confirmez',
    ar: 'النص الإنجليزي الذي تؤكدونه',
  },
  approvalFollows: {
    en: 'If your provider wants your approval too, “Go on” leads you there once the application has asked for this.',
    de: 'Wenn auch Ihr Anbieter Ihre Freigabe verlangt, führt „Weiter“ Sie dorthin, sobald die Anwendung dies angefragt hat.',
    pt: 'Se o seu prestador também quiser a sua aprovação, “Continuar” encaminha para lá assim que a aplicação o tiver pedido.',
    fr: 'Si votre prestataire veut aussi votre approbation, « Continuer » vous y conduit dès que l’application a fait cette demande.',
    ar: 'إذا طلب مزوّدكم موافقتكم أيضًا، تنقلكم «متابعة» إليه بمجرد أن يطلب التطبيق ذلك.',
  },
  goOn: { en: 'Go on', de: 'Weiter', pt: 'Continuar', fr: 'Continuer', ar: 'متابعة' },
  close: {
    en: 'You can close this page, or look at <a>your account</a>.',
    de: 'Sie können diese Seite schließen oder <a>Ihr Konto</a> ansehen.',
    pt: 'Pode fechar esta página ou ver <a>a sua conta</a>.',
    fr: 'Vous pouvez fermer cette page ou consulter <a>votre compte</a>.',
    ar: 'يمكنكم إغلاق هذه الصفحة أو الاطلاع على <a>حسابكم</a>.',
  },
  confirmed: { en: 'Confirmed', de: 'Bestätigt', pt: 'Confirmado', fr: 'Confirmé', ar: 'تم التأكيد' },
  confirmedMore: {
    en: 'The application can now ask for exactly this, once. Until it has, you can take it back here.',
    de: 'Die Anwendung kann jetzt genau dies anfragen, einmal. Bis sie das getan hat, können Sie es hier zurücknehmen.',
    pt: 'A aplicação pode agora pedir exatamente isto, uma vez. Até o fazer, pode retirar a confirmação aqui.',
    fr: 'L’application peut maintenant demander exactement ceci, une fois. Tant qu’elle ne l’a pas fait, vous pouvez retirer votre confirmation ici.',
    ar: 'يمكن للتطبيق الآن أن يطلب هذا بالضبط، مرة واحدة. وما لم يفعل ذلك يمكنكم سحب التأكيد هنا.',
  },
  declined: { en: 'Declined', de: 'Abgelehnt', pt: 'Recusado', fr: 'Refusé', ar: 'تم الرفض' },
  declinedMore: {
    en: 'Nothing happens, even if you confirmed it before. The application hears that you declined, and can ask you again.',
    de: 'Es geschieht nichts, auch wenn Sie es vorher bestätigt hatten. Die Anwendung erfährt, dass Sie abgelehnt haben, und kann Sie erneut fragen.',
    pt: 'Nada acontece, mesmo que o tenha confirmado antes. A aplicação fica a saber que recusou e pode voltar a perguntar-lhe.',
    fr: 'Rien ne se passe, même si vous l’aviez confirmé auparavant. L’application apprend que vous avez refusé et peut vous le demander de nouveau.',
    ar: 'لن يحدث شيء، حتى لو كنتم قد أكدتموه من قبل. ويُبلَّغ التطبيق برفضكم، ويمكنه أن يسألكم من جديد.',
  },
  consumed: {
    en: 'Confirmed and used',
    de: 'Bestätigt und verwendet',
    pt: 'Confirmado e utilizado',
    fr: 'Confirmé et utilisé',
    ar: 'تم التأكيد والاستخدام',
  },
  consumedMore: {
    en: 'The application has asked for what you confirmed, so you can no longer take it back here. It cannot ask for it again with this.',
    de: 'Die Anwendung hat angefragt, was Sie bestätigt haben; hier können Sie es nicht mehr zurücknehmen. Damit kann sie es nicht noch einmal anfragen.',
    pt: 'A aplicação pediu o que confirmou, por isso já não pode retirar a confirmação aqui. A aplicação não o pode voltar a pedir com ela.',
    fr: 'L’application a demandé ce que vous avez confirmé ; vous ne pouvez plus retirer votre confirmation ici. Elle ne peut pas le redemander avec cette confirmation.',
    ar: 'طلب التطبيق ما أكدتموه، فلم يعد بإمكانكم سحب التأكيد هنا. ولا يمكنه طلبه مرة أخرى بهذا التأكيد.',
  },
  takeBack: {
    en: 'Take it back',
    de: 'Zurücknehmen',
    pt: 'Retirar a confirmação',
    fr: 'Retirer la confirmation',
    ar: 'سحب التأكيد',
  },
  outcome: {
    en: 'See what became of it',
    de: 'Ansehen, was daraus geworden ist',
    pt: 'Ver o resultado',
    fr: 'Voir ce qu’il en est',
    ar: 'معرفة ما آل إليه الأمر',
  },
  expired: { en: 'Too late', de: 'Zu spät', pt: 'Demasiado tarde', fr: 'Trop tard', ar: 'فات الأوان' },
  expiredMore: {
    en: 'The time to decide is over and nothing happens. The application can ask you again.',
    de: 'Die Zeit zu entscheiden ist vorbei, und es geschieht nichts. Die Anwendung kann Sie erneut fragen.',
    pt: 'O prazo para decidir terminou e nada acontece. A aplicação pode voltar a perguntar-lhe.',
    fr: 'Le délai pour décider est passé et rien ne se passe. L’application peut vous le demander de nouveau.',
    ar: 'انتهى وقت اتخاذ القرار ولن يحدث شيء. ويمكن للتطبيق أن يسألكم من جديد.',
  },
})

/** Each action as a request to the owner. */
export const actionWords = words({
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
  service_disconnect: {
    en: 'End the connection to your provider',
    de: 'Die Verbindung zu Ihrem Anbieter beenden',
    pt: 'Terminar a ligação ao seu prestador',
    fr: 'Mettre fin à la connexion avec votre prestataire',
    ar: 'إنهاء الاتصال بمزوّدكم',
  },
  transfer: {
    en: 'Pay somebody',
    de: 'Jemanden bezahlen',
    pt: 'Pagar a alguém',
    fr: 'Payer quelqu’un',
    ar: 'دفع مبلغ لجهة',
  },
} satisfies { readonly [A in OwnerIntent['action']]: Texts })

/** The title of each page that asks. */
export const questionWords = words({
  mandate_create: {
    en: 'Set up repeated payments?',
    de: 'Wiederkehrende Zahlungen einrichten?',
    pt: 'Criar pagamentos recorrentes?',
    fr: 'Mettre en place des paiements récurrents ?',
    ar: 'هل تريدون إعداد مدفوعات متكررة؟',
  },
  mandate_revoke: {
    en: 'End repeated payments?',
    de: 'Wiederkehrende Zahlungen beenden?',
    pt: 'Terminar pagamentos recorrentes?',
    fr: 'Mettre fin à des paiements récurrents ?',
    ar: 'هل تريدون إنهاء مدفوعات متكررة؟',
  },
  service_disconnect: {
    en: 'End the connection to your provider?',
    de: 'Die Verbindung zu Ihrem Anbieter beenden?',
    pt: 'Terminar a ligação ao seu prestador?',
    fr: 'Mettre fin à la connexion avec votre prestataire ?',
    ar: 'هل تريدون إنهاء الاتصال بمزوّدكم؟',
  },
  transfer: {
    en: 'Pay this?',
    de: 'Diese Zahlung ausführen?',
    pt: 'Fazer este pagamento?',
    fr: 'Effectuer ce paiement ?',
    ar: 'هل تريدون إجراء هذه الدفعة؟',
  },
} satisfies { readonly [A in OwnerIntent['action']]: Texts })
