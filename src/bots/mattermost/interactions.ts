import type { SubmitDialogResponse } from '@mattermost/types/integrations';
import { type ChatCaller, outside } from '../../domain/index.ts';
import type { Interactions, RunningPress } from '../interactions/interactions.ts';
import { cardsOf } from '../language.ts';
import type { MattermostDialogs } from './dialogs.ts';
import type { DialogState } from './form.ts';
import type { MattermostPeople } from './people.ts';
import type { SealedPress } from './render.ts';
import type { MattermostReplies, Whereabouts } from './replies.ts';

type Dependencies = {
  interactions: Interactions;
  people: MattermostPeople;
  replies: MattermostReplies;
  dialogs: MattermostDialogs;
};

/** The body of a command (server/channels/app/command.go). */
export type CommandRequest = Record<
  'token' | 'user_id' | 'user_name' | 'team_id' | 'text' | 'trigger_id' | 'response_url',
  string
>;
/** The body of a press, and of a submitted dialog (server/public/model/integration_action.go). */
export type ActionRequest = Record<
  'user_id' | 'team_id' | 'channel_id' | 'post_id' | 'trigger_id',
  string
> & { context?: { sealed?: string } };
export type DialogRequest = { user_id: string; state?: string; submission?: Record<string, unknown> };

/** What people do in Mattermost. It waits for each response, so none is sent before the work is done. */
export function createHandlers({ interactions, people, replies, dialogs }: Dependencies) {
  async function callerOf(user: string, team: string, idempotencyKey: string): Promise<ChatCaller> {
    const [reader, workspace] = await Promise.all([
      people.readerOf(user),
      team || people.maybeTeamOf(user), // there is none in direct messages
    ]);
    const chatUser = { platform: 'mattermost' as const, address: user };
    return { chatUser, workspace: workspace || outside, idempotencyKey, ...reader };
  }

  async function onCommand(request: CommandRequest): Promise<object> {
    const { user_id: user, user_name: name, text, trigger_id: trigger, response_url: responseUrl } = request;
    const caller = await callerOf(user, request.team_id, trigger);
    const place = { caller, responseUrl };
    const reaction = await interactions.react({ caller, text, name, findPeople: people.find });
    if (reaction === undefined) return {};
    const card = 'card' in reaction ? reaction.card : await dialogs.open(place, trigger, reaction.opening);
    return card === undefined ? {} : replies.commandResponse(place, card);
  }

  async function onPress(request: ActionRequest, sealed: SealedPress): Promise<object> {
    const { user_id: user, trigger_id: trigger, post_id: post, channel_id: channel } = request;
    const { id, value, responseUrl, isItem } = sealed;
    const caller = await callerOf(user, request.team_id || (sealed.team ?? ''), trigger);
    const place = { caller, responseUrl, pressed: { channel, root: sealed.root ?? post } };
    const pressed = interactions.press(id, { caller, value, channel });
    if (pressed === undefined) return replies.below(place, cardsOf(caller).notFound);
    if (!('opening' in pressed)) return show(pressed, place, { canReplace: !responseUrl && !isItem });
    const replaced = pressed.replaces && !responseUrl ? post : undefined;
    const card = await dialogs.open(place, trigger, pressed.opening, replaced);
    return card === undefined ? {} : replies.below(place, card);
  }

  /** What only its reader sees cannot be edited: then the card goes below. */
  async function show(
    { shows, outcome }: RunningPress,
    place: Whereabouts,
    { canReplace }: { canReplace: boolean },
  ): Promise<object> {
    const known = await outcome;
    if (known === undefined) return {};
    const { card, hasFailed } = known;
    const { notInChannel } = cardsOf(place.caller);
    if (shows === 'publicly' && !hasFailed)
      return (await replies.publicly(place, card)) ? {} : replies.below(place, notInChannel);
    const isReplaced = ['instead', 'question'].includes(shows) && canReplace && !hasFailed;
    return isReplaced ? replies.update(place, card) : replies.below(place, card);
  }

  async function onSubmit(request: DialogRequest, state: DialogState): Promise<SubmitDialogResponse> {
    const caller = await callerOf(request.user_id, state.team, state.key);
    return dialogs.submit(caller, request.submission ?? {}, state);
  }

  return { onCommand, onPress, onSubmit };
}
