import { type Fields, isFields, listOf } from '../shared/json.ts';
import { contextOf } from './owners.ts';
import type { Platform } from './platform.ts';
import { presentAttachment, presentGuild, presentMember, presentPlace, presentUser } from './presenting.ts';
import { shown } from './rest/messages.ts';
import { part } from './schema/parts.ts';
import type { Attachment, Interaction, Message, ModalView, Place, User } from './things.ts';

const permissions = String(2n ** 50n - 1n);
const types = { command: 2, component: 3, autocomplete: 4, modal: 5 };

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object */
export function interactionPayload(platform: Platform, interaction: Interaction, data: Fields): Fields {
  const { id, token, kind, user, place, owners, source } = interaction;
  const { world, clock } = platform;
  const context = contextOf(place, world.app.bot);
  return {
    ...{ id, application_id: world.app.id, type: types[kind], token, version: 1, data },
    ...{ channel: presentPlace(place, world.app.bot), channel_id: place.id, locale: user.locale },
    ...{ app_permissions: permissions, entitlements: [], entitlement_sku_ids: [], context },
    ...{ authorizing_integration_owners: owners, attachment_size_limit: 10_485_760 },
    ...(place.guild
      ? {
          guild: presentGuild(place.guild),
          guild_id: place.guild.id,
          guild_locale: place.guild.locale,
          member: { ...presentMember(clock, user), user: presentUser(user), mute: false, deaf: false },
        }
      : { user: presentUser(user) }),
    ...(source && { message: shown(platform, source) }),
  };
}

type Resolvable = { users?: User[]; places?: Place[]; files?: Attachment[]; messages?: Message[] };

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-resolved-data-structure */
export function resolved(platform: Platform, place: Place, found: Resolvable): { resolved?: Fields } {
  const { users = [], places = [], files = [], messages = [] } = found;
  const { clock } = platform;
  const members = place.guild ? users.filter((one) => place.guild?.members.has(one)) : [];
  const maps = {
    users: mapOf(users, presentUser),
    members: mapOf(members, (one) => presentMember(clock, one)),
    channels: mapOf(places, (one) => presentPlace(one)),
    attachments: mapOf(files, presentAttachment),
    messages: mapOf(messages, (one) => shown(platform, one)),
  };
  const some = Object.fromEntries(Object.entries(maps).filter(([, map]) => Object.keys(map).length > 0));
  return Object.keys(some).length > 0 ? { resolved: some } : {};
}

function mapOf<T extends { id: string }>(things: T[], present: (one: T) => Fields): Fields {
  return Object.fromEntries(things.map((one) => [one.id, present(one)]));
}

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-modal-submit-data-structure */
export function modalData(platform: Platform, modal: ModalView): Fields {
  const entered = [...modal.values.values()];
  const found = {
    users: entered.flatMap(({ users = [] }) => users),
    places: entered.flatMap(({ places = [] }) => places),
    files: entered.flatMap(({ files = [] }) => files),
  };
  return {
    custom_id: modal.customId,
    components: modal.components.map((one) => submitted(modal, one)),
    ...resolved(platform, modal.interaction.place, found),
  };
}

function submitted(modal: ModalView, one: Fields): Fields {
  const { type, id, custom_id } = one;
  if (type === part.row)
    return { type, id, components: listOf(one.components).map((inner) => submitted(modal, inner)) };
  if (isFields(one.component)) return { type, id, component: submitted(modal, one.component) };
  const { value, values } = modal.values.get(String(custom_id)) ?? {};
  if (custom_id === undefined) return { type, id };
  return { type, id, custom_id, ...(value === undefined ? { values } : { value }) };
}
