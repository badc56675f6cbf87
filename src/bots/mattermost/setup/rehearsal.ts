import type { Post } from '@mattermost/types/posts';
import type { RehearsedStep } from '../../chatModule.ts';
import { type MattermostApi, MattermostError } from '../api.ts';
import type { MattermostPeople } from '../people.ts';
import type { RenderMattermostPost } from '../render.ts';

type Dependencies = {
  api: MattermostApi;
  people: MattermostPeople;
  render: RenderMattermostPost;
  dialogsUrl: string;
};

const file = { name: 'rehearsal.txt', text: 'hushpush' };

/**
 * Does with a real server what the adapter needs of it, in the direct messages with somebody, and says where it differs from
 * what the documentation of Mattermost says. Deletes what it has posted.
 */
export async function rehearse(
  { api, people, render, dialogsUrl }: Dependencies,
  name: string,
): Promise<RehearsedStep[]> {
  const steps: RehearsedStep[] = [];
  const posted: string[] = [];

  /** `work` resolves to what differs, if anything does. */
  async function step(what: string, work: () => Promise<string | undefined>): Promise<void> {
    const differs = await work().catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    steps.push({ step: what, ...(differs !== undefined && { differs }) });
  }

  async function post(more: object = {}): Promise<Post> {
    const channel_id = await people.directChannelOf(user);
    const content = { channel_id, message: 'hushpush rehearses.', props: { attachments: [] }, ...more };
    const sent = await api.post(content);
    posted.unshift(sent.id);
    return sent;
  }

  const differs = (isAsExpected: boolean, found: string) => (isAsExpected ? undefined : found);
  const read = (id: string) => api.call<Post>('GET', `posts/${id}`);
  let user = '';
  let root = '';

  await step('name', async () => {
    [user = ''] = await people.find([name]);
    return differs(user !== '', `there is no active user @${name}`);
  });
  if (user === '') return steps;
  await step('zone', async () => {
    const { timeZone, locale } = await people.readerOf(user);
    return differs(
      timeZone !== undefined && locale !== undefined,
      'a profile has no time zone or no language',
    );
  });
  await step('post', async () => {
    root = (await post()).id;
    return differs((await read(root)).message === 'hushpush rehearses.', 'the post has another text');
  });
  await step('edit', async () => {
    await api.patch(root, { message: 'hushpush has rehearsed.', props: { attachments: [] } });
    return differs((await read(root)).message === 'hushpush has rehearsed.', 'the post keeps its text');
  });
  await step('thread', async () => {
    const reply = await post({ root_id: root });
    return differs(reply.root_id === root, 'the reply is in no thread');
  });
  await step('file', async () => {
    const form = new FormData();
    form.set('channel_id', await people.directChannelOf(user));
    form.set('files', new Blob([file.text]), file.name);
    const uploaded = (await (await api.send('POST', 'files', form)).json()) as {
      file_infos: { id: string }[];
    };
    const id = uploaded.file_infos[0]?.id ?? '';
    await post({ file_ids: [id] });
    const { name: found } = await api.fileInfo(id);
    const text = await (await api.file(id, AbortSignal.timeout(5_000))).text();
    return differs(found === file.name && text === file.text, 'the file comes back otherwise');
  });
  await step('dialog', async () => {
    const dialog = { title: 'hushpush', elements: [] };
    try {
      await api.openDialog({ trigger_id: 'none', url: dialogsUrl, dialog });
      return 'a dialog opens without a trigger';
    } catch (error) {
      const isRefused = error instanceof MattermostError && error.code.startsWith('interactive_message.');
      return differs(isRefused, error instanceof Error ? error.message : '');
    }
  });
  await step('button', async () => {
    const card = {
      summary: ['hushpush'],
      lines: [['hushpush']],
      buttons: [{ label: 'Press', id: 'rehearsal', value: '' }],
    };
    const { id, props } = await post(await render(card, { reader: {} }));
    if (JSON.stringify(props).includes('sealed')) return 'what a button carries is shown to people';
    const { trigger_id } = await api.call<{ trigger_id?: string }>('POST', `posts/${id}/actions/press0`, {});
    return differs(trigger_id !== undefined, 'a press has no trigger');
  });
  for (const id of posted) await api.call('DELETE', `posts/${id}`).catch(() => undefined);
  return steps;
}
