import { type Fields, fieldsOf, isFields, listOf, textOf } from '../shared/json.ts';
import type { Platform } from './platform.ts';
import { Invalid, Refused } from './rest/refused.ts';
import type { Upload } from './rest/route.ts';
import { fault } from './schema/fault.ts';
import { validateBody } from './schema/validity.ts';
import { flag, type Interaction } from './things.ts';
import { initialValues } from './values.ts';
import { announce, rewrite, withIds, write } from './writing.ts';

const operation = 'create_interaction_response';

/** The first responses that each kind of interaction allows. */
const allowed: Record<Interaction['kind'], number[]> = {
  command: [4, 5, 9],
  component: [4, 5, 6, 7, 9],
  autocomplete: [8],
  modal: [4, 5, 6, 7],
};

export const responseNames: Record<number, string> = {
  1: 'PONG',
  4: 'CHANNEL_MESSAGE_WITH_SOURCE',
  5: 'DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE',
  6: 'DEFERRED_UPDATE_MESSAGE',
  7: 'UPDATE_MESSAGE',
  8: 'APPLICATION_COMMAND_AUTOCOMPLETE_RESULT',
  9: 'MODAL',
};

/**
 * Accepts the first response to an interaction, over any route: once, within three seconds, of an allowed type.
 * Throws Discord's refusal.
 */
export function respond(platform: Platform, interaction: Interaction, body: unknown, files: Upload[]): void {
  const { clock, settings } = platform;
  const late = clock.now() - interaction.at - settings.ackLimitMs;
  const named = `the answer to ${describe(interaction)}`;
  if (interaction.response) throw new Refused(40060, `${named}: it was answered before`);
  if (late > 0) throw new Refused(10062, `${named} came ${late} ms too late`);
  const type = Number(fieldsOf(body).type);
  const types = allowed[interaction.kind].filter((one) => ![6, 7].includes(one) || interaction.source);
  const faults = types.includes(type)
    ? validateBody(operation, body, interaction.optionType)
    : [fault(['type'], `must be one of ${types.join(', ')}, not ${type}`)];
  if (faults.length > 0) throw new Invalid(named, faults);
  apply(platform, interaction, type, fieldsOf(fieldsOf(body).data), files);
  if (interaction.submitted) interaction.submitted.isOpen = false;
  interaction.response = { type, at: clock.now(), body: fieldsOf(body) };
  clock.changed();
}

function apply(
  platform: Platform,
  interaction: Interaction,
  type: number,
  data: Fields,
  files: Upload[],
): void {
  const { user, place, source } = interaction;
  const onlyFor = Number(data.flags ?? 0) & flag.ephemeral ? user : undefined;
  if (type === 4)
    interaction.original = write(platform, { operation, place, body: data, files, onlyFor, interaction });
  if (type === 5) interaction.original = announce(platform, interaction, onlyFor);
  if (type === 6 || type === 7) interaction.original = source;
  if (type === 7 && source) rewrite(platform, source, { operation, body: data, files });
  if (type === 8) interaction.choices = listOf(data.choices);
  if (type === 9) interaction.modal = open(platform, interaction, data);
}

function open({ world }: Platform, interaction: Interaction, data: Fields) {
  const components = withIds(data.components);
  const modal = {
    ...{ interaction, user: interaction.user, customId: textOf(data.custom_id), title: textOf(data.title) },
    ...{ components, values: initialValues(components, world.users), isOpen: true },
  };
  world.modals.push(modal);
  return modal;
}

/** What the app can read about its response. */
export function presentResponse(
  { id, kind, place, response, original }: Interaction,
  message: Fields | undefined,
) {
  const type = { command: 2, component: 3, autocomplete: 4, modal: 5 }[kind];
  const created = response?.type === 4 || response?.type === 5 ? original : undefined;
  const shows = response?.type === 4 || response?.type === 7;
  return {
    interaction: {
      ...{ id, type, channel_id: place.id },
      ...(place.guild && { guild_id: place.guild.id }),
      ...(created && {
        response_message_id: created.id,
        response_message_loading: created.isLoading,
        response_message_ephemeral: created.onlyFor !== undefined,
      }),
    },
    ...(shows && isFields(message) && { resource: { type: response?.type, message } }),
  };
}

export function describe({ kind, name }: Interaction): string {
  if (kind === 'command') return `the command ${name}`;
  if (kind === 'autocomplete') return `the typing of ${name}`;
  return kind === 'modal' ? `the submission of ${name}` : `a use of ${name}`;
}
