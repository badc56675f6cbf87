import type { ChatCaller } from '../../domain/index.ts';
import type { Card, Line } from '../card.ts';
import { cardsOf } from '../language.ts';
import { postResponse } from '../responseUrl.ts';
import type { MattermostApi, PostContent } from './api.ts';
import type { MattermostPeople } from './people.ts';
import type { RenderMattermostPost } from './render.ts';

/** Who acted, and where an answer can be shown to them alone: five times, within half an hour. */
export type Whereabouts = {
  caller: ChatCaller;
  responseUrl?: string | undefined;
  /** Where a button was pressed, and the post below which answers go. */
  pressed?: { channel: string; root: string };
};

type Dependencies = {
  api: MattermostApi;
  people: Pick<MattermostPeople, 'directChannelOf'>;
  render: RenderMattermostPost;
  onError: (error: unknown) => void;
};

export type MattermostReplies = ReturnType<typeof createReplies>;

/** Shows a card to one user alone: where they acted if Mattermost allows that, or else as a direct message. */
export function createReplies({ api, people, render, onError }: Dependencies) {
  /** A post whose buttons tell whose rules apply, and where answers can be shown. */
  function contentFor(
    { caller, responseUrl }: Whereabouts,
    card: Card,
    { root, isPublic = false }: { root?: string; isPublic?: boolean } = {},
  ): Promise<PostContent> {
    const team = typeof caller.workspace === 'string' ? caller.workspace : undefined;
    return render(card, { reader: caller, isPublic, team, root, ...(!isPublic && { responseUrl }) });
  }

  /** Resolves to whether it worked. */
  const respondAt = async (place: Whereabouts, card: Card, isPublic = false): Promise<boolean> =>
    place.responseUrl !== undefined &&
    postResponse(place.responseUrl, toResponse(await contentFor(place, card, { isPublic }), isPublic));

  /** As a direct message: in a thread, if that is where the button is. Resolves to whether it is below the button. */
  async function directly(place: Whereabouts, card: Card): Promise<boolean> {
    try {
      const channel_id = await people.directChannelOf(place.caller.chatUser.address);
      const root = place.pressed?.channel === channel_id ? place.pressed.root : undefined;
      const content = await contentFor({ caller: place.caller }, card, root === undefined ? {} : { root });
      await api.post({ channel_id, ...(root && { root_id: root }), ...content });
      return root !== undefined;
    } catch (error) {
      onError(error);
      return false;
    }
  }

  /** The response to a press whose card goes below. A response has neither buttons nor links without a preview. */
  async function below(place: Whereabouts, card: Card): Promise<object> {
    if (isTextAlone(card)) return privately(place, card);
    if (await respondAt(place, card)) return {};
    return (await directly(place, card)) ? {} : privately(place, cardsOf(place.caller).inDirectMessages);
  }

  const privately = async (place: Whereabouts, card: Card): Promise<object> => ({
    ephemeral_text: (await contentFor(place, card)).message,
    skip_slack_parsing: true,
  });

  return {
    respondAt,
    commandResponse: async (place: Whereabouts, card: Card) => toResponse(await contentFor(place, card)),
    below,
    /** The response to a press whose card goes in the place of the message. */
    update: async (place: Whereabouts, card: Card) => ({ update: await contentFor(place, card) }),
    /** Shows a card to everybody in a channel. Resolves to whether it worked. */
    async publicly(place: Whereabouts, card: Card): Promise<boolean> {
      if (await respondAt(place, card, true)) return true;
      const channel_id = place.pressed?.channel ?? '';
      return succeeds(api.post({ channel_id, ...(await contentFor(place, card, { isPublic: true })) }));
    },
    /** Shows the result of a form, in the place of a post where there is one. */
    async result(place: Whereabouts, card: Card, post?: string): Promise<void> {
      const isReplaced =
        post !== undefined && (await succeeds(api.patch(post, await contentFor(place, card))));
      if (!isReplaced && !(await respondAt(place, card))) await directly(place, card);
    },
  };
}

const succeeds = (call: Promise<unknown>): Promise<boolean> => call.then(() => true).catch(() => false);

const toResponse = ({ message, props }: PostContent, isPublic = false) => ({
  response_type: isPublic ? 'in_channel' : 'ephemeral',
  text: message,
  attachments: props.attachments,
  skip_slack_parsing: true,
});

function isTextAlone({ lines, items = [], footnotes = [], buttons = [] }: Card): boolean {
  const hasLink = (line: Line) => line.some((part) => typeof part === 'object' && 'link' in part);
  return items.length + footnotes.length + buttons.length === 0 && !lines.some(hasLink);
}
