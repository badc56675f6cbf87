import type { SubmitDialogResponse } from '@mattermost/types/integrations';
import { type ChatCaller, outside } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import { formPlans, type Opening } from '../interactions/openings.ts';
import { createPressPlans, outcomeOfPress, type PressPlan } from '../interactions/presses.ts';
import { createTypedCommands } from '../interactions/typed.ts';
import { cardsOf } from '../language.ts';
import type { MattermostDialogs } from './dialogs.ts';
import type { DialogState } from './form.ts';
import type { MattermostPeople } from './people.ts';
import type { SealedPress } from './render.ts';
import type { MattermostReplies, Whereabouts } from './replies.ts';

type Dependencies = {
  commands: Commands;
  people: MattermostPeople;
  replies: MattermostReplies;
  dialogs: MattermostDialogs;
  onError: (error: unknown) => void;
};

/** The body of a command (server/channels/app/command.go). */
type CommandRequest = Record<
  'user_id' | 'user_name' | 'team_id' | 'text' | 'trigger_id' | 'response_url',
  string
>;
/** The body of a press, and of a submitted dialog (server/public/model/integration_action.go). */
type ActionRequest = Record<'user_id' | 'team_id' | 'channel_id' | 'post_id' | 'trigger_id', string>;
type DialogRequest = { user_id: string; submission?: Record<string, unknown> };

/** What people do in Mattermost. It waits for each response, so none is sent before the work is done. */
export function createInteractions({ commands, people, replies, dialogs, onError }: Dependencies) {
  const react = createTypedCommands({ commands, onError });
  const plans = createPressPlans(commands);

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
    const reaction = await react({ caller, text, name, findPeople: people.find });
    if (reaction === undefined) return {};
    const card = 'card' in reaction ? reaction.card : await openTyped(place, trigger, reaction.opening);
    return card === undefined ? {} : replies.commandResponse(place, card);
  }

  /** Whoever manages the team is asked first whose settings are meant: a dialog has no room for both. */
  async function openTyped(place: Whereabouts, trigger: string, opening: Opening): Promise<Card | undefined> {
    const { caller } = place;
    if (opening.form === 'settings' && (await commands.isManager(caller).catch(() => false)))
      return cardsOf(caller).whoseSettings('mattermost');
    return dialogs.open(place, trigger, opening);
  }

  async function onPress(request: ActionRequest, pressed: SealedPress): Promise<object> {
    const { user_id: user, trigger_id: trigger, post_id: post, channel_id: channel } = request;
    const caller = await callerOf(user, request.team_id || (pressed.team ?? ''), trigger);
    const place = {
      caller,
      responseUrl: pressed.responseUrl,
      pressed: { channel, root: pressed.root ?? post },
    };
    const form = formPlans[pressed.id];
    if (form !== undefined) {
      const isReplaced = form.replaces === true && pressed.responseUrl === undefined;
      const card = await dialogs.open(
        place,
        trigger,
        form.open(pressed.value),
        isReplaced ? post : undefined,
      );
      return card === undefined ? {} : replies.below(place, card);
    }
    const plan = plans[pressed.id];
    if (plan === undefined) return replies.below(place, cardsOf(caller).notFound);
    return press(plan, place, { ...pressed, channel });
  }

  /** What only its reader sees cannot be edited: then the card goes below. */
  async function press(
    plan: PressPlan,
    place: Whereabouts,
    { value, channel, isItem, responseUrl }: SealedPress & { channel: string },
  ): Promise<object> {
    const pressed = { caller: place.caller, value, channel };
    const canReplace = responseUrl === undefined && isItem !== true;
    if (plan.shows === 'question')
      return canReplace ? replies.update(place, plan.ask(pressed)) : replies.below(place, plan.ask(pressed));
    const outcome = await outcomeOfPress(plan, pressed, { commands, onError });
    if (outcome === undefined) return {};
    const { card, hasFailed } = outcome;
    if (plan.shows === 'publicly' && !hasFailed) return share(place, channel, card);
    return plan.shows === 'instead' && canReplace && !hasFailed
      ? replies.update(place, card)
      : replies.below(place, card);
  }

  async function share(place: Whereabouts, channel: string, card: Card): Promise<object> {
    if (await replies.publicly(place, channel, card)) return {};
    return replies.below(place, cardsOf(place.caller).notInChannel);
  }

  async function onSubmit(request: DialogRequest, state: DialogState): Promise<SubmitDialogResponse> {
    const caller = await callerOf(request.user_id, state.team, state.key);
    return dialogs.submit(caller, request.submission ?? {}, state);
  }

  return { onCommand, onPress, onSubmit };
}
