/** The messages of the pages that say why something cannot go on, and what to do. */

import { type Texts, words } from '@financial-agents/pages/words'
import { frameWords } from '@financial-agents/pages/words/frame'

/** The messages of one error page. */
export type ErrorTexts = { readonly title: Texts; readonly explanation: Texts; readonly whatToDo: Texts }

const openAgain: Texts = {
  en: 'Open the page again and repeat what you wanted to do. Nothing was changed.',
  de: 'Öffnen Sie die Seite erneut und wiederholen Sie, was Sie tun wollten. Es wurde nichts geändert.',
  pt: 'Abra novamente a página e repita o que queria fazer. Nada foi alterado.',
  fr: 'Ouvrez de nouveau la page et répétez ce que vous vouliez faire. Rien n’a été modifié.',
  ar: 'افتحوا الصفحة من جديد وكرّروا ما أردتم القيام به. لم يتغيّر شيء.',
}
const tryAgain: Texts = {
  en: 'Try again in a minute. If you just sent a form, look at your account page first to see what became of it.',
  de: 'Versuchen Sie es in einer Minute erneut. Wenn Sie gerade ein Formular gesendet haben, sehen Sie zuerst auf Ihrer Kontoseite nach, was daraus geworden ist.',
  pt: 'Tente novamente dentro de um minuto. Se acabou de enviar um formulário, veja primeiro na página da sua conta o que aconteceu.',
  fr: 'Réessayez dans une minute. Si vous venez d’envoyer un formulaire, consultez d’abord la page de votre compte pour voir ce qu’il en est advenu.',
  ar: 'حاولوا من جديد بعد دقيقة. وإذا كنتم قد أرسلتم نموذجًا للتو، فاطّلعوا أولًا على صفحة حسابكم لمعرفة ما آل إليه.',
}
const goBack: Texts = {
  en: 'Go back to where you came from and start again.',
  de: 'Gehen Sie dorthin zurück, woher Sie kamen, und beginnen Sie neu.',
  pt: 'Regresse ao ponto de onde veio e recomece.',
  fr: 'Revenez là d’où vous venez et recommencez.',
  ar: 'عودوا من حيث أتيتم وابدؤوا من جديد.',
}
const notSignedIn: Texts = {
  en: 'You are not signed in',
  de: 'Sie sind nicht angemeldet',
  pt: 'Não iniciou sessão',
  fr: 'Vous n’êtes pas connecté',
  ar: 'لم يتم تسجيل دخولكم',
}
const askMaker: Texts = {
  en: 'Ask whoever runs the application. Nothing was shared with it.',
  de: 'Wenden Sie sich an den Betreiber der Anwendung. Es wurde nichts mit ihr geteilt.',
  pt: 'Pergunte a quem gere a aplicação. Nada foi partilhado com ela.',
  fr: 'Adressez-vous à l’éditeur de l’application. Rien ne lui a été communiqué.',
  ar: 'اسألوا الجهة التي تدير التطبيق. لم يُشارَك معه أي شيء.',
}
const isOver: Texts = {
  en: 'This request is over',
  de: 'Diese Anfrage ist beendet',
  pt: 'Este pedido terminou',
  fr: 'Cette demande est terminée',
  ar: 'انتهى هذا الطلب',
}
const signInFirst: Texts = {
  en: 'Please sign in again first',
  de: 'Bitte melden Sie sich zuerst erneut an',
  pt: 'Inicie primeiro sessão novamente',
  fr: 'Veuillez d’abord vous connecter de nouveau',
  ar: 'يرجى تسجيل الدخول من جديد أولًا',
}

