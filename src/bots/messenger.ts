import type {
  ChatMessage,
  Delivery,
  Domain,
  Messenger,
  Notice,
  Platform,
  PushNotice,
  RequestNotice,
  Speaker,
} from '../domain/index.ts';
import type { Card } from './card.ts';
import * as words from './messages.ts';

/** Somebody whom a chat lets us write to directly. A `key` is the same for every attempt at one message. */
export type Correspondent = {
  send(card: Card, key: string): Promise<ChatMessage>;
  edit(message: ChatMessage, card: Card): Promise<void>;
  /** Says something below a message. */
  answer(message: ChatMessage, card: Card, key: string): Promise<void>;
  /** Told what became of a call to them. */
  failed?(error: unknown): Promise<void>;
};

/** How a chat takes messages to people, and what its errors mean. */
type Transport = {
  /** Undefined where the app is not installed any more. */
  reach(address: string): Promise<Correspondent | undefined>;
  /** Whether a message that was to be edited is not there any more. */
  isLost(error: unknown): boolean;
  /** Whether no message will ever reach this person. */
  isUnreachable(error: unknown): boolean;
  /** What a failed call means for the notice that it was made for. */
  verdictOn(error: unknown): Delivery;
};

type Parts = {
  platform: Platform;
  /** As people call it. */
  name: string;
  domain: Pick<Domain, 'pushes' | 'chat'>;
  linkTo: (urlToken: string) => string;
  transport: Transport;
};

type Reader = { correspondent: Correspondent; speaker: Speaker };

/**
 * Brings notices to people in a chat, as direct messages. Whoever made a push has one message about it, edited in place,
 * with a line below for everything that happened. Somebody whom no message reaches is marked, until one does.
 */
export function createChatMessenger({ platform, name, domain, linkTo, transport }: Parts): Messenger {
  const { pushes, chat } = domain;
  const nobody = { owner: null, visit: { ip: '', userAgent: name, referrer: '', isPreviewer: false } };

  async function deliver(address: string, notice: Notice): Promise<Delivery> {
    const speaker = { platform, address };
    const correspondent = await transport.reach(address);
    if (correspondent === undefined)
      return { outcome: 'never', reason: `${name} has not installed us there` };
    try {
      await tell({ correspondent, speaker }, notice);
      return { outcome: 'sent' };
    } catch (error) {
      await correspondent.failed?.(error);
      if (transport.isUnreachable(error)) {
        await chat.identities.setReachable(speaker, false);
        if (notice.event === 'shared') await tellOwnerThatUnreachable(notice, address);
      }
      return transport.verdictOn(error);
    }
  }

  function tell(reader: Reader, notice: Notice): Promise<void> {
    if ('request' in notice) return tellOfRequest(reader, notice);
    if (notice.event === 'shared') return handOver(reader, notice);
    return tellOwner(reader, notice);
  }

  /** An attempt that may have reached them, though we did not hear so, is not repeated where we know that it did. */
  async function handOver(reader: Reader, { id, push, attempt }: PushNotice): Promise<void> {
    if (attempt > 1 && (await chat.messages.maybeFind(push.id, reader.speaker)) !== undefined) return;
    const [sender] = await chat.identities.speakersOf(push.id, platform);
    const state = await pushes.peek(push.urlToken, nobody);
    const card = words.received(sender?.address, state, linkTo(push.urlToken));
    await post(reader, push.id, card, id);
  }

  async function tellOwner(reader: Reader, notice: PushNotice): Promise<void> {
    const { push, event } = notice;
    const isNews =
      event !== 'burned' || (await chat.messages.maybeFind(push.id, reader.speaker)) !== undefined;
    if (!isNews) return; // they did it themselves
    const at = await showState(reader, notice);
    if (event === 'composed') return;
    const buttons =
      event === 'about_to_expire'
        ? words.rescue(push.id)
        : event === 'asked_again'
          ? words.renewal(push.id)
          : [];
    const card = { ...words.one(words.happened(notice)), buttons };
    await reader.correspondent.answer(at, card, `${notice.id} line`);
  }

  async function tellOwnerThatUnreachable(notice: PushNotice, address: string): Promise<void> {
    const link = linkTo(notice.push.urlToken);
    for (const speaker of await chat.identities.speakersOf(notice.push.id, platform)) {
      const correspondent = await transport.reach(speaker.address);
      if (correspondent === undefined) continue;
      try {
        const at = await showState({ correspondent, speaker }, notice);
        const card = words.unreachable(address, notice.push, link);
        await correspondent.answer(at, card, `${notice.id} unreachable`);
      } catch (error) {
        if (!transport.isUnreachable(error)) throw error;
        await chat.identities.setReachable(speaker, false);
      }
    }
  }

  async function tellOfRequest(
    reader: Reader,
    { id, event, request, attempt }: RequestNotice,
  ): Promise<void> {
    const { ended } = words;
    if (event === 'declined') await post(reader, request.id, ended.wasDeclined(request), id);
    else if (event === 'cancelled') await show(reader, request.id, ended.wasCancelled(request), id);
    else if (attempt === 1 || (await chat.messages.maybeFind(request.id, reader.speaker)) === undefined)
      await post(reader, request.id, words.requested(request), id);
  }

  /** Shows an owner how a push stands now. */
  async function showState(reader: Reader, { id, push }: PushNotice): Promise<ChatMessage> {
    const state = await pushes.peek(push.urlToken, nobody);
    return show(reader, push.id, words.state({ ...state, name: push.name }, linkTo(push.urlToken)), id);
  }

  /** Edits the one message that somebody has about something, or sends it; gives where it stands. */
  async function show(reader: Reader, about: string, card: Card, key: string): Promise<ChatMessage> {
    const known = await chat.messages.maybeFind(about, reader.speaker);
    if (known === undefined) return post(reader, about, card, key);
    try {
      await reader.correspondent.edit(known, card);
      return known;
    } catch (error) {
      if (!transport.isLost(error)) throw error;
      return post(reader, about, card, key);
    }
  }

  async function post(
    { correspondent, speaker }: Reader,
    about: string,
    card: Card,
    key: string,
  ): Promise<ChatMessage> {
    const sent = await correspondent.send(card, key);
    await Promise.all([
      chat.messages.keep(about, speaker, sent),
      chat.identities.setReachable(speaker, true),
    ]);
    return sent;
  }

  return { deliver };
}
