import type { Domain } from '../domain/index.ts';
import { createPushCreation } from './commands/create.ts';
import { createDrafts } from './commands/drafts.ts';
import { createLinkCommands, type PageOf } from './commands/links.ts';
import { createLists } from './commands/lists.ts';
import { createPushCommands } from './commands/pushes.ts';
import { createReminderCommands } from './commands/reminders.ts';
import { createRequestCommands } from './commands/requests.ts';
import { createSettingsCommands } from './commands/settings.ts';
import { createSubmit } from './commands/submit.ts';

type Dependencies = {
  domain: Domain;
  /** The address of a push's page. */
  linkTo: (urlToken: string) => string;
  /** The address of the page that a one-time link opens. */
  pageOf: PageOf;
};

export type Commands = ReturnType<typeof createCommands>;

/**
 * What people can do from any chat. A command returns a card for the caller alone, or throws a refusal, which `toErrorCard`
 * puts into words.
 */
export function createCommands({ domain, linkTo, pageOf }: Dependencies) {
  const { chat } = domain;
  const commands = {
    ...createPushCreation({ chat, linkTo }),
    ...createPushCommands({ domain, linkTo }),
    ...createLists({ domain, linkTo }),
    ...createRequestCommands(chat),
    ...createReminderCommands(domain),
    ...createLinkCommands({ chat, pageOf }),
    ...createDrafts(chat.links),
    ...createSettingsCommands(domain),
  };
  return {
    ...commands,
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