/** Refusals of our own pages. */
export const refusalWords = {
  staleInteraction: {
    title: isOver,
    explanation: {
      en: 'It has expired, was already answered, or was started in another browser.',
      de: 'Sie ist abgelaufen, wurde bereits beantwortet oder in einem anderen Browser begonnen.',
      pt: 'Expirou, já foi respondido ou foi iniciado noutro navegador.',
      fr: 'Elle a expiré, a déjà reçu une réponse ou a été commencée dans un autre navigateur.',
      ar: 'انتهت صلاحيته، أو سبق الرد عليه، أو بدأ في متصفح آخر.',
    },
    whatToDo: {
      en: 'Go back to the application and start again from there, in this browser.',
      de: 'Kehren Sie zur Anwendung zurück und beginnen Sie dort neu, in diesem Browser.',
      pt: 'Regresse à aplicação e recomece a partir daí, neste navegador.',
      fr: 'Revenez à l’application et recommencez à partir de là, dans ce navigateur.',
      ar: 'عودوا إلى التطبيق وابدؤوا من هناك من جديد، في هذا المتصفح.',
    },
  },
  deviceCodeOver: {
    title: isOver,
    explanation: {
      en: 'The code of the device has expired, or somebody has decided about it already.',
      de: 'Der Code des Geräts ist abgelaufen, oder über ihn wurde bereits entschieden.',
      pt: 'O código do dispositivo expirou, ou já foi tomada uma decisão sobre ele.',
      fr: 'Le code de l’appareil a expiré, ou une décision a déjà été prise à son sujet.',
      ar: 'انتهت صلاحية رمز الجهاز، أو سبق اتخاذ قرار بشأنه.',
    },
    whatToDo: {
      en: 'Let the device show a new code and enter that.',
      de: 'Lassen Sie das Gerät einen neuen Code anzeigen und geben Sie diesen ein.',
      pt: 'Peça ao dispositivo que mostre um novo código e introduza esse.',
      fr: 'Faites afficher un nouveau code par l’appareil et saisissez celui-ci.',
      ar: 'اجعلوا الجهاز يعرض رمزًا جديدًا وأدخلوه.',
    },
  },
  forgedForm: {
    title: {
      en: 'This form could not be accepted',
      de: 'Dieses Formular konnte nicht angenommen werden',
      pt: 'Este formulário não pôde ser aceite',
      fr: 'Ce formulaire n’a pas pu être accepté',
      ar: 'تعذّر قبول هذا النموذج',
    },
    explanation: {
      en: 'It was not sent from our page in this browser, or the page had been open for too long.',
      de: 'Es wurde nicht von unserer Seite in diesem Browser gesendet, oder die Seite war zu lange geöffnet.',
      pt: 'Não foi enviado a partir da nossa página neste navegador, ou a página esteve aberta demasiado tempo.',
      fr: 'Il n’a pas été envoyé depuis notre page dans ce navigateur, ou la page était ouverte depuis trop longtemps.',
      ar: 'لم يُرسل من صفحتنا في هذا المتصفح، أو بقيت الصفحة مفتوحة مدة طويلة.',
    },
    whatToDo: openAgain,
  },
  badForm: {
    title: {
      en: 'This form could not be read',
      de: 'Dieses Formular konnte nicht gelesen werden',
      pt: 'Não foi possível ler este formulário',
      fr: 'Ce formulaire n’a pas pu être lu',
      ar: 'تعذّرت قراءة هذا النموذج',
    },
    explanation: {
      en: 'What the browser sent is not what our page asks for.',
      de: 'Was der Browser gesendet hat, ist nicht das, wonach unsere Seite fragt.',
      pt: 'O que o navegador enviou não é o que a nossa página pede.',
      fr: 'Ce que le navigateur a envoyé ne correspond pas à ce que notre page demande.',
      ar: 'ما أرسله المتصفح ليس ما تطلبه صفحتنا.',
    },
    whatToDo: openAgain,
  },
  notFound: {
    title: frameWords.noSuchPage,
    explanation: {
      en: 'The address is wrong, or what it led to is over.',
      de: 'Die Adresse ist falsch, oder das, wohin sie führte, ist beendet.',
      pt: 'O endereço está errado, ou aquilo a que conduzia terminou.',
      fr: 'L’adresse est erronée, ou ce à quoi elle menait est terminé.',
      ar: 'العنوان غير صحيح، أو أن ما كان يؤدي إليه قد انتهى.',
    },
    whatToDo: {
      en: 'Check the address, or go to your account page.',
      de: 'Prüfen Sie die Adresse, oder gehen Sie zu Ihrer Kontoseite.',
      pt: 'Verifique o endereço ou vá à página da sua conta.',
      fr: 'Vérifiez l’adresse, ou allez à la page de votre compte.',
      ar: 'تحقّقوا من العنوان، أو انتقلوا إلى صفحة حسابكم.',
    },
  },
  wrongMethod: {
    title: frameWords.wrongMethod,
    explanation: {
      en: 'It only takes what a form of ours sends, or only shows a page.',
      de: 'Sie nimmt nur entgegen, was eines unserer Formulare sendet, oder zeigt nur eine Seite.',
      pt: 'Apenas recebe o que um formulário nosso envia, ou apenas mostra uma página.',
      fr: 'Elle ne reçoit que ce qu’envoie l’un de nos formulaires, ou n’affiche qu’une page.',
      ar: 'لا يقبل إلا ما يرسله نموذج من نماذجنا، أو يعرض صفحة فقط.',
    },
    whatToDo: {
      en: 'Start from the page before it, or from your account page.',
      de: 'Beginnen Sie auf der Seite davor oder auf Ihrer Kontoseite.',
      pt: 'Comece pela página anterior ou pela página da sua conta.',
      fr: 'Partez de la page précédente, ou de la page de votre compte.',
      ar: 'ابدؤوا من الصفحة السابقة، أو من صفحة حسابكم.',
    },
  },
  unknownSignIn: {
    title: {
      en: 'This sign-in is over',
      de: 'Diese Anmeldung ist beendet',
      pt: 'Este início de sessão terminou',
      fr: 'Cette connexion est terminée',
      ar: 'انتهى تسجيل الدخول هذا',
    },
    explanation: {
      en: 'It has expired, was used before, or was started in another browser.',
      de: 'Sie ist abgelaufen, wurde schon verwendet oder in einem anderen Browser begonnen.',
      pt: 'Expirou, já foi utilizado ou foi iniciado noutro navegador.',
      fr: 'Elle a expiré, a déjà servi ou a été commencée dans un autre navigateur.',
      ar: 'انتهت صلاحيته، أو سبق استخدامه، أو بدأ في متصفح آخر.',
    },
    whatToDo: {
      en: 'Start again from where you came: the application, or your account page.',
      de: 'Beginnen Sie dort neu, woher Sie kamen: in der Anwendung oder auf Ihrer Kontoseite.',
      pt: 'Recomece onde estava: na aplicação ou na página da sua conta.',
      fr: 'Recommencez là d’où vous venez : l’application, ou la page de votre compte.',
      ar: 'ابدؤوا من جديد من حيث أتيتم: من التطبيق أو من صفحة حسابكم.',
    },
  },
  signInExpired: {
    title: {
      en: 'The sign-in took too long',
      de: 'Die Anmeldung hat zu lange gedauert',
      pt: 'O início de sessão demorou demasiado',
      fr: 'La connexion a pris trop de temps',
      ar: 'استغرق تسجيل الدخول وقتًا طويلًا',
    },
    explanation: {
      en: 'Its time was over before we heard that you approved it.',
      de: 'Die Zeit dafür war vorbei, bevor wir von Ihrer Freigabe erfuhren.',
      pt: 'O prazo terminou antes de sabermos que o aprovou.',
      fr: 'Le délai était écoulé avant que nous apprenions votre approbation.',
      ar: 'انتهى وقته قبل أن نعلم بموافقتكم عليه.',
    },
    whatToDo: goBack,
  },
  signInPending: {
    title: {
      en: 'You are not signed in yet',
      de: 'Sie sind noch nicht angemeldet',
      pt: 'Ainda não iniciou sessão',
      fr: 'Vous n’êtes pas encore connecté',
      ar: 'لم يتم تسجيل دخولكم بعد',
    },
    explanation: {
      en: 'We have not heard yet that you approved the sign-in.',
      de: 'Wir haben noch nicht erfahren, dass Sie die Anmeldung freigegeben haben.',
      pt: 'Ainda não nos foi comunicado que aprovou o início de sessão.',
      fr: 'Nous n’avons pas encore appris que vous avez approuvé la connexion.',
      ar: 'لم يصلنا بعد أنكم وافقتم على تسجيل الدخول.',
    },
    whatToDo: {
      en: 'Approve it at your provider, then reload this page.',
      de: 'Geben Sie sie bei Ihrem Anbieter frei und laden Sie dann diese Seite neu.',
      pt: 'Aprove-o no seu prestador e depois recarregue esta página.',
      fr: 'Approuvez-la chez votre prestataire, puis rechargez cette page.',
      ar: 'وافقوا عليه لدى مزوّدكم ثم أعيدوا تحميل هذه الصفحة.',
    },
  },
  signInRefused: {
    title: notSignedIn,
    explanation: {
      en: 'What came back is not an answer of your provider to this sign-in.',
      de: 'Was zurückkam, ist keine Antwort Ihres Anbieters auf diese Anmeldung.',
      pt: 'O que foi recebido não é uma resposta do seu prestador a este início de sessão.',
      fr: 'Ce qui a été reçu n’est pas une réponse de votre prestataire à cette connexion.',
      ar: 'ما وصلنا ليس ردًّا من مزوّدكم على تسجيل الدخول هذا.',
    },
    whatToDo: goBack,
  },
  signInDeclined: {
    title: notSignedIn,
    explanation: {
      en: 'The sign-in was declined at your provider.',
      de: 'Die Anmeldung wurde bei Ihrem Anbieter abgelehnt.',
      pt: 'O início de sessão foi recusado no seu prestador.',
      fr: 'La connexion a été refusée chez votre prestataire.',
      ar: 'رُفض تسجيل الدخول لدى مزوّدكم.',
    },
    whatToDo: {
      en: 'If you want to go on, start again from your account page.',
      de: 'Wenn Sie fortfahren möchten, beginnen Sie auf Ihrer Kontoseite neu.',
      pt: 'Se quiser continuar, recomece na página da sua conta.',
      fr: 'Si vous souhaitez continuer, recommencez depuis la page de votre compte.',
      ar: 'إذا أردتم المتابعة فابدؤوا من جديد من صفحة حسابكم.',
    },
  },
  signInNotAvailable: {
    title: {
      en: 'Signing in is not available',
      de: 'Die Anmeldung ist nicht verfügbar',
      pt: 'O início de sessão não está disponível',
      fr: 'La connexion n’est pas disponible',
      ar: 'تسجيل الدخول غير متاح',
    },
    explanation: {
      en: 'The operator of this service has set up no provider at which people sign in.',
      de: 'Der Betreiber dieses Dienstes hat keinen Anbieter eingerichtet, bei dem man sich anmelden kann.',
      pt: 'O operador deste serviço não configurou nenhum prestador no qual se possa iniciar sessão.',
      fr: 'L’exploitant de ce service n’a mis en place aucun prestataire chez qui se connecter.',
      ar: 'لم يُعدّ مشغّل هذه الخدمة أي مزوّد يمكن تسجيل الدخول لديه.',
    },
    whatToDo: {
      en: 'Nothing can be done here. This changes nothing for applications that the operator set up for you.',
      de: 'Hier lässt sich nichts tun. Für Anwendungen, die der Betreiber für Sie eingerichtet hat, ändert dies nichts.',
      pt: 'Nada pode ser feito aqui. Isto não altera nada para as aplicações que o operador configurou para si.',
      fr: 'Rien ne peut être fait ici. Cela ne change rien pour les applications que l’exploitant a mises en place pour vous.',
      ar: 'لا يمكن فعل شيء هنا. وهذا لا يغيّر شيئًا للتطبيقات التي أعدّها المشغّل لكم.',
    },
  },
  providerUnreachable: {
    title: {
      en: 'You cannot sign in right now',
      de: 'Sie können sich gerade nicht anmelden',
      pt: 'Não é possível iniciar sessão neste momento',
      fr: 'Vous ne pouvez pas vous connecter pour le moment',
      ar: 'لا يمكنكم تسجيل الدخول الآن',
    },
    explanation: {
      en: 'Your provider, or the part of our system that asks it, does not answer.',
      de: 'Ihr Anbieter oder der Teil unseres Systems, der ihn fragt, antwortet nicht.',
      pt: 'O seu prestador, ou a parte do nosso sistema que o consulta, não responde.',
      fr: 'Votre prestataire, ou la partie de notre système qui l’interroge, ne répond pas.',
      ar: 'مزوّدكم، أو جزء نظامنا الذي يسأله، لا يجيب.',
    },
    whatToDo: {
      en: 'Try again in a minute. Nothing was changed.',
      de: 'Versuchen Sie es in einer Minute erneut. Es wurde nichts geändert.',
      pt: 'Tente novamente dentro de um minuto. Nada foi alterado.',
      fr: 'Réessayez dans une minute. Rien n’a été modifié.',
      ar: 'حاولوا من جديد بعد دقيقة. لم يتغيّر شيء.',
    },
  },
  clientGone: {
    title: {
      en: 'This application cannot be used now',
      de: 'Diese Anwendung kann gerade nicht verwendet werden',
      pt: 'Esta aplicação não pode ser utilizada agora',
      fr: 'Cette application ne peut pas être utilisée pour le moment',
      ar: 'لا يمكن استخدام هذا التطبيق الآن',
    },
    explanation: {
      en: 'It was suspended or removed after you started.',
      de: 'Sie wurde gesperrt oder entfernt, nachdem Sie begonnen hatten.',
      pt: 'Foi suspensa ou removida depois de ter começado.',
      fr: 'Elle a été suspendue ou retirée après que vous avez commencé.',
      ar: 'تم تعليقه أو إزالته بعد أن بدأتم.',
    },
    whatToDo: {
      en: 'Ask whoever runs the application. It has got no access from you here.',
      de: 'Wenden Sie sich an den Betreiber der Anwendung. Sie hat hier keinen Zugriff von Ihnen erhalten.',
      pt: 'Pergunte a quem gere a aplicação. Aqui não obteve nenhum acesso seu.',
      fr: 'Adressez-vous à l’éditeur de l’application. Elle n’a obtenu ici aucun accès de votre part.',
      ar: 'اسألوا الجهة التي تدير التطبيق. لم يحصل منكم هنا على أي إذن وصول.',
    },
  },
  signedOut: {
    title: {
      en: 'You are no longer signed in',
      de: 'Sie sind nicht mehr angemeldet',
      pt: 'A sua sessão terminou',
      fr: 'Vous n’êtes plus connecté',
      ar: 'لم تعودوا مسجّلي الدخول',
    },
    explanation: {
      en: 'You were signed out, nothing happened for an hour, or you signed in more than twelve hours ago.',
      de: 'Sie wurden abgemeldet, eine Stunde lang geschah nichts, oder Ihre Anmeldung liegt mehr als zwölf Stunden zurück.',
      pt: 'Terminou sessão, não houve atividade durante uma hora ou iniciou sessão há mais de doze horas.',
      fr: 'Vous avez été déconnecté, rien ne s’est passé pendant une heure, ou votre connexion date de plus de douze heures.',
      ar: 'تم تسجيل خروجكم، أو لم يحدث شيء لمدة ساعة، أو مضى على تسجيل دخولكم أكثر من اثنتي عشرة ساعة.',
    },
    whatToDo: {
      en: 'Go back to where you came from and start again. Nothing was changed.',
      de: 'Gehen Sie dorthin zurück, woher Sie kamen, und beginnen Sie neu. Es wurde nichts geändert.',
      pt: 'Regresse ao ponto de onde veio e recomece. Nada foi alterado.',
      fr: 'Revenez là d’où vous venez et recommencez. Rien n’a été modifié.',
      ar: 'عودوا من حيث أتيتم وابدؤوا من جديد. لم يتغيّر شيء.',
    },
  },
  signInAgain: {
    title: signInFirst,
    explanation: {
      en: 'This application’s access was suspended after you signed in.',
      de: 'Der Zugriff dieser Anwendung wurde nach Ihrer Anmeldung gesperrt.',
      pt: 'O acesso desta aplicação foi suspenso depois de ter iniciado sessão.',
      fr: 'L’accès de cette application a été suspendu après votre connexion.',
      ar: 'تم تعليق وصول هذا التطبيق بعد تسجيل دخولكم.',
    },
    whatToDo: {
      en: 'Go back to the application and start again; you will be asked to sign in.',
      de: 'Kehren Sie zur Anwendung zurück und beginnen Sie neu; Sie werden gebeten, sich anzumelden.',
      pt: 'Regresse à aplicação e recomece; ser-lhe-á pedido que inicie sessão.',
      fr: 'Revenez à l’application et recommencez ; il vous sera demandé de vous connecter.',
      ar: 'عودوا إلى التطبيق وابدؤوا من جديد؛ سيُطلب منكم تسجيل الدخول.',
    },
  },
  signInToRaise: {
    title: signInFirst,
    explanation: {
      en: 'Here, a limit is raised or added only within five minutes after you sign in. Nothing was changed.',
      de: 'Hier wird eine Grenze nur innerhalb von fünf Minuten nach Ihrer Anmeldung erhöht oder hinzugefügt. Es wurde nichts geändert.',
      pt: 'Aqui, um limite só é aumentado ou acrescentado nos cinco minutos seguintes ao início de sessão. Nada foi alterado.',
      fr: 'Ici, un plafond n’est relevé ou ajouté que dans les cinq minutes qui suivent votre connexion. Rien n’a été modifié.',
      ar: 'هنا لا يُرفع حد أو يُضاف إلا خلال خمس دقائق من تسجيل دخولكم. لم يتغيّر شيء.',
    },
    whatToDo: {
      en: 'Open “Change limits” on your account page, sign in from there, and write your limits again.',
      de: 'Öffnen Sie auf Ihrer Kontoseite „Grenzen ändern“, melden Sie sich von dort an und tragen Sie Ihre Grenzen erneut ein.',
      pt: 'Abra “Alterar limites” na página da sua conta, inicie sessão a partir daí e indique novamente os seus limites.',
      fr: 'Ouvrez « Modifier les plafonds » sur la page de votre compte, connectez-vous depuis cet endroit et indiquez de nouveau vos plafonds.',
      ar: 'افتحوا «تغيير الحدود» في صفحة حسابكم، وسجّلوا الدخول من هناك، واكتبوا حدودكم من جديد.',
    },
  },
  accessEnded: {
    title: {
      en: 'This application has no access any more',
      de: 'Diese Anwendung hat keinen Zugriff mehr',
      pt: 'Esta aplicação já não tem acesso',
      fr: 'Cette application n’a plus d’accès',
      ar: 'لم يعد لهذا التطبيق وصول',
    },
    explanation: {
      en: 'Its access was ended, paused or suspended after it asked you. Without access, nothing happens of what it asked for.',
      de: 'Ihr Zugriff wurde beendet, pausiert oder gesperrt, nachdem sie Sie gefragt hatte. Ohne Zugriff geschieht nichts von dem, worum sie gebeten hat.',
      pt: 'O acesso dela terminou ou foi suspenso depois de lhe ter perguntado. Sem acesso, nada do que pediu acontece.',
      fr: 'Son accès a pris fin, ou a été mis en pause ou suspendu, après qu’elle vous a posé la question. Sans accès, rien de ce qu’elle demandait n’a lieu.',
      ar: 'انتهى وصوله أو أُوقف مؤقتًا أو عُلّق بعد أن سألكم. ومن دون وصول لن يحدث شيء مما طلبه.',
    },
    whatToDo: {
      en: 'You need not do anything. Your account page shows what became of its access.',
      de: 'Sie müssen nichts tun. Ihre Kontoseite zeigt, was aus ihrem Zugriff geworden ist.',
      pt: 'Não precisa de fazer nada. A sua página de conta mostra o que aconteceu ao acesso dela.',
      fr: 'Vous n’avez rien à faire. La page de votre compte indique ce qu’il est advenu de son accès.',
      ar: 'لا يلزمكم القيام بأي شيء. وتعرض صفحة حسابكم ما آل إليه وصوله.',
    },
  },
  intentNotFound: {
    title: {
      en: 'There is nothing to confirm here',
      de: 'Hier gibt es nichts zu bestätigen',
      pt: 'Não há nada para confirmar aqui',
      fr: 'Il n’y a rien à confirmer ici',
      ar: 'لا يوجد هنا ما يُؤكَّد',
    },
    explanation: {
      en: 'This request does not exist any more, or it is about the money of somebody else than the person signed in.',
      de: 'Diese Anfrage gibt es nicht mehr, oder sie betrifft das Geld einer anderen als der angemeldeten Person.',
      pt: 'Este pedido já não existe, ou diz respeito ao dinheiro de outra pessoa que não a que iniciou sessão.',
      fr: 'Cette demande n’existe plus, ou elle concerne l’argent d’une autre personne que celle qui est connectée.',
      ar: 'لم يعد هذا الطلب موجودًا، أو أنه يتعلق بأموال شخص غير الشخص المسجّل دخوله.',
    },
    whatToDo: {
      en: 'Check that you are signed in as the right person, or let the application ask again.',
      de: 'Prüfen Sie, ob Sie als die richtige Person angemeldet sind, oder lassen Sie die Anwendung erneut fragen.',
      pt: 'Verifique se iniciou sessão como a pessoa certa, ou deixe a aplicação pedir novamente.',
      fr: 'Vérifiez que vous êtes connecté sous la bonne identité, ou laissez l’application demander de nouveau.',
      ar: 'تحقّقوا من أنكم سجّلتم الدخول بصفة الشخص الصحيح، أو دعوا التطبيق يطلب من جديد.',
    },
  },
  mandatesOutOfReach: {
    title: {
      en: 'The repeated payments cannot go on yet',
      de: 'Die wiederkehrenden Zahlungen können noch nicht weiterlaufen',
      pt: 'Os pagamentos recorrentes ainda não podem continuar',
      fr: 'Les paiements récurrents ne peuvent pas encore reprendre',
      ar: 'لا يمكن للمدفوعات المتكررة أن تستمر بعد',
    },
    explanation: {
      en: 'A part of our system does not answer. What else you allowed may hold already; the application has not been told of it.',
      de: 'Ein Teil unseres Systems antwortet nicht. Was Sie sonst erlaubt haben, gilt möglicherweise schon; der Anwendung wurde es nicht mitgeteilt.',
      pt: 'Uma parte do nosso sistema não responde. O restante que autorizou pode já estar em vigor; a aplicação não foi informada disso.',
      fr: 'Une partie de notre système ne répond pas. Ce que vous avez autorisé par ailleurs est peut-être déjà en vigueur ; l’application n’en a pas été informée.',
      ar: 'جزء من نظامنا لا يجيب. وقد يكون ما سمحتم به غير ذلك ساريًا بالفعل؛ ولم يُبلَّغ التطبيق به.',
    },
    whatToDo: {
      en: 'Send the page again in a minute, or go back and go on without the repeated payments. To take back what you allowed, end the access on your account page.',
      de: 'Senden Sie die Seite in einer Minute noch einmal, oder gehen Sie zurück und fahren Sie ohne die wiederkehrenden Zahlungen fort. Um zurückzunehmen, was Sie erlaubt haben, beenden Sie den Zugriff auf Ihrer Kontoseite.',
      pt: 'Envie a página novamente dentro de um minuto, ou volte atrás e continue sem os pagamentos recorrentes. Para retirar o que autorizou, termine o acesso na página da sua conta.',
      fr: 'Renvoyez la page dans une minute, ou revenez en arrière et poursuivez sans les paiements récurrents. Pour retirer ce que vous avez autorisé, mettez fin à l’accès sur la page de votre compte.',
      ar: 'أعيدوا إرسال الصفحة بعد دقيقة، أو ارجعوا وتابعوا دون المدفوعات المتكررة. وللتراجع عمّا سمحتم به أنهوا إذن الوصول من صفحة حسابكم.',
    },
  },
  unavailable: {
    title: {
      en: 'This cannot be shown now',
      de: 'Dies kann gerade nicht angezeigt werden',
      pt: 'Não é possível mostrar isto agora',
      fr: 'Ceci ne peut pas être affiché pour le moment',
      ar: 'يتعذّر عرض هذا الآن',
    },
    explanation: {
      en: 'A part of our system, or your provider, does not answer.',
      de: 'Ein Teil unseres Systems oder Ihr Anbieter antwortet nicht.',
      pt: 'Uma parte do nosso sistema, ou o seu prestador, não responde.',
      fr: 'Une partie de notre système, ou votre prestataire, ne répond pas.',
      ar: 'جزء من نظامنا، أو مزوّدكم، لا يجيب.',
    },
    whatToDo: tryAgain,
  },
  failed: {
    title: {
      en: 'Something went wrong on our side',
      de: 'Bei uns ist etwas schiefgegangen',
      pt: 'Algo correu mal do nosso lado',
      fr: 'Une erreur s’est produite de notre côté',
      ar: 'حدث خطأ من جانبنا',
    },
    explanation: {
      en: 'This was not your fault, and it has been recorded.',
      de: 'Das lag nicht an Ihnen, und es wurde aufgezeichnet.',
      pt: 'Não foi culpa sua, e ficou registado.',
      fr: 'Ce n’est pas de votre fait, et cela a été enregistré.',
      ar: 'لم يكن ذلك خطأكم، وقد تم تسجيله.',
    },
    whatToDo: tryAgain,
  },
} as const satisfies Readonly<Record<string, ErrorTexts>>

