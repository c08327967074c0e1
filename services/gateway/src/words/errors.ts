/** The messages of the error pages, for persons whose page is not available. */

import { type Texts, words } from '@financial-agents/pages/words'
import { frameWords } from '@financial-agents/pages/words/frame'

export type ErrorTexts = { title: Texts; explanation: Texts; whatToDo: Texts }

const startAgain = {
  en: 'Go back to the application that sent you here and start again.',
  de: 'Gehen Sie zu der Anwendung zurück, die Sie hierher geschickt hat, und beginnen Sie neu.',
  pt: 'Volte à aplicação que o trouxe aqui e comece de novo.',
  fr: 'Revenez à l’application qui vous a envoyé ici et recommencez.',
  ar: 'عودوا إلى التطبيق الذي أرسلكم إلى هنا وابدؤوا من جديد.',
}

export const errorWords = {
  away: words({
    title: {
      en: 'This page is not available right now',
      de: 'Diese Seite ist gerade nicht verfügbar',
      pt: 'Esta página não está disponível neste momento',
      fr: 'Cette page n’est pas disponible pour le moment',
      ar: 'هذه الصفحة غير متاحة الآن',
    },
    explanation: {
      en: 'A part of the service that this page needs did not answer.',
      de: 'Ein Teil des Dienstes, den diese Seite braucht, hat nicht geantwortet.',
      pt: 'Uma parte do serviço de que esta página precisa não respondeu.',
      fr: 'Une partie du service dont cette page a besoin n’a pas répondu.',
      ar: 'لم يستجب جزء من الخدمة تحتاج إليه هذه الصفحة.',
    },
    // The form may have been processed, because the answer may have been lost.
    whatToDo: {
      en: 'Wait a moment, then load the page again. If you had just sent a form, look whether it was taken first.',
      de: 'Warten Sie einen Moment und laden Sie die Seite dann neu. Wenn Sie gerade ein Formular gesendet hatten, sehen Sie zuerst nach, ob es angenommen wurde.',
      pt: 'Aguarde um momento e carregue a página de novo. Se tinha acabado de enviar um formulário, veja primeiro se foi aceite.',
      fr: 'Patientez un instant, puis rechargez la page. Si vous veniez d’envoyer un formulaire, vérifiez d’abord s’il a été pris en compte.',
      ar: 'انتظروا لحظة ثم أعيدوا تحميل الصفحة. وإذا كنتم قد أرسلتم نموذجًا للتو فتحقّقوا أولًا مما إذا كان قد قُبل.',
    },
  }),
  malformed: words({
    title: {
      en: 'The request could not be read',
      de: 'Die Anfrage war nicht lesbar',
      pt: 'Não foi possível ler o pedido',
      fr: 'La demande n’a pas pu être lue',
      ar: 'تعذّرت قراءة الطلب',
    },
    explanation: {
      en: 'What your browser sent was not complete or not well-formed.',
      de: 'Was Ihr Browser gesendet hat, war unvollständig oder fehlerhaft.',
      pt: 'O que o seu navegador enviou não estava completo ou não estava bem formado.',
      fr: 'Ce que votre navigateur a envoyé était incomplet ou mal formé.',
      ar: 'ما أرسله متصفحكم لم يكن كاملًا أو لم يكن سليم الصياغة.',
    },
    whatToDo: startAgain,
  }),
  rateLimited: words({
    title: {
      en: 'Too many requests',
      de: 'Zu viele Anfragen',
      pt: 'Demasiados pedidos',
      fr: 'Trop de demandes',
      ar: 'طلبات كثيرة جدًا',
    },
    explanation: {
      en: 'More pages were asked for from your network than we answer at a time.',
      de: 'Aus Ihrem Netz wurden mehr Seiten abgerufen, als wir auf einmal beantworten.',
      pt: 'A partir da sua rede foram pedidas mais páginas do que as que respondemos de cada vez.',
      fr: 'Votre réseau a demandé plus de pages que nous n’en servons à la fois.',
      ar: 'طُلب من شبكتكم عدد من الصفحات يفوق ما نجيب عنه في وقت واحد.',
    },
    whatToDo: {
      en: 'Wait a few seconds, then load the page again.',
      de: 'Warten Sie einige Sekunden und laden Sie die Seite dann neu.',
      pt: 'Aguarde alguns segundos e carregue a página de novo.',
      fr: 'Patientez quelques secondes, puis rechargez la page.',
      ar: 'انتظروا بضع ثوانٍ ثم أعيدوا تحميل الصفحة.',
    },
  }),
  notFound: words({
    title: frameWords.noSuchPage,
    explanation: {
      en: 'The address does not lead to a page of this service.',
      de: 'Die Adresse führt zu keiner Seite dieses Dienstes.',
      pt: 'O endereço não leva a nenhuma página deste serviço.',
      fr: 'L’adresse ne mène à aucune page de ce service.',
      ar: 'لا يؤدي هذا العنوان إلى أي صفحة من صفحات هذه الخدمة.',
    },
    whatToDo: {
      en: 'Check the address, or go back to the application that sent you here and start again.',
      de: 'Prüfen Sie die Adresse, oder gehen Sie zu der Anwendung zurück, die Sie hierher geschickt hat, und beginnen Sie neu.',
      pt: 'Verifique o endereço, ou volte à aplicação que o trouxe aqui e comece de novo.',
      fr: 'Vérifiez l’adresse, ou revenez à l’application qui vous a envoyé ici et recommencez.',
      ar: 'تحقّقوا من العنوان، أو عودوا إلى التطبيق الذي أرسلكم إلى هنا وابدؤوا من جديد.',
    },
  }),
  wrongMethod: words({
    title: frameWords.wrongMethod,
    explanation: {
      en: 'It only shows a page, and takes nothing that is sent.',
      de: 'Sie zeigt nur eine Seite und nimmt nichts entgegen.',
      pt: 'Apenas mostra uma página e não recebe nada do que se envia.',
      fr: 'Elle n’affiche qu’une page et ne reçoit rien.',
      ar: 'لا يعرض إلا صفحة، ولا يقبل أي شيء يُرسل إليه.',
    },
    whatToDo: startAgain,
  }),
  tooLarge: words({
    title: {
      en: 'The form is too large',
      de: 'Das Formular ist zu groß',
      pt: 'O formulário é demasiado grande',
      fr: 'Le formulaire est trop volumineux',
      ar: 'النموذج كبير جدًا',
    },
    explanation: {
      en: 'More was sent than this page takes.',
      de: 'Es wurde mehr gesendet, als diese Seite annimmt.',
      pt: 'Foi enviado mais do que esta página aceita.',
      fr: 'Plus de données ont été envoyées que cette page n’en accepte.',
      ar: 'أُرسل أكثر مما تقبله هذه الصفحة.',
    },
    whatToDo: {
      en: 'Go back, shorten what you entered, and send it again.',
      de: 'Gehen Sie zurück, kürzen Sie Ihre Eingaben und senden Sie sie noch einmal.',
      pt: 'Volte atrás, encurte o que escreveu e envie de novo.',
      fr: 'Revenez en arrière, raccourcissez votre saisie et renvoyez-la.',
      ar: 'عودوا إلى الوراء واختصروا ما أدخلتموه ثم أرسلوه من جديد.',
    },
  }),
  tooSlow: words({
    title: {
      en: 'The form did not arrive in time',
      de: 'Das Formular kam nicht rechtzeitig an',
      pt: 'O formulário não chegou a tempo',
      fr: 'Le formulaire n’est pas arrivé à temps',
      ar: 'لم يصل النموذج في الوقت المناسب',
    },
    explanation: {
      en: 'The connection was too slow or broke while the form was being sent.',
      de: 'Die Verbindung war zu langsam oder brach ab, während das Formular gesendet wurde.',
      pt: 'A ligação foi demasiado lenta ou caiu enquanto o formulário era enviado.',
      fr: 'La connexion était trop lente ou s’est interrompue pendant l’envoi du formulaire.',
      ar: 'كان الاتصال بطيئًا جدًا أو انقطع أثناء إرسال النموذج.',
    },
    whatToDo: {
      en: 'Go back and send it again.',
      de: 'Gehen Sie zurück und senden Sie es noch einmal.',
      pt: 'Volte atrás e envie-o de novo.',
      fr: 'Revenez en arrière et renvoyez-le.',
      ar: 'عودوا إلى الوراء وأرسلوه من جديد.',
    },
  }),
} as const
