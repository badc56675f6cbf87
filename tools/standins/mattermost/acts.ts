import { messagesOf } from '../../../src/locales/locales.ts';
import { fieldsOf, isFields, listOf, parseJson, textOf } from '../shared/json.ts';
import { postProblems } from './limits.ts';
import type { Platform } from './platform.ts';
import { createSeenDialog, createSeenPost, type SeenDialog, type SeenPost } from './seen.ts';
import type { startServer } from './server.ts';
import { type Channel, newId, type OpenDialog, type Post, type Trigger, type User } from './world.ts';

type Result = { status: number; error: string | undefined; ms: number };

/** An action of a user. Awaited, it is what the app responded. Its methods wait for what the user sees then. */
export type Pending = Promise<Result> & {
  modal(): Promise<SeenDialog>;
  message(): Promise<SeenPost>;
  /** Sends the same request once more. */
  again(): Promise<number>;
};

export type Acts = ReturnType<typeof createActs>;

type Server = Pick<Awaited<ReturnType<typeof startServer>>, 'showResponse'>;
type Outgoing = { url: string; body: string; isForm?: boolean };
type OnErrors = (errors: Record<string, string>, whole: string) => void;

/** What the app says where it had to answer in a direct message: people then look there. */
const elsewhere = messagesOf('en').chat.inDirectMessages;

const hookLifeMs = 30 * 60_000;

