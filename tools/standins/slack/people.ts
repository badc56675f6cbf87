import { type Fields, isFields } from '../shared/json.ts';
import type { PendingAction } from './acts.ts';
import { createBrowser } from './browser.ts';
import { type Decision, decide } from './consent.ts';
import type { Ack, DeliveryOptions } from './delivery.ts';
import { createInbox } from './inbox.ts';
import type { SeenMessage } from './messages.ts';
import { createHome, type Home, type Modal } from './modals.ts';
import { commandPayload, eventPayload, messageShortcutPayload, shortcutPayload } from './payloads.ts';
import type { ResponseUrl } from './platform.ts';
import { newResponseUrl, takeAcknowledgedMessage } from './responseUrls.ts';
import type { Stage } from './stage.ts';
import type { App, Conversation, Enterprise, Message, Team, User, UserFile } from './things.ts';
import { presentView } from './viewing.ts';

export type Person = ReturnType<typeof createPerson>;

type SaidOptions = { in?: Conversation; thread?: Message | SeenMessage; files?: UserFile[] };

type ActionTarget = { in?: Conversation; app?: App; manner?: DeliveryOptions };

/** A user in a workspace: their actions, and what they see. */
export function createPerson(stage: Stage, user: User, mainApp: App) {
  const { platform } = stage;
  const { world, clock } = platform;
  const grantFor = (app: App) => world.grantFor(app, user.team);
  const general = () =>
    world.conversations.find(({ team, name }) => team === user.team && name === 'general');

  function place(where: Conversation | undefined): Conversation {
    const conversation = where ?? general();
    if (!conversation) throw new Error('the workspace has no channel general');
    return conversation;
  }

  /** Runs a slash command, such as `/push` or `/push list`, in a channel. The default, general, does not have the bot. */
  function runs(line: string, { in: where, app = mainApp, manner }: ActionTarget = {}): PendingAction {
    const [, command = line, text = ''] = /^(\S+)(?: ([\s\S]*))?$/.exec(line) ?? [];
    const conversation = place(where);
    const who = { app, user, grant: grantFor(app) };
    const answers = { user, grant: who.grant, conversation, original: undefined, threadTs: undefined };
    const responseUrl = newResponseUrl(platform, answers);
    return stage.act({
      ...who,
      manner,
      make: (triggerId) => ({
        how: 'slash_commands',
        name: `the command ${command}`,
        body: commandPayload(platform, who, { command, text, conversation, triggerId, responseUrl }),
      }),
      settle: (ack) => showAcknowledged(responseUrl, ack),
    });
  }

  function showAcknowledged(responseUrl: string, ack: Ack): Ack {
    const answers: ResponseUrl | undefined = platform.responseUrls.get(responseUrl.split('/').at(-1) ?? '');
    const message = typeof ack.body === 'string' ? { text: ack.body } : ack.body;
    if (!answers || !isFields(message) || Object.keys(message).length === 0) return ack;
    const { status } = takeAcknowledgedMessage(platform, answers, message);
    return status === 200 ? ack : { ...ack, error: 'dispatch_failed' };
  }

  /** Uses a global shortcut by its callback id, or a message shortcut `on` a message. */
  function usesShortcut(
    callbackId: string,
    { on, app = mainApp }: { on?: Message | SeenMessage; app?: App } = {},
  ): PendingAction {
    const who = { app, user, grant: grantFor(app) };
    const message = on && ('sent' in on ? on.sent : on);
    return stage.act({
      ...who,
      make: (triggerId) => {
        if (!message) {
          const body = shortcutPayload(who, callbackId, clock.nextTs(), triggerId);
          return { how: 'interactive', name: `the shortcut ${callbackId}`, body };
        }
        const { conversation } = message;
        const answers = {
          user,
          grant: who.grant,
          conversation,
          original: undefined,
          threadTs: message.threadTs,
        };
        const more = {
          action_ts: clock.nextTs(),
          trigger_id: triggerId,
          response_url: newResponseUrl(platform, answers),
        };
        const body = messageShortcutPayload(who, message, callbackId, more);
        return { how: 'interactive', name: `the message shortcut ${callbackId}`, body };
      },
    });
  }

  /** Posts a message, without an event to any app. */
  function says(text: string, { in: where, thread, files = [] }: SaidOptions = {}): Message {
    const root = thread && ('sent' in thread ? thread.sent : thread);
    const conversation = root?.conversation ?? place(where);
    return world.post({
      files: files.map((file) => world.upload(file, user, conversation)),
      ...{
        conversation,
        author: user,
        grant: undefined,
        text,
        blocks: [],
      },
      ...{ threadTs: root?.ts, onlyFor: undefined, metadata: undefined },
      ...{ unfurlLinks: undefined, unfurlMedia: undefined },
    });
  }

  function homeView(app: App) {
    return world.views.findLast(
      (view) => view.type === 'home' && view.user === user && view.app === app && view.isOpen,
    );
  }

  /** Opens the app's Home. */
  function opensHome(app = mainApp): PendingAction & { home(): Promise<Home> } {
    const grant = grantFor(app);
    const before = homeView(app)?.hash;
    const channel = grant && world.dmOf(grant.bot, user).id;
    const view = homeView(app);
    const event: Fields = {
      ...{ type: 'app_home_opened', user: user.id, channel, tab: 'home', event_ts: clock.nextTs() },
      ...(view && { view: presentView(view) }),
    };
    const act = stage.act({
      ...{ app, user },
      make: () => ({
        how: 'events_api',
        name: 'the event app_home_opened',
        body: eventPayload(platform, app, user.team, grant, event),
      }),
    });
    const home = async () => {
      const changed = () => {
        const shown = homeView(app);
        return shown && shown.hash !== before ? shown : undefined;
      };
      return createHome(stage, await clock.until('the home', changed, platform.settings.patienceMs));
    };
    return Object.assign(act, { home });
  }

  /** Decides on the consent page, and returns the URL of the redirect. */
  const allows = (authorizeUrl: string, { on }: { on?: Team | Enterprise } = {}) =>
    decide(platform, authorizeUrl, { user, place: on });

  /**
   * Installs the app in a browser: from the app's own page to Slack's consent page, and back after the decision.
   * Returns the last page.
   */
  async function adds(
    installUrl: string,
    { on, denies = false }: { on?: Team | Enterprise; denies?: boolean } = {},
  ) {
    const browser = createBrowser();
    const first = await browser.open(installUrl);
    const found = first.location ?? /href="([^"]*\/oauth\/v2\/authorize[^"]*)"/.exec(first.text)?.[1];
    if (found === undefined)
      throw new Error(`no way to Slack on the page of HTTP ${first.status}: ${first.text}`);
    const decision: Decision = denies ? 'deny' : { user, place: on };
    return browser.follow(decide(platform, found.replaceAll('&amp;', '&'), decision));
  }

  /** A message as they see it. Throws if they do not see it. */
  function sees({ sent }: SeenMessage): SeenMessage {
    if (!world.sees(user, sent) || sent.deleted) throw new Error(`${user.name} does not see it`);
    return stage.seen(sent, user);
  }

  const isReply = ({ threadTs, ts }: Message) => threadTs !== undefined && threadTs !== ts;

  return {
    id: user.id,
    name: user.name,
    user,
    team: user.team,
    /** The markup that mentions this user. */
    mention: `<@${user.id}>`,
    runs,
    usesShortcut,
    says,
    sees,
    opensHome,
    allows,
    denies: (authorizeUrl: string) => decide(platform, authorizeUrl, 'deny'),
    adds,
    /** The direct messages of bots to this user, without replies in threads. */
    dms: createInbox(stage, user, 'direct message', (message) => {
      const { conversation, onlyFor } = message;
      return conversation.kind === 'im' && conversation.members.has(user) && !onlyFor && !isReply(message);
    }),
    /** What bots showed only to this user, in any channel. */
    whispers: createInbox(stage, user, 'private answer', ({ onlyFor }) => onlyFor === user),
    /** The current App Home. */
    get home(): Home {
      const view = homeView(mainApp);
      if (!view) throw new Error(`${user.name} has no home`);
      return createHome(stage, view);
    },
    /** The topmost open modal, if any. */
    get modal(): Modal | undefined {
      const view = world.views.findLast((one) => one.user === user && one.type === 'modal' && one.isOpen);
      return view && stage.modal(view);
    },
  };
}
