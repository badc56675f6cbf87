import type { webApi } from '@slack/bolt';
import type { Asker } from '../../domain/index.ts';
import type { Commands } from '../commands.ts';
import { defaultsInTime } from '../outcome.ts';
import { drawCard, drawRequestForm, drawSendForm, drawWaiting } from './dialogs.ts';
import { drawForm } from './form.ts';
import { type Memory, writeMemory } from './modalState.ts';
import { drawSettings } from './settingsForm.ts';

type Parts = { commands: Commands; failed: (error: unknown) => void };

/** Where a modal may be opened, once and within three seconds of what somebody did. */
export type Place = {
  client: webApi.WebClient;
  triggerId: string;
  /** Whether it was done in a modal, on top of which the next one goes. */
  isInModal?: boolean;
};

export type Opening = ReturnType<typeof createOpening>;

/** Opens modals. Slack takes them for three seconds only, so none waits for the database. */
export function createOpening({ commands, failed }: Parts) {
  async function open(
    { client, triggerId, isInModal = false }: Place,
    view: webApi.ViewsOpenArguments['view'],
  ) {
    const { view: opened } = await client.views[isInModal ? 'push' : 'open']({ trigger_id: triggerId, view });
    return opened?.id ?? '';
  }

  /** The form of a push. `draft` is a text that it is to be made of. */
  async function form(
    place: Place,
    asker: Asker,
    { draft, ...memory }: Omit<Memory, 'draft' | 'push'> & { draft?: string } = {},
  ): Promise<void> {
    const { speaker, workspace } = asker;
    const { replyTo, answering } = memory;
    const composing = commands.compose({ speaker, workspace, replyTo, answering });
    const kept = draft === undefined ? undefined : commands.draft(draft);
    const view = drawForm(await defaultsInTime(commands, asker), {
      memory: writeMemory({ ...memory, ...(kept && { draft: kept.token }) }),
      composing,
      isAsked: answering !== undefined,
      ...(draft !== undefined && { draft: `The text of that message, ${draft.length} characters.` }),
    });
    const keeping = Promise.all([composing.keep(), kept?.keep()]).catch((error) => failed(error));
    await open(place, view);
    await keeping;
  }

  const requestForm = (place: Place, memory: Memory, reason = '') =>
    open(place, drawRequestForm(writeMemory(memory), reason));

  const sendForm = (place: Place, memory: Memory) => open(place, drawSendForm(writeMemory(memory)));

  /** A modal that tells what `work` gives, as soon as it does. */
  async function card(
    place: Place,
    title: string,
    work: Promise<Parameters<typeof drawCard>[1]>,
  ): Promise<void> {
    const id = await open(place, drawWaiting(title));
    await place.client.views.update({ view_id: id, view: drawCard(title, await work) });
  }

  async function settings(place: Place, asker: Asker, user: string): Promise<void> {
    const id = await open(place, drawWaiting('Settings'));
    const [found, { user: info }] = await Promise.all([
      commands.settings(asker),
      place.client.users.info({ user }),
    ]);
    const isAdmin = Boolean(info?.is_admin || info?.is_owner);
    const view = drawSettings(found, commands.plainDefaults(), { isAdmin });
    await place.client.views.update({ view_id: id, view });
  }

  return { form, requestForm, sendForm, card, settings };
}