/** What people do, and what Mattermost sends to the app then (server/channels/app). */
export function createActs(platform: Platform, server: () => Server) {
  const { world, complain } = platform;

  async function post({
    url,
    body,
    isForm = false,
  }: Outgoing): Promise<{ status: number; body: string; ms: number }> {
    const startedAt = performance.now();
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
      body,
    });
    return { status: response.status, body: await response.text(), ms: performance.now() - startedAt };
  }

  function pending(
    outgoing: Outgoing,
    { user, trigger }: { user: User; trigger: Trigger | undefined },
    settle: (body: unknown) => string | undefined,
  ): Pending {
    const before = world.arrivals.length;
    let failed: string | undefined;
    const result = post(outgoing).then(({ status, body, ms }) => {
      const json = parseJson(body);
      platform.record('a response', body);
      failed = status === 200 ? settle(json) : `status ${status}`;
      if (status === 200 && !isFields(json)) complain('a response', ['it is no object']);
      world.changed();
      return { status, error: failed, ms };
    });
    const expect = <T>(what: string, find: () => T | undefined) =>
      world.until(what, () => {
        const found = find();
        if (found === undefined && failed !== undefined) throw new Error(`Mattermost shows ${failed}`);
        return found;
      });
    return Object.assign(result, {
      async modal() {
        const found = await expect('a dialog', () =>
          world.dialogs.findLast((each) => each.trigger === trigger && each.isOpen),
        );
        return createSeenDialog({ acts }, found);
      },
      async message() {
        await result; // which may come after a notice
        const found = await expect('a post', () => {
          const seen = world.arrivals
            .slice(before)
            .filter(({ how, post: each }) => how === 'posted' && world.sees(user, each));
          const posts = seen.map((each) => each.post);
          const isElsewhere = posts.some(({ message }) => message === elsewhere);
          if (isElsewhere) return posts.find(({ channel }) => channel.team === undefined);
          return (
            posts.find(({ onlyFor }) => onlyFor === user) ??
            posts.find(({ rootId }) => rootId !== '') ??
            posts[0]
          );
        });
        return createSeenPost({ platform, acts }, found, user);
      },
      again: async () => (await post(outgoing)).status,
    });
  }

  /** What the app posts by its API while a button is handled came of that button. */
  const cause = (trigger: Trigger, from: number) => {
    for (const { post: each } of world.arrivals.slice(from))
      if (each.onlyFor !== undefined || each.rootId !== '') each.cause ??= trigger.cause;
  };

  const acts = {
    /** DoCommandRequest (app/command.go): a form, with its keys in order, and the token of the team's command. */
    run(line: string, user: User, channel: Channel, { token }: { token?: string | undefined } = {}): Pending {
      const [, name = '', text = ''] = /^\/(\S+)(?:\s([\s\S]*))?$/.exec(line) ?? [];
      const command = platform.commands.find(({ trigger }) => trigger === name);
      if (command === undefined) throw new Error(`there is no command /${name}`);
      const hook = { id: newId(), user, channel, uses: 0, expiresAt: world.now() + hookLifeMs };
      world.hooks.set(hook.id, hook);
      const trigger = world.newTrigger(user, channel, undefined);
      const fields = new URLSearchParams({
        ...{ channel_id: channel.id, channel_name: channel.name, command: `/${name}` },
        ...{ response_url: `${platform.at.url}/hooks/commands/${hook.id}`, root_id: '' },
        ...{ team_domain: command.team.name, team_id: command.team.id, text },
        ...{
          token: token ?? command.token,
          trigger_id: trigger.id,
          user_id: user.id,
          user_name: user.username,
        },
      });
      return pending({ url: command.url, body: String(fields), isForm: true }, { user, trigger }, (body) => {
        server().showResponse({ user, channel }, body, undefined);
        return undefined;
      });
    },

    /** DoPostActionWithCookie (app/integration_action.go). A context's keys are sorted, and a direct channel has no team. */
    press(
      on: Post,
      integration: { url?: unknown; context?: unknown },
      user: User,
      forged: { sealed?: string } = {},
    ): Pending {
      const { channel } = on;
      const trigger = world.newTrigger(user, channel, on);
      const from = world.arrivals.length;
      const context = Object.fromEntries(
        Object.entries({ ...fieldsOf(integration.context), ...forged }).toSorted(([one], [other]) =>
          one < other ? -1 : 1,
        ),
      );
      const body = JSON.stringify({
        ...{ user_id: user.id, user_name: user.username, channel_id: channel.id, channel_name: channel.name },
        ...{ team_id: channel.team?.id ?? '', team_domain: channel.team?.name ?? '', post_id: on.id },
        ...{ trigger_id: trigger.id, type: 'button', data_source: '', context },
      });
      return pending({ url: textOf(integration.url), body }, { user, trigger }, (response) => {
        const error = settlePress(on, response, user, trigger);
        cause(trigger, from);
        return error;
      });
    },

    /** SubmitInteractiveDialog (app/integration_action.go). What the client says of the dialog is passed on. */
    submit(
      dialog: OpenDialog,
      values: object,
      { user = dialog.user, state, onErrors }: { user?: User; state?: string; onErrors: OnErrors },
    ): Pending {
      if (!dialog.isOpen) throw new Error('the dialog is closed');
      const from = world.arrivals.length;
      const body = JSON.stringify({
        ...{ type: 'dialog_submission', callback_id: dialog.content.callback_id, user_id: user.id },
        ...{ state: state ?? dialog.content.state, channel_id: dialog.channel.id, cancelled: false },
        ...{ team_id: dialog.channel.team?.id ?? '', submission: values },
      });
      return pending({ url: dialog.url, body }, { user: dialog.user, trigger: undefined }, (response) => {
        const { error, errors } = fieldsOf(response);
        const found = fieldsOf(errors) as Record<string, string>;
        const names = listOf(dialog.content.elements).map(({ name }) => textOf(name));
        complain(
          'an error',
          Object.keys(found)
            .filter((name) => !names.includes(name))
            .map((name) => `no field ${name}`),
        );
        dialog.isOpen = Object.keys(found).length > 0 || textOf(error) !== '';
        onErrors(found, textOf(error));
        cause(dialog.trigger, from);
        return undefined;
      });
    },
  };

  /** An ephemeral post is in no database, so it is not updated. */
  function settlePress(on: Post, response: unknown, user: User, trigger: Trigger): string | undefined {
    const { update, ephemeral_text, skip_slack_parsing } = fieldsOf(response);
    if (update !== undefined) {
      const { message, props } = fieldsOf(update);
      const attachments = listOf(fieldsOf(props).attachments);
      complain('an update', postProblems(message, attachments));
      if (on.onlyFor !== undefined) {
        complain('an update', ['an ephemeral post cannot be edited']);
        return 'an error';
      }
      world.edit(on, { message: textOf(message), attachments });
    }
    const text = textOf(ephemeral_text);
    if (text === '') return undefined;
    complain('a response', skip_slack_parsing === true ? [] : ['it would be read as if it were for Slack']);
    world.post({
      ...{ channel: on.channel, author: platform.bot, message: text, attachments: [], onlyFor: user },
      cause: trigger.cause,
    });
    return undefined;
  }

  return acts;
}
