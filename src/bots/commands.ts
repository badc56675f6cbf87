import type { ChatCaller, Domain } from '../domain/index.ts';
import type { Locale } from '../locales/locales.ts';
import { defaultLook, type Look } from '../look/look.ts';
import type { Card, Line } from './card.ts';
import { createPushCreation } from './commands/create.ts';
import { createDrafts } from './commands/drafts.ts';
import { createLinkCommands, type PageOf } from './commands/links.ts';
import { createLists } from './commands/lists.ts';
import { createPushCommands } from './commands/pushes.ts';
import { createReminderCommands } from './commands/reminders.ts';
import { createRequestLinkCommands } from './commands/requestLinks.ts';
import { createRequestCommands } from './commands/requests.ts';
import { createSettingsCommands } from './commands/settings.ts';
import { createSubmit } from './commands/submit.ts';
import { languageOf } from './language.ts';

type Dependencies = {
  domain: Domain;
  /** The address of a push's page. */
  linkTo: (urlToken: string) => string;
  /** The address of the page that answers a request link. */
  requestLinkTo: (urlToken: string) => string;
  /** The address of the page that a one-time link opens. */
  pageOf: PageOf;
  look?: Look;
};

export type Commands = ReturnType<typeof createCommands>;

/**
 * What people can do from any chat. A command returns a card for the caller alone, or throws a refusal, which `toErrorCard`
 * puts into words.
 */
export function createCommands({ look = defaultLook, ...dependencies }: Dependencies) {
  const { domain, linkTo, pageOf } = dependencies;
  const { chat } = domain;
  const commands = {
    ...createPushCreation({ chat, linkTo }),
    ...createPushCommands({ domain, linkTo }),
    ...createLists(dependencies),
    ...createRequestCommands(chat),
    ...createRequestLinkCommands(dependencies),
    ...createReminderCommands(domain),
    ...createLinkCommands({ chat, pageOf }),
    ...createDrafts(chat.links),
    ...createSettingsCommands(domain),
  };
  return {
    ...commands,
    /** How the commands are used, and below that whose service this is, where it has a look of its own. */
    help(caller: ChatCaller): Card {
      const { locale, cards } = languageOf(caller);
      const card = cards.help(caller.chatUser.platform);
      if (look.version === '') return card;
      return { ...card, footnotes: [...(card.footnotes ?? []), signatureOf(look, locale)] };
    },
    /** Does what a submitted form is for. */
    submit: createSubmit({ ...commands, readmit: chat.readmit }),
    formDefaults: chat.formDefaults,
    fallbackDefaults: chat.fallbackDefaults,
    /** Whether the caller manages their workspace. The chat is asked now. */
    isManager: chat.access.isManager,
    /** Whether the last direct message to a user was not delivered. */
    isUnreachable: chat.identities.isUnreachable,
    linkTo,
  };
}

/** The name and the links of a look. Chats show no links to mail programs. */
const signatureOf = ({ name, links }: Look, locale: Locale): Line => [
  { bold: name },
  ...links
    .filter(({ url }) => !url.startsWith('mailto:'))
    .flatMap(({ text, url }): Line => [' · ', { link: url, label: text[locale].text }]),
];
