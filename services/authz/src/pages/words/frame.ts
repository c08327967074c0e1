/** The messages around every page of a signed-in owner: the ways to other pages, and what waits. */

import { words } from '@financial-agents/pages/words'

export const headerWords = words({
  signOut: { en: 'Sign out', de: 'Abmelden', pt: 'Terminar sessão', fr: 'Se déconnecter', ar: 'تسجيل الخروج' },
  ways: { en: 'Your pages', de: 'Ihre Seiten', pt: 'As suas páginas', fr: 'Vos pages', ar: 'صفحاتكم' },
  account: { en: 'Your account', de: 'Ihr Konto', pt: 'A sua conta', fr: 'Votre compte', ar: 'حسابكم' },
  activity: { en: 'Activity', de: 'Aktivität', pt: 'Atividade', fr: 'Activité', ar: 'النشاط' },
})

export const waitingWords = words({
  besides: {
    en: 'Waits for you besides ({count})',
    de: 'Wartet außerdem auf Sie ({count})',
    pt: 'Também à sua espera ({count})',
    fr: 'Vous attend également ({count})',
    ar: 'بانتظاركم أيضًا ({count})',
  },
  waits: {
    en: 'Waits for you ({count})',
    de: 'Wartet auf Sie ({count})',
    pt: 'À sua espera ({count})',
    fr: 'Vous attend ({count})',
    ar: 'بانتظاركم ({count})',
  },
  confirmation: {
    en: 'An application asks you to confirm',
    de: 'Eine Anwendung bittet Sie um Bestätigung',
    pt: 'Uma aplicação pede a sua confirmação',
    fr: 'Une application vous demande de confirmer',
    ar: 'يطلب منكم تطبيق التأكيد',
  },
  confirmationBefore: {
    en: 'Decide before {moment}',
    de: 'Entscheiden bis {moment}',
    pt: 'Decidir antes de {moment}',
    fr: 'À décider avant le {moment}',
    ar: 'اتخاذ القرار قبل {moment}',
  },
  confirmationAct: {
    en: 'Read and decide',
    de: 'Lesen und entscheiden',
    pt: 'Ler e decidir',
    fr: 'Lire et décider',
    ar: 'الاطلاع واتخاذ القرار',
  },
  approval: {
    en: 'Your provider asks for your approval',
    de: 'Ihr Anbieter bittet um Ihre Freigabe',
    pt: 'O seu prestador pede a sua aprovação',
    fr: 'Votre prestataire demande votre approbation',
    ar: 'يطلب مزوّدكم موافقتكم',
  },
  approvalBefore: {
    en: 'Approve before {moment}',
    de: 'Freigeben bis {moment}',
    pt: 'Aprovar antes de {moment}',
    fr: 'À approuver avant le {moment}',
    ar: 'الموافقة قبل {moment}',
  },
  approvalAct: {
    en: 'Go to your provider',
    de: 'Zu Ihrem Anbieter',
    pt: 'Ir para o seu prestador',
    fr: 'Aller chez votre prestataire',
    ar: 'الانتقال إلى مزوّدكم',
  },
  uncertain: {
    en: 'It is not known yet whether this was paid',
    de: 'Es ist noch nicht bekannt, ob dies gezahlt wurde',
    pt: 'Ainda não se sabe se isto foi pago',
    fr: 'On ne sait pas encore si ceci a été payé',
    ar: 'لم يُعرف بعد ما إذا كان هذا قد دُفع',
  },
  uncertainBefore: { en: '{moment}', de: '{moment}', pt: '{moment}', fr: '{moment}', ar: '{moment}' },
  uncertainAct: {
    en: 'See how far it is',
    de: 'Stand ansehen',
    pt: 'Ver em que ponto está',
    fr: 'Voir où cela en est',
    ar: 'الاطلاع على المرحلة',
  },
  ending: {
    en: 'Access that ends soon',
    de: 'Zugriff, der bald endet',
    pt: 'Acesso que termina em breve',
    fr: 'Accès qui prend bientôt fin',
    ar: 'إذن وصول ينتهي قريبًا',
  },
  endingBefore: {
    en: 'Ends {moment}',
    de: 'Endet am {moment}',
    pt: 'Termina em {moment}',
    fr: 'Prend fin le {moment}',
    ar: 'ينتهي في {moment}',
  },
  endingAct: {
    en: 'See what it may do',
    de: 'Ansehen, was sie darf',
    pt: 'Ver o que pode fazer',
    fr: 'Voir ce qu’elle peut faire',
    ar: 'الاطلاع على ما يُسمح له به',
  },
  to: { en: 'To {payee}', de: 'An {payee}', pt: 'A {payee}', fr: 'À {payee}', ar: 'إلى {payee}' },
})
