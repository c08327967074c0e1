/** The messages of the page about an authorization that its owner has decided. */

import { words } from '@financial-agents/pages/words'

export const decidedWords = words({
  allowed: {
    en: 'You allowed this application',
    de: 'Sie haben diese Anwendung erlaubt',
    pt: 'Autorizou esta aplicação',
    fr: 'Vous avez autorisé cette application',
    ar: 'لقد سمحتم لهذا التطبيق',
  },
  declined: {
    en: 'You did not allow this application',
    de: 'Sie haben diese Anwendung nicht erlaubt',
    pt: 'Não autorizou esta aplicação',
    fr: 'Vous n’avez pas autorisé cette application',
    ar: 'لم تسمحوا لهذا التطبيق',
  },
  allowedMore: {
    en: 'It has the access that you gave. Another answer here changes nothing.',
    de: 'Sie hat den Zugriff, den Sie erteilt haben. Eine weitere Antwort hier ändert nichts.',
    pt: 'Tem o acesso que concedeu. Outra resposta aqui não altera nada.',
    fr: 'Elle dispose de l’accès que vous avez accordé. Une autre réponse ici ne change rien.',
    ar: 'لديه إذن الوصول الذي منحتموه. ولا يغيّر أي رد آخر هنا شيئًا.',
  },
  endedMore: {
    en: 'The access that you gave does not work any more.',
    de: 'Der Zugriff, den Sie erteilt haben, gilt nicht mehr.',
    pt: 'O acesso que concedeu já não está em vigor.',
    fr: 'L’accès que vous aviez accordé n’est plus en vigueur.',
    ar: 'لم يعد إذن الوصول الذي منحتموه ساريًا.',
  },
  declinedMore: {
    en: 'It got no access by this request. Another answer here changes nothing.',
    de: 'Durch diese Anfrage hat sie keinen Zugriff erhalten. Eine weitere Antwort hier ändert nichts.',
    pt: 'Não obteve acesso com este pedido. Outra resposta aqui não altera nada.',
    fr: 'Elle n’a obtenu aucun accès par cette demande. Une autre réponse ici ne change rien.',
    ar: 'لم يحصل على أي إذن وصول بهذا الطلب. ولا يغيّر أي رد آخر هنا شيئًا.',
  },
  undo: {
    en: 'To take it back, end the access on <a>its page</a>.',
    de: 'Um es zurückzunehmen, beenden Sie den Zugriff auf <a>ihrer Seite</a>.',
    pt: 'Para voltar atrás, termine o acesso na <a>página da aplicação</a>.',
    fr: 'Pour revenir sur votre décision, mettez fin à l’accès sur <a>sa page</a>.',
    ar: 'للتراجع عن ذلك أنهوا إذن الوصول من <a>صفحته</a>.',
  },
  startAgain: {
    en: 'To allow it, start again in the application. What you allowed before is on <a>your account page</a>.',
    de: 'Um sie zu erlauben, beginnen Sie in der Anwendung neu. Was Sie früher erlaubt haben, steht auf <a>Ihrer Kontoseite</a>.',
    pt: 'Para a autorizar, recomece na aplicação. O que autorizou antes está na <a>página da sua conta</a>.',
    fr: 'Pour l’autoriser, recommencez dans l’application. Ce que vous avez autorisé auparavant figure sur <a>la page de votre compte</a>.',
    ar: 'للسماح له ابدؤوا من جديد من التطبيق. وما سمحتم به من قبل تجدونه في <a>صفحة حسابكم</a>.',
  },
  goOn: {
    en: 'Go on to the application',
    de: 'Weiter zur Anwendung',
    pt: 'Continuar para a aplicação',
    fr: 'Continuer vers l’application',
    ar: 'المتابعة إلى التطبيق',
  },
  goOnHere: { en: 'Go on', de: 'Weiter', pt: 'Continuar', fr: 'Continuer', ar: 'متابعة' },
})
