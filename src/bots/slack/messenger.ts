import type { webApi } from '@slack/bolt';
import type {
  Delivery,
  Domain,
  Messenger,
  Notice,
  PushNotice,
  RequestNotice,
  Speaker,
} from '../../domain/index.ts';
import type { Button, Card, Line } from '../card.ts';
import * as words from '../words.ts';
import type { Authorization } from './authorization.ts';
import { draw, quiet } from './draw.ts';
import { isDeadToken, isLostMessage, isUnreachable, verdictOn } from './problems.ts';

type Parts = {
  domain: Pick<Domain, 'pushes' | 'chat'>;
  authorization: Authorization;
  linkTo: (urlToken: string) => string;
};

type Reader = { client: webApi.WebClient; user: string; speaker: Speaker };

const nobody = { owner: null, visit: { ip: '', userAgent: 'Slack', referrer: '', isPreviewer: false } };

/**
 * Brings notices to people in Slack, as direct messages. Whoever made a push has one message about it, edited in place,
 * with a thread of what happened. An address is `TEAM:USER`, or `ENTERPRISE:USER` where an organisation has the app.
 */
export function createSlackMessenger({ domain, authorization, linkTo }: Parts): Messenger {
  const { pushes, chat } = domain;

  async function deliver(address: string, notice: Notice): Promise<Delivery> {
    const [workspace = '', user = ''] = address.split(':');
    const client = await authorization.clientFor(workspace);
    if (client === undefined) return { outcome: 'never', reason: 'Slack has not installed us there' };
    const reader = { client, user, speaker: { platform: 'slack' as const, address } };
    try {
      await tell(reader, notice);
      return { outcome: 'sent' };
    } catch (error) {
      if (isDeadToken(error)) await authorization.forget(workspace, client.token);
      if (isUnreachable(error) && notice.event === 'shared') await tellOwnerThatUnreachable(notice, address);
      return verdictOn(error);
    }
  }

  function tell(reader: Reader, notice: Notice): Promise<void> {
    if ('request' in notice) return tellOfRequest(reader, notice);
    if (notice.event === 'shared') return handOver(reader, notice);
    return tellOwner(reader, notice);
  }

  /** An attempt that may have reached them, though we did not hear so, is not repeated where we know that it did. */
  async function handOver(reader: Reader, { push, attempt }: PushNotice): Promise<void> {
    if (attempt > 1 && (await chat.messages.maybeFind(push.id, reader.speaker)) !== undefined) return;
    const [sender] = await chat.identities.speakersOf(push.id, 'slack');
    const state = await pushes.peek(push.urlToken, nobody);
    const card = words.received(sender?.address, state, linkTo(push.urlToken));
    await post(reader, push.id, card);
  }

  async function tellOwner(reader: Reader, notice: PushNotice): Promise<void> {
    const { push, event } = notice;
    const isNews =
      event !== 'burned' || (await chat.messages.maybeFind(push.id, reader.speaker)) !== undefined;
    if (!isNews) return; // they did it themselves
    const state = await pushes.peek(push.urlToken, nobody);
    const thread = await show(
      reader,
      push.id,
      words.state({ ...state, name: push.name }, linkTo(push.urlToken)),
    );
    if (event === 'composed') return;
    const buttons = event === 'about_to_expire' ? words.rescue(push.id) : [];
    await sayInThread(reader, thread, words.happened(notice), buttons);
  }

  async function tellOwnerThatUnreachable({ push }: PushNotice, address: string): Promise<void> {
    for (const speaker of await chat.identities.speakersOf(push.id, 'slack')) {
      const [workspace = '', user = ''] = speaker.address.split(':');
      const client = await authorization.clientFor(workspace);
      if (client === undefined) continue;
      const reader = { client, user, speaker };
      const state = await pushes.peek(push.urlToken, nobody);
      const thread = await show(
        reader,
        push.id,
        words.state({ ...state, name: push.name }, linkTo(push.urlToken)),
      );
      await sayInThread(reader, thread, words.unreachable(address));
    }
  }

  async function tellOfRequest(reader: Reader, { event, request, attempt }: RequestNotice): Promise<void> {
    const { ended } = words;
    if (event === 'declined') await post(reader, request.id, ended.wasDeclined(request));
    else if (event === 'cancelled') await show(reader, request.id, ended.wasCancelled(request));
    else if (attempt === 1 || (await chat.messages.maybeFind(request.id, reader.speaker)) === undefined)
      await post(reader, request.id, words.requested(request));
  }

  /** Edits the one message that somebody has about something, or sends it; gives where it stands. */
  async function show(reader: Reader, about: string, card: Card): Promise<Thread> {
    const known = await chat.messages.maybeFind(about, reader.speaker);
    if (known === undefined) return post(reader, about, card);
    const { channel, message: ts } = known;
    try {
      await reader.client.chat.update({ channel, ts, ...draw(card), ...quiet });
      return { channel, ts };
    } catch (error) {
      if (!isLostMessage(error)) throw error;
      return post(reader, about, card);
    }
  }

  async function post({ client, user, speaker }: Reader, about: string, card: Card): Promise<Thread> {
    const { channel = user, ts = '' } = await client.chat.postMessage({
      channel: user,
      ...draw(card),
      ...quiet,
    });
    await chat.messages.keep(about, speaker, { channel, message: ts });
    return { channel, ts };
  }

  async function sayInThread(
    { client }: Reader,
    { channel, ts }: Thread,
    line: Line,
    buttons: Button[] = [],
  ): Promise<void> {
    const card = { ...words.one(line), buttons };
    await client.chat.postMessage({ channel, thread_ts: ts, ...draw(card), ...quiet });
  }

  return { deliver };
}

type Thread = { channel: string; ts: string };
