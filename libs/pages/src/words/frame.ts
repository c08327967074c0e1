/** The messages of every page: its frame, its parts, and the error page. */

import { words } from '../words.ts'

export const frameWords = words({
  skip: {
    en: 'Skip to the content',
    de: 'Zum Inhalt springen',
    pt: 'Saltar para o conteúdo',
    fr: 'Aller au contenu',
    ar: 'الانتقال إلى المحتوى',
  },
  error: {
    en: 'Error: {title}',
    de: 'Fehler: {title}',
    pt: 'Erro: {title}',
    fr: 'Erreur : {title}',
    ar: 'خطأ: {title}',
  },
  footer: {
    en: 'You can end what an application may do for you at any time on <a>your account page</a>.',
    de: 'Sie können jederzeit auf <a>Ihrer Kontoseite</a> beenden, was eine Anwendung für Sie tun darf.',
    pt: 'Pode terminar a qualquer momento, na <a>página da sua conta</a>, o que uma aplicação pode fazer por si.',
    fr: 'Vous pouvez à tout moment mettre fin, sur <a>la page de votre compte</a>, à ce qu’une application peut faire pour vous.',
    ar: 'يمكنكم في أي وقت إنهاء ما يُسمح لتطبيق أن يقوم به نيابةً عنكم من <a>صفحة حسابكم</a>.',
  },
  about: {
    en: 'Help and legal',
    de: 'Hilfe und Rechtliches',
    pt: 'Ajuda e informações legais',
    fr: 'Aide et mentions légales',
    ar: 'المساعدة والمعلومات القانونية',
  },
  support: { en: 'Support', de: 'Hilfe', pt: 'Apoio', fr: 'Assistance', ar: 'الدعم' },
  privacy: { en: 'Privacy', de: 'Datenschutz', pt: 'Privacidade', fr: 'Confidentialité', ar: 'الخصوصية' },
  terms: { en: 'Terms', de: 'Bedingungen', pt: 'Condições', fr: 'Conditions', ar: 'الشروط' },
  language: { en: 'Language', de: 'Sprache', pt: 'Idioma', fr: 'Langue', ar: 'اللغة' },
  showAll: {
    en: 'Show all {count, plural, one {# character} other {# characters}}',
    de: '{count, plural, one {# Zeichen} other {Alle # Zeichen}} anzeigen',
    pt: 'Mostrar {count, plural, one {o único carácter} other {todos os # caracteres}}',
    fr: 'Afficher {count, plural, one {le caractère} other {les # caractères}}',
    ar: '{count, plural, zero {إظهار الأحرف} one {إظهار الحرف} two {إظهار الحرفين} few {إظهار كل الأحرف (#)} many {إظهار كل الأحرف (#)} other {إظهار كل الأحرف (#)}}',
  },
  whatYouCanDo: {
    en: 'What you can do',
    de: 'Was Sie tun können',
    pt: 'O que pode fazer',
    fr: 'Ce que vous pouvez faire',
    ar: 'ما يمكنكم فعله',
  },
  ifYouAsk: {
    en: 'If you ask for help',
    de: 'Wenn Sie um Hilfe bitten',
    pt: 'Se pedir ajuda',
    fr: 'Si vous demandez de l’aide',
    ar: 'إذا طلبتم المساعدة',
  },
  code: { en: 'Code', de: 'Code', pt: 'Código', fr: 'Code', ar: 'الرمز' },
  request: { en: 'Request', de: 'Anfrage', pt: 'Pedido', fr: 'Demande', ar: 'الطلب' },
  filters: { en: 'Filters', de: 'Filter', pt: 'Filtros', fr: 'Filtres', ar: 'عوامل التصفية' },
  filter: { en: 'Filter', de: 'Filtern', pt: 'Filtrar', fr: 'Filtrer', ar: 'تصفية' },
  clearAll: {
    en: 'Clear all',
    de: 'Alle zurücksetzen',
    pt: 'Limpar tudo',
    fr: 'Tout effacer',
    ar: 'مسح الكل',
  },
  local: {
    en: 'Development environment: no real money moves here.',
    de: 'Entwicklungsumgebung: Hier wird kein echtes Geld bewegt.',
    pt: 'Ambiente de desenvolvimento: aqui não se movimenta dinheiro real.',
    fr: 'Environnement de développement : aucun argent réel ne circule ici.',
    ar: 'بيئة تطوير: لا تُنقل هنا أي أموال حقيقية.',
  },
  test: {
    en: 'Test environment: no real money moves here.',
    de: 'Testumgebung: Hier wird kein echtes Geld bewegt.',
    pt: 'Ambiente de teste: aqui não se movimenta dinheiro real.',
    fr: 'Environnement de test : aucun argent réel ne circule ici.',
    ar: 'بيئة اختبار: لا تُنقل هنا أي أموال حقيقية.',
  },
})