const startAgain: Texts = {
  en: 'Go back to the application and start again from there.',
  de: 'Kehren Sie zur Anwendung zurück und beginnen Sie dort neu.',
  pt: 'Regresse à aplicação e recomece a partir daí.',
  fr: 'Revenez à l’application et recommencez à partir de là.',
  ar: 'عودوا إلى التطبيق وابدؤوا من هناك من جديد.',
}

/** Refusals of the protocol library, by their OAuth codes. */
export const protocolErrorWords = {
  invalid_client: {
    title: {
      en: 'This application is not known here',
      de: 'Diese Anwendung ist hier nicht bekannt',
      pt: 'Esta aplicação não é conhecida aqui',
      fr: 'Cette application n’est pas connue ici',
      ar: 'هذا التطبيق غير معروف هنا',
    },
    explanation: {
      en: 'It is not registered, or its registration was suspended.',
      de: 'Sie ist nicht registriert, oder ihre Registrierung wurde gesperrt.',
      pt: 'Não está registada, ou o seu registo foi suspenso.',
      fr: 'Elle n’est pas enregistrée, ou son enregistrement a été suspendu.',
      ar: 'إنه غير مسجّل، أو تم تعليق تسجيله.',
    },
    whatToDo: askMaker,
  },
  invalid_redirect_uri: {
    title: {
      en: 'This request cannot be answered safely',
      de: 'Diese Anfrage kann nicht sicher beantwortet werden',
      pt: 'Não é possível responder a este pedido em segurança',
      fr: 'Il n’est pas possible de répondre à cette demande en toute sécurité',
      ar: 'لا يمكن الرد على هذا الطلب بأمان',
    },
    explanation: {
      en: 'The application asked for the answer at an address that is not registered for it.',
      de: 'Die Anwendung verlangte die Antwort an eine Adresse, die für sie nicht registriert ist.',
      pt: 'A aplicação pediu a resposta num endereço que não está registado para ela.',
      fr: 'L’application a demandé la réponse à une adresse qui n’est pas enregistrée pour elle.',
      ar: 'طلب التطبيق إرسال الرد إلى عنوان غير مسجّل له.',
    },
    whatToDo: askMaker,
  },
  invalid_request_uri: {
    title: isOver,
    explanation: {
      en: 'It has expired, was already answered, or did not come from this application.',
      de: 'Sie ist abgelaufen, wurde bereits beantwortet oder stammt nicht von dieser Anwendung.',
      pt: 'Expirou, já foi respondido ou não veio desta aplicação.',
      fr: 'Elle a expiré, a déjà reçu une réponse ou ne vient pas de cette application.',
      ar: 'انتهت صلاحيته، أو سبق الرد عليه، أو لم يصدر عن هذا التطبيق.',
    },
    whatToDo: startAgain,
  },
  temporarily_unavailable: {
    title: {
      en: 'This is not possible right now',
      de: 'Das ist gerade nicht möglich',
      pt: 'Isto não é possível neste momento',
      fr: 'Ce n’est pas possible pour le moment',
      ar: 'هذا غير ممكن الآن',
    },
    explanation: {
      en: 'A part of our service cannot be reached.',
      de: 'Ein Teil unseres Dienstes ist nicht erreichbar.',
      pt: 'Não é possível contactar uma parte do nosso serviço.',
      fr: 'Une partie de notre service est injoignable.',
      ar: 'يتعذّر الوصول إلى جزء من خدمتنا.',
    },
    whatToDo: tryAgain,
  },
  server_error: {
    title: {
      en: 'Something went wrong here',
      de: 'Hier ist etwas schiefgegangen',
      pt: 'Algo correu mal aqui',
      fr: 'Une erreur s’est produite ici',
      ar: 'حدث خطأ هنا',
    },
    explanation: {
      en: 'The request could not be completed because of an error of ours.',
      de: 'Die Anfrage konnte wegen eines Fehlers bei uns nicht abgeschlossen werden.',
      pt: 'O pedido não pôde ser concluído devido a um erro nosso.',
      fr: 'La demande n’a pas pu aboutir en raison d’une erreur de notre part.',
      ar: 'تعذّر إتمام الطلب بسبب خطأ من جانبنا.',
    },
    whatToDo: {
      en: 'Try again in a minute. If it happens again, ask for help with the request number below.',
      de: 'Versuchen Sie es in einer Minute erneut. Wenn es wieder geschieht, bitten Sie um Hilfe und nennen Sie die Anfragenummer unten.',
      pt: 'Tente novamente dentro de um minuto. Se voltar a acontecer, peça ajuda indicando o número do pedido abaixo.',
      fr: 'Réessayez dans une minute. Si cela se reproduit, demandez de l’aide en indiquant le numéro de demande ci-dessous.',
      ar: 'حاولوا من جديد بعد دقيقة. وإذا تكرّر ذلك فاطلبوا المساعدة مع ذكر رقم الطلب أدناه.',
    },
  },
  other: {
    title: {
      en: 'This request cannot go on',
      de: 'Diese Anfrage kann nicht fortgesetzt werden',
      pt: 'Este pedido não pode continuar',
      fr: 'Cette demande ne peut pas se poursuivre',
      ar: 'لا يمكن متابعة هذا الطلب',
    },
    explanation: {
      en: 'The application sent something that is not right, the request has expired, or it began in another browser.',
      de: 'Die Anwendung hat etwas Falsches gesendet, die Anfrage ist abgelaufen, oder sie begann in einem anderen Browser.',
      pt: 'A aplicação enviou algo incorreto, o pedido expirou ou começou noutro navegador.',
      fr: 'L’application a envoyé quelque chose d’incorrect, la demande a expiré, ou elle a commencé dans un autre navigateur.',
      ar: 'أرسل التطبيق شيئًا غير صحيح، أو انتهت صلاحية الطلب، أو بدأ في متصفح آخر.',
    },
    whatToDo: {
      en: 'Go back to the application and start again from there. If it happens again, ask whoever runs the application.',
      de: 'Kehren Sie zur Anwendung zurück und beginnen Sie dort neu. Wenn es wieder geschieht, wenden Sie sich an den Betreiber der Anwendung.',
      pt: 'Regresse à aplicação e recomece a partir daí. Se voltar a acontecer, pergunte a quem gere a aplicação.',
      fr: 'Revenez à l’application et recommencez à partir de là. Si cela se reproduit, adressez-vous à l’éditeur de l’application.',
      ar: 'عودوا إلى التطبيق وابدؤوا من هناك من جديد. وإذا تكرّر ذلك فاسألوا الجهة التي تدير التطبيق.',
    },
  },
} as const satisfies Readonly<Record<string, ErrorTexts>>

/** The same messages as tables, for the test of the sentences. */
export const errorTables = [...Object.values(refusalWords), ...Object.values(protocolErrorWords)].map((texts) =>
  words(texts),
)
