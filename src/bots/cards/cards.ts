import { DomainError } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import { problemText, refusalText } from '../../locales/wording.ts';
import type { Platform } from '../../platforms.ts';
import { actions } from '../actions.ts';
import { type Button, type Card, type Line, type TextPart, textCard } from '../card.ts';
import { createButtons } from './buttons.ts';
import { createEventCard } from './events.ts';
import { createHelp } from './help.ts';
import { createLinkCards } from './links.ts';
import { createListCards } from './lists.ts';
import { createPhrases } from './phrases.ts';
import { createPushCards } from './push.ts';
import { createReceivedCards } from './received.ts';
import { createRequestCards } from './requests.ts';

/** Everything that people in a chat are shown, in one language. Never a secret. */
export function createCards(language: Messages) {
  const { chat: messages } = language;
  const buttons = createButtons(language);
  const phrases = createPhrases(messages);
  const parts = { buttons, phrases };
  const { connect, hints, fields } = messages;
  const pushCommand: TextPart = { code: '/push' };

  /** Why the domain refused something: field by field, where there are fields. */
  function refusal(error: DomainError): Card {
    const lines = Object.entries(error.problems).flatMap(([field, problems]) => {
      const name = Object.entries(fields).find(([each]) => each === field)?.[1];
      return name === undefined
        ? []
        : problems.map((each) => messages.fieldProblem(name, problemText(language, each)));
    });
    return lines.length === 0 ? textCard(refusalText(language, error)) : textCard(...lines);
  }

  return {
    ...createPushCards(language, parts),
    ...createReceivedCards(messages, parts),
    ...createListCards(language, parts),
    ...createRequestCards(language, parts),
    ...createLinkCards(language, buttons),
    event: createEventCard(messages, parts),
    ...createHelp(messages),
    buttons,
    /** Asks before a push is burned. */
    confirmBurn: (pushId: string): Card => {
      const { title, text, yes, no } = messages.confirmBurn;
      return {
        ...textCard([{ bold: title }], text),
        buttons: [
          { label: yes, style: 'danger', id: actions.burn, value: pushId },
          { label: no, id: actions.show, value: pushId },
        ],
      };
    },
    refusal,
    connect: (link: string): Card => ({
      summary: [connect.summary],
      lines: [[connect.text]],
      buttons: [buttons.open(messages.buttons.connect, link)],
    }),
    activityExport: (link: string): Card => ({
      ...textCard(messages.activityExport),
      buttons: [buttons.open(messages.buttons.download, link)],
    }),
    whoseSettings: (platform: Platform): Card => ({
      ...textCard(messages.whoseSettings),
      buttons: buttons.whoseSettings(platform),
    }),
    moreOptions: (draft: string): Card => ({
      ...textCard(messages.moreOptions),
      buttons: [buttons.more(draft)],
    }),
    saved: textCard(messages.saved),
    alreadyDone: textCard(messages.alreadyDone),
    tryAgain: textCard(messages.tryAgain),
    internalError: textCard(messages.internalError),
    tooSlow: textCard(messages.tooSlow),
    inDirectMessages: textCard(messages.inDirectMessages),
    notAllowed: refusal(new DomainError('forbidden', 'mayNotManage')),
    notFound: textCard(messages.notFound),
    lostDraft: textCard(messages.lostDraft),
    nothingToPush: textCard(messages.nothingToPush),
    fileUnreadable: (name: string): Card => textCard(messages.fileUnreadable<TextPart>({ bold: name })),
    groupUnreadable: textCard(messages.groupUnreadable),
    fetchingFiles: textCard(messages.fetchingFiles),
    textNotAllowed: textCard(messages.textNotAllowed<TextPart>(pushCommand)),
    didYouMean: (typed: string, command: string): Card =>
      textCard(messages.didYouMean<TextPart>({ code: typed }, { code: command }, pushCommand)),
    /** `link` leads to the installation, where the app can be installed. */
    notInstalled: (link?: string): Card =>
      textCard(messages.notInstalled<TextPart>(link === undefined ? undefined : { link, label: link })),
    /** For a form that a chat did not show: `button` tries again. */
    formFailed: (button: Button): Card => ({ ...textCard(messages.formFailed), buttons: [button] }),
    hints: {
      slashText: hints.slashText<TextPart>(pushCommand),
      original: [hints.original],
      unreached: [hints.unreached],
      subword: (word: string): Line => hints.subword<TextPart>({ code: word }, pushCommand),
    },
  };
}

export type Cards = ReturnType<typeof createCards>;
