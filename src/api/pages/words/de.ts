import type { Words } from './en.ts';
import { formatsOf, phrasesOf } from './formats.ts';

const formats = formatsOf('de');
const { count, inTime } = formats;

export const de: Words = {
  ...formats,
  language: 'Deutsch',
  direction: 'ltr',
  frame: {
    toContent: 'Zum Inhalt springen',
    languages: 'Sprache',
    nav: 'Hauptmenü',
    make: 'Neuer Push',
    pushes: 'Deine Pushes',
    account: 'Konto',
    admin: 'Verwaltung',
    signIn: 'Anmelden',
    signOut: 'Abmelden',
    about: 'Geheimnisse hinter Links, die vergehen – nur auf diesem Server.',
  },
  share: {
    title: 'Jemand hat ein Geheimnis für dich',
    description: 'Öffne diesen Link, um es zu sehen. Vielleicht geht das nur einmal.',
  },
  step: {
    title: 'Jemand hat ein Geheimnis für dich',
    lead: 'Das Öffnen verbraucht eine Ansicht, und vielleicht geht es nur einmal. Halte einen Platz dafür bereit.',
    hold: 'Zum Zeigen halten',
    holdHow: 'Gedrückt halten, bis sich der Ring schließt. Mit der Tastatur: Leertaste oder Enter halten.',
    keepHolding: 'Etwas länger: halten, bis sich der Ring schließt, oder unten das Wort eingeben.',
    opening: 'Wird geöffnet …',
    otherWay: 'Ich kann nicht gedrückt halten',
    word: 'öffnen',
    typeWord: (word) => `Gib das Wort „${word}“ ein`,
    show: 'Geheimnis zeigen',
    passphraseLead:
      'Es ist geschützt. Gib die Passphrase ein, die du bekommen hast; das Öffnen verbraucht eine Ansicht.',
    passphrase: 'Passphrase',
    showTyped: 'Eingabe zeigen',
  },
  stepProblem: {
    early: 'Das war zu schnell für einen Menschen. Bitte versuche es noch einmal.',
    late: 'Diese Seite war schon länger offen. Bitte versuche es noch einmal; es wurde nichts verbraucht.',
    foreign:
      'Bitte versuche es noch einmal; es wurde nichts verbraucht. Kommt das wieder, erlaube Cookies für diese Seite.',
    word: (word) =>
      `Bitte gib das Wort „${word}“ ein, um das Geheimnis zu zeigen. Es wurde nichts verbraucht.`,
    wrongPassphrase: 'Diese Passphrase stimmt nicht.',
    triesLeft: (tries) =>
      tries === 0
        ? 'Das war der letzte Versuch für jetzt. Warte eine halbe Stunde und versuche es dann wieder.'
        : count(tries, { one: 'Du hast noch # Versuch.', other: 'Du hast noch # Versuche.' }),
    shownBefore:
      'Du hast das gerade eben geöffnet, und das hat eine Ansicht verbraucht. Erneutes Öffnen verbraucht noch eine.',
  },
  make: {
    title: 'Ein Geheimnis teilen',
    lead: 'Es wird versiegelt und ist nach so vielen Ansichten oder Tagen weg, was immer zuerst kommt.',
    kind: 'Was ist es?',
    kinds: { text: 'Text', url: 'Link', qr: 'QR-Code', file: 'Dateien' },
    payload: 'Das Geheimnis',
    payloadHow:
      'Ein Passwort, ein Schlüssel, ein Brief; oder die Adresse oder der Text, wenn es ein Link oder ein QR-Code ist.',
    generatePassword: 'Passwort erzeugen',
    expires: 'Löschen nach',
    views: 'Ansichten höchstens',
    viewsCount: (views) => count(views, { one: '# Ansicht', other: '# Ansichten' }),
    passphrase: 'Passphrase',
    passphraseHow:
      'Freiwillig. Wer den Link öffnet, muss sie kennen; schicke sie auf einem anderen Weg als den Link.',
    generatePassphrase: 'Passphrase erzeugen',
    more: 'Mehr',
    name: 'Name',
    nameHow: 'Freiwillig und nur für dich: woran du es wiederfindest.',
    note: 'Notiz',
    noteHow: 'Freiwillig und nur für dich.',
    retrievalStep: 'Vor dem Zeigen fragen, damit Vorschauen von Links keine Ansicht verbrauchen',
    deletableByViewer: 'Wer den Link hat, darf es löschen',
    notices: 'Sag mir Bescheid,',
    submit: 'Link erzeugen',
    wrong: 'Etwas stimmt noch nicht. Es wurde nichts angelegt.',
  },
  made: {
    title: 'Dein Link ist fertig',
    lead: 'Schicke ihn dem, für den er ist. Wer ihn zuerst öffnet, verbraucht seine Ansichten.',
    link: 'Der Link',
    copyLink: 'Link kopieren',
    message: 'Eine Nachricht zum Einfügen',
    messageText: (link, views, until) =>
      `Ich habe ein Geheimnis für dich. Es lässt sich ${views} öffnen, bis ${until}:\n${link}`,
    opens: (views) => count(views, { one: 'einmal', other: '#-mal' }),
    copyMessage: 'Nachricht kopieren',
    mail: 'E-Mail schreiben',
    subject: 'Ein Geheimnis für dich',
    qr: 'QR-Code des Links',
    showQr: 'Als QR-Code zeigen',
    passphrase: 'Schicke die Passphrase auf einem anderen Weg als den Link.',
    another: 'Noch eins',
    toPush: 'Sehen, was damit geschieht',
  },
  compose: {
    lead: 'Hier gemacht, geht es nie durch den Chat. Diese Seite gilt einmal; der Link erscheint im Chat, sobald du fertig bist.',
    needsRecipients:
      'In diesem Workspace braucht jeder Push Empfänger: Wähle sie im Formular im Chat, und öffne diese Seite von dort noch einmal.',
    made: 'Du findest ihn auch im Chat.',
    gone: {
      title: 'Diese Seite ist verbraucht',
      text: 'Sie gilt einmal, eine Viertelstunde lang. Fordere im Chat eine neue an.',
    },
  },
  notices: {
    viewed: 'wenn es angesehen wird',
    viewedChoices: { first: 'beim ersten Mal', every: 'jedes Mal', none: 'nie' },
    expired: 'wenn es endet',
    failedPassphrase: 'wenn jemand eine falsche Passphrase eingibt',
    reminder: 'wenn es bald endet und niemand es gesehen hat',
  },
  shown: {
    title: 'Ein Geheimnis für dich',
    show: 'Zeigen',
    hide: 'Verbergen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    copyFailed: 'Das Kopieren ging nicht: Markiere den Text und kopiere ihn selbst.',
    download: 'Als Text herunterladen',
    wrap: 'Zeilen umbrechen',
    linkTo: 'Ein Link zu',
    linkAdvice: 'Öffne ihn nur, wenn du diese Adresse kennst. Für dich wurde nichts geöffnet.',
    qr: 'QR-Code des Geheimnisses',
    qrTooLong: 'Für einen QR-Code ist das zu lang, deshalb steht es hier als Text.',
    qrText: 'Was der Code sagt',
    viewsLeft: (views) =>
      count(views, {
        one: 'Es lässt sich noch einmal öffnen.',
        other: 'Es lässt sich noch #-mal öffnen.',
      }),
    lastView:
      'Das war die letzte Ansicht: Das Geheimnis ist hier nun gelöscht. Bewahre es auf, bevor du diese Seite verlässt.',
    timeLeft: (ms) => `Es wird ${inTime(ms)} gelöscht.`,
    erasedNow: 'Seine Zeit ist um: Es ist hier nun gelöscht.',
    deleteNow: 'Jetzt löschen',
    deleteHow: 'Danach kann es niemand mehr öffnen, und das lässt sich nicht rückgängig machen.',
  },
  deleted: {
    title: 'Das Geheimnis ist gelöscht',
    text: 'Es ist hier gelöscht, und sein Link öffnet nichts mehr.',
  },
  shownBefore: {
    title: 'Du hast dieses Geheimnis gesehen',
    text: 'Es wurde gerade eben gezeigt, auf denselben Druck hin, und das war seine letzte Ansicht. Es ist hier nun gelöscht.',
  },
  gone: {
    title: 'Dieses Geheimnis ist nicht verfügbar',
    text: 'Der Link ist falsch, oder das Geheimnis ist abgelaufen oder gelöscht. Bitte den Absender um einen neuen.',
    ask: 'Das könntest du dem Absender schreiben:',
    message:
      'Der Link zum Geheimnis, den du mir geschickt hast, geht nicht mehr. Schickst du mir einen neuen?',
    copy: 'Diese Nachricht kopieren',
  },
  problem: phrasesOf([
    [/^must not be blank$/, 'Das darf nicht leer sein.'],
    [/^must be between (\S+) and (\S+)$/, 'Das muss eine Zahl von $1 bis $2 sein.'],
    [/^must have at most (\d+) characters$/, 'Das darf höchstens $1 Zeichen haben.'],
    [/^must have at most (\d+) bytes$/, 'Das darf höchstens $1 Bytes haben.'],
    [/^must have at least (\d+) characters$/, 'Das muss mindestens $1 Zeichen haben.'],
    [/^must be an e-mail address$/, 'Das muss eine E-Mail-Adresse sein.'],
    [
      /^must be an absolute http or https (?:URL|address).*$/,
      'Das muss eine ganze Adresse sein, die mit http:// oder https:// beginnt.',
    ],
    [/^must be one of (.*)$/, 'Das muss eines davon sein: $1.'],
    [/^must be well-formed Unicode$/, 'Das enthält Zeichen, die keine sind.'],
    [/^is incorrect$/, 'Das stimmt nicht.'],
  ]),
  refusal: {
    title: 'Das ging nicht',
    tooMany: (seconds) => `Zu viele Versuche. Versuche es ${inTime(seconds * 1000)} wieder.`,
    otherSite: 'Dieses Formular kam von einer anderen Seite.',
    stale: 'Dieses Formular ist veraltet. Geh zurück, lade die Seite neu und wiederhole, was du getan hast.',
    unavailable:
      'Der Dienst ist gerade nicht erreichbar. Es wurde nichts verbraucht: Versuche es gleich noch einmal.',
    failure: 'Bei uns ist etwas schiefgegangen.',
    notFound: 'Hier ist nichts.',
  },
};
