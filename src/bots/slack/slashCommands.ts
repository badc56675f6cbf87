import type { App, RespondArguments, SlashCommand } from '@slack/bolt';
import type { Asker } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import * as words from '../messages.ts';
import { inTime, outcomeOf } from '../outcome.ts';
import type { Opening, Place } from './modals.ts';
import { draw, quiet } from './render.ts';
import { addressOf, askerOf, type Conversation } from './replies.ts';

type Parts = {
  commands: Commands;
  opening: Opening;
  conversation: Conversation;
  failed: (error: unknown) => void;
};

const privately = (card: Card): RespondArguments => ({ ...draw(card), ...quiet, response_type: 'ephemeral' });

/** `/push`, and everything that may be typed after it. */
export function onSlashCommand(app: App, { commands, opening, conversation, failed }: Parts): void {
  app.command(/^\//, async ({ ack, command, client, context }) => {
    const asker = askerOf(context, command.user_id, command.trigger_id);
    const place = { client, triggerId: command.trigger_id };
    const answering = answer(asker, place, command).catch((error) => {
      failed(error);
      return words.ourFault;
    });
    const soon = await inTime(answering);
    if (soon !== undefined) return ack(soon.value && privately(soon.value));
    await ack();
    const late = await answering;
    const { user_id: user, response_url: replyTo } = command;
    if (late !== undefined) await conversation.tell({ client, user, replyTo }, late);
  });

  /** What the asker is to read, if anything. */
  async function answer(asker: Asker, place: Place, command: SlashCommand): Promise<Card | undefined> {
    const { text, response_url: replyTo, user_id: user } = command;
    const [, word = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
    const said = (work: Promise<Card>) => outcomeOf(work, failed).then((outcome) => outcome?.card);
    const hint = rest === '' ? undefined : words.hints.subword(word);
    const looking: Asker = { speaker: asker.speaker, workspace: asker.workspace };
    switch (word) {
      case '':
        return void (await opening.form(place, asker, { replyTo }));
      case 'help':
        return words.help('slack');
      case 'list':
        return said(commands.list(looking, hint));
      case 'expire':
        return said(commands.withNamed(asker, rest, commands.burn));
      case 'audit':
        return said(commands.withNamed(looking, rest, commands.audit));
      case 'request':
        return request(asker, place, { rest, replyTo, said });
      case 'connect':
        return said(commands.connect(asker, `@${command.user_name}`));
      case 'settings':
        return void (await opening.settings(place, looking, user));
      default:
        return said(commands.pushText(asker, text));
    }
  }

  type Asked = { rest: string; replyTo: string; said: (work: Promise<Card>) => Promise<Card | undefined> };

  /** Slack names people only where it is told to look for them in a command's text; elsewhere a form asks who is meant. */
  async function request(
    asker: Asker,
    place: Place,
    { rest, replyTo, said }: Asked,
  ): Promise<Card | undefined> {
    const [, user, reason = ''] = /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>\s*([\s\S]*)$/.exec(rest) ?? [];
    if (user === undefined) return void (await opening.requestForm(place, { replyTo }, rest));
    const provider = { platform: 'slack' as const, address: addressOf(asker.workspace, user) };
    return said(commands.request(asker, provider, reason));
  }
}
