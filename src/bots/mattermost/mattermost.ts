import { digestOf, isSameToken } from '../../domain/index.ts';
import { hourMs } from '../../time.ts';
import { toPlainText } from '../card.ts';
import type { AdapterDependencies, ChatAdapter, ChatListener } from '../chatModule.ts';
import type { DirectMessages } from '../directMessages.ts';
import type { ChatEndpoint } from '../endpoint.ts';
import { cardsOf } from '../language.ts';
import { createJsonHandler, type MaybeWork, maybeJsonObject } from '../rawRequest.ts';
import { createSeal } from '../seal.ts';
import { createMattermostApi, explainMattermostError } from './api.ts';
import { createDialogs } from './dialogs.ts';
import { createSentFiles } from './files.ts';
import type { DialogState } from './form.ts';
import {
  type ActionRequest,
  type CommandRequest,
  createHandlers,
  type DialogRequest,
} from './interactions.ts';
import { createPeople } from './people.ts';
import { createRenderer, type SealedPress } from './render.ts';
import { createReplies } from './replies.ts';

type Dependencies = AdapterDependencies & {
  /** The server, the token of the bot there and of the command of each team, and where Mattermost reaches us. */
  settings: { url: string; token: string; commandTokens: string[]; baseUrl: string };
};

/** Mattermost: interactions and notices. Nothing is requested of it before it is needed. */
export function createMattermost(dependencies: Dependencies): ChatAdapter {
  const { settings, domain, interactions, onError } = dependencies;
  const api = createMattermostApi(settings.url, settings.token);
  const people = createPeople(api);
  const presses = createSeal<SealedPress>(domain.signing, { purpose: 'press' });
  const lifetimeMs = 24 * hourMs; // of a dialog that is open
  const dialogStates = createSeal<DialogState>(domain.signing, { purpose: 'dialog', lifetimeMs });
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
    const sent = { url: urlOf('dialogs'), seal: dialogStates.seal };
    const dialogs = createDialogs({ api, interactions, replies, files, ...sent, onError });
    const on = createHandlers({ interactions, people, replies, dialogs });
    const failed = toPlainText(cardsOf().internalError.summary);
    /** Mattermost signs nothing: the token of a command and the seals of what it gives back tell that a request is its own. */
    const endpoint = (path: string, failure: object, maybeWork: MaybeWork): ChatEndpoint => ({
      ...{ method: 'POST', path: `/mattermost/${path}`, isSigned: true },
      handle: createJsonHandler(maybeWork, (error) => {
        onError(error);
        return failure;
      }),
    });

    return {
      endpoints: [
        endpoint('commands', { text: failed }, (body) => {
          const request = Object.fromEntries(new URLSearchParams(body.toString())) as CommandRequest;
          const isKnown = settings.commandTokens.some((each) => isSameToken(each, request.token ?? ''));
          return isKnown ? () => on.onCommand(request) : undefined;
        }),
        endpoint('actions', { ephemeral_text: failed }, (body) => {
          const request = maybeJsonObject<ActionRequest>(body);
          const pressed = presses.maybeOpen(request?.context?.sealed);
          return request && pressed && (() => on.onPress(request, pressed));
        }),
        endpoint('dialogs', { error: failed }, (body) => {
          const request = maybeJsonObject<DialogRequest>(body);
          const state = dialogStates.maybeOpen(request?.state, request?.user_id);
          return request && state && (() => on.onSubmit(request, state));
        }),
      ],
      respondAt: (responseUrl, card, caller) => replies.respondAt({ caller, responseUrl }, card),
    };
  }

  async function maybeOpen(user: string): Promise<DirectMessages> {
    const reader = await people.readerOf(user);
    /** Mattermost creates one post of the same pending id. */
    const send: DirectMessages['send'] = async (card, key, below) => {
      const root_id = below?.message ?? '';
      const channel_id = await people.directChannelOf(user);
      const pending_post_id = digestOf(key).toString('hex').slice(0, 26);
      const content = await render(card, { reader, ...(root_id && { root: root_id }) });
      const { id: message } = await api.post({ channel_id, root_id, pending_post_id, ...content });
      return { channel: channel_id, message };
    };
    return {
      locale: reader.locale,
      send,
      edit: async ({ message }, card) => api.patch(message, await render(card, { reader })),
    };
  }

  return {
    transport: { maybeOpen, explain: explainMattermostError },
    standings: people.standings,
    listen,
    async rehearse(user) {
      const { rehearse } = await import('./setup/rehearsal.ts');
      return rehearse({ api, people, render, dialogsUrl: urlOf('dialogs') }, user);
    },
  };
}
