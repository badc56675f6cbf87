import { digestOf, isSameToken } from '../../domain/index.ts';
import { hourMs } from '../../time.ts';
import { type Card, toPlainText } from '../card.ts';
import type { AdapterDependencies, ChatAdapter, ChatListener } from '../chatModule.ts';
import type { DirectMessages } from '../directMessages.ts';
import type { ChatEndpoint } from '../endpoint.ts';
import { cardsOf } from '../language.ts';
import { createJsonHandler, maybeJsonObject } from '../rawRequest.ts';
import { createSeal } from '../seal.ts';
import {
  createMattermostApi,
  isMattermostMessageMissing,
  isMattermostUnreachable,
  type MattermostSettings,
  mattermostDeliveryOf,
} from './api.ts';
import { createDialogs } from './dialogs.ts';
import { createSentFiles } from './files.ts';
import type { DialogState } from './form.ts';
import { createInteractions } from './interactions.ts';
import { createPeople } from './people.ts';
import { createRenderer, type SealedPress } from './render.ts';
import { createReplies } from './replies.ts';

type Dependencies = AdapterDependencies & { settings: MattermostSettings };

/** A dialog that was opened longer ago is no longer accepted. */
const dialogLifetimeMs = 24 * hourMs;

/** Mattermost: interactions and notices. Nothing is requested of it before it is needed. */
export function createMattermost(dependencies: Dependencies): ChatAdapter {
  const { settings, domain, commands, onError } = dependencies;
  const api = createMattermostApi(settings);
  const people = createPeople(api);
  const presses = createSeal<SealedPress>(domain.signing, { purpose: 'press' });
  const dialogStates = createSeal<DialogState>(domain.signing, {
    purpose: 'dialog',
    lifetimeMs: dialogLifetimeMs,
  });
  const urlOf = (path: string) => `${settings.baseUrl}/mattermost/${path}`;
  const { namesOf } = people;
  const { version, palettes } = dependencies.look;
  const render = createRenderer({
    ...{ actionsUrl: urlOf('actions'), seal: presses.seal, namesOf },
    color: version === '' ? undefined : palettes.light.accent,
  });

  function listen(): ChatListener {
    const replies = createReplies({ api, people, render, onError });
    const files = createSentFiles({ api, people });
    const dialogs = createDialogs({
      ...{ api, commands, replies, files, onError },
      seal: dialogStates.seal,
      url: urlOf('dialogs'),
    });
    const on = createInteractions({ commands, people, replies, dialogs, onError });
    domain.chat.access.connect('mattermost', people.standings);
    domain.chat.onComposed('mattermost', ({ replyTo, ...context }, push) => {
      const caller = { ...context, idempotencyKey: null };
      const card = commands.pushCreated(push, context);
      if (replyTo !== undefined)
        void replies.respondAt({ caller, responseUrl: replyTo }, card).catch(onError);
    });
    const failed = toPlainText(cardsOf().internalError.summary);
    /** Mattermost signs nothing: the token of a command and the seals of what it gives back tell that a request is its own. */
    const endpoint = (path: string, failure: object, maybeWork: MaybeWork): ChatEndpoint => ({
      ...{ method: 'POST', path: `/mattermost/${path}`, isSigned: true },
      handle: createJsonHandler((received) => {
        const work = maybeWork(received);
        const failed = (error: unknown) => {
          onError(error);
          return failure;
        };
        return work && (async () => ({ body: await work().catch(failed) }));
      }),
    });

    return {
      endpoints: [
        endpoint('commands', { text: failed }, (body) => {
          const request = Object.fromEntries(new URLSearchParams(body.toString()));
          const isKnown = settings.commandTokens.some((each) => isSameToken(each, request.token ?? ''));
          return isKnown ? () => on.onCommand(request as Parameters<typeof on.onCommand>[0]) : undefined;
        }),
        endpoint('actions', { ephemeral_text: failed }, (body) => {
          const request = requestIn<Parameters<typeof on.onPress>[0] & { context?: { sealed?: string } }>(
            body,
          );
          const pressed = presses.maybeOpen(request?.context?.sealed);
          return request && pressed && (() => on.onPress(request, pressed));
        }),
        endpoint('dialogs', { error: failed }, (body) => {
          const request = requestIn<Parameters<typeof on.onSubmit>[0] & { state?: string }>(body);
          const state = dialogStates.maybeOpen(request?.state, request?.user_id);
          return request && state && (() => on.onSubmit(request, state));
        }),
      ],
    };
  }

  async function maybeOpen(user: string): Promise<DirectMessages> {
    const reader = await people.readerOf(user);
    /** Mattermost creates one post of the same pending id. */
    const send = async (card: Card, key: string, root_id = '') => {
      const channel_id = await people.directChannelOf(user);
      const pending_post_id = digestOf(key).toString('hex').slice(0, 26);
      const content = await render(card, { reader, ...(root_id && { root: root_id }) });
      const { id: message } = await api.post({ channel_id, root_id, pending_post_id, ...content });
      return { channel: channel_id, message };
    };
    return {
      locale: reader.locale,
      send,
      async edit({ message }, card) {
        await api.patch(message, await render(card, { reader }));
      },
      reply: ({ message }, card, key) => send(card, key, message),
    };
  }

  return {
    transport: {
      maybeOpen,
      isLost: isMattermostMessageMissing,
      isUnreachable: isMattermostUnreachable,
      toDelivery: mattermostDeliveryOf,
    },
    listen,
    rehearse: async (user) =>
      (await import('./rehearsal.ts')).rehearse({ api, people, render, dialogsUrl: urlOf('dialogs') }, user),
  };
}

const requestIn = <Request>(body: Buffer) => maybeJsonObject(body) as Request | undefined;

/** What a request asks for; undefined for one that Mattermost did not send. */
type MaybeWork = (body: Buffer) => (() => Promise<object>) | undefined;
