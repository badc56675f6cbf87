import type { Words } from './en.ts';
import { formatsOf } from './formats.ts';

const formats = formatsOf('de');
const { count, inTime } = formats;

export const de: Words = {
  ...formats,
  language: 'Deutsch',
  direction: 'ltr',
  frame: {
    toContent: 'Zum Inhalt springen',
    languages: 'Sprache',
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
  refusal: {
    title: 'Das ging nicht',
    tooMany: (seconds) => `Zu viele Versuche. Versuche es ${inTime(seconds * 1000)} wieder.`,
    otherSite: 'Dieses Formular kam von einer anderen Seite.',
    stale: 'Dieses Formular ist veraltet. Geh zurück, lade die Seite neu und wiederhole, was du getan hast.',
    unavailable:
      'Der Dienst ist gerade nicht erreichbar. Es wurde nichts verbraucht: Versuche es gleich noch einmal.',
    failure: 'Bei uns ist etwas schiefgegangen.',
  },
};
