import { type Fields, listOf, textOf } from '../shared/json.ts';
import { withIds } from './content.ts';
import { newId, newSecret } from './ids.ts';
import type { Platform } from './platform.ts';
import type { App, Grant, User, View } from './things.ts';
import { initialValues, retainedValues } from './values.ts';

export type Opening = {
  app: App;
  grant: Grant | undefined;
  user: User;
  triggerId?: string | undefined;
  on?: View;
};

/** Shows a modal or an App Home to a user, stacked `on` another modal or replacing all. */
export function show(
  { world, clock }: Platform,
  content: Fields,
  { app, grant, user, triggerId, on }: Opening,
): View {
  const type = content.type === 'home' ? 'home' : 'modal';
  for (const other of world.views) {
    if (!on && other.user === user && other.type === type && (type === 'modal' || other.app === app))
      other.isOpen = false;
  }
  const id = newId('V');
  const blocks = withIds(listOf(content.blocks));
  const view: View = {
    ...{ id, app, grant, user, type, content, blocks, triggerId },
    hash: newHash(clock.seconds()),
    externalId: textOf(content.external_id),
    rootId: on?.rootId ?? id,
    previousId: on?.id,
    values: initialValues(blocks),
    errors: {},
    isOpen: true,
  };
  world.views.push(view);
  clock.changed();
  return view;
}

/** Replaces the content of an open view. */
export function replace({ clock }: Platform, view: View, content: Fields): void {
  const blocks = withIds(listOf(content.blocks));
  view.values = retainedValues(blocks, view.values);
  Object.assign(view, { content, blocks, errors: {}, hash: newHash(clock.seconds()) });
  if (content.external_id !== undefined) view.externalId = textOf(content.external_id);
  clock.changed();
}

/** Closes a view. The one under it becomes visible again. */
export function close({ clock }: Platform, view: View): void {
  view.isOpen = false;
  clock.changed();
}

/** Closes all modals of a stack. */
export function closeAll({ world, clock }: Platform, { rootId }: View): void {
  for (const view of world.views) if (view.rootId === rootId) view.isOpen = false;
  clock.changed();
}

/** A view in payloads and responses. */
export function presentView(view: View): Fields {
  const { id, app, grant, user, content, blocks, hash, externalId, rootId, previousId, values } = view;
  const frame = {
    title: content.title ?? { type: 'plain_text', text: 'View Title', emoji: true }, // as Slack calls a home
    submit: content.submit ?? null,
    close: content.close ?? null,
    clear_on_close: content.clear_on_close ?? false,
    notify_on_close: content.notify_on_close ?? false,
  };
  return {
    id,
    team_id: user.team.id,
    type: view.type,
    blocks,
    private_metadata: textOf(content.private_metadata),
    callback_id: textOf(content.callback_id),
    state: { values },
    hash,
    ...frame,
    previous_view_id: previousId ?? null,
    root_view_id: rootId,
    app_id: app.id,
    external_id: externalId,
    app_installed_team_id: grant?.team?.id ?? grant?.enterprise?.id ?? user.team.id,
    bot_id: grant?.botId ?? null,
  };
}

function newHash(seconds: number): string {
  return `${seconds}.${newSecret(4)}`;
}
