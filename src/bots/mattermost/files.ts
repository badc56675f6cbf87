import type { ChatCaller, IncomingFile } from '../../domain/index.ts';
import { withinTime } from '../../retry.ts';
import { hourMs } from '../../time.ts';
import { CardError } from '../errorCard.ts';
import type { Option } from '../form.ts';
import { cardsOf } from '../language.ts';
import { isUnknown, type MattermostApi } from './api.ts';
import type { MattermostPeople } from './people.ts';

/** A form opens without files rather than late: a trigger lives for three seconds. */
const timeoutMs = 500;
const postsMax = 10;
const sentForMs = hourMs;

type Dependencies = { api: MattermostApi; people: Pick<MattermostPeople, 'directChannelOf'> };

export type MattermostFiles = ReturnType<typeof createSentFiles>;

/** A dialog takes no files, so people send them to the bot first, in a direct message. */
export function createSentFiles({ api, people }: Dependencies) {
  /** The files of the newest message that somebody has sent to the bot, within an hour. */
  async function sentBy(user: string): Promise<Option[]> {
    const found = await withinTime(
      readNewest(user).catch(() => []),
      timeoutMs,
    );
    return found?.value ?? [];
  }

  async function readNewest(user: string): Promise<Option[]> {
    const posts = await api.newestPosts(await people.directChannelOf(user), postsMax);
    const newest = posts.find(({ user_id: author }) => author === user);
    if (newest === undefined || Date.now() - newest.create_at > sentForMs) return [];
    return (newest.metadata?.files ?? []).map(({ id, name }) => ({ label: name, value: id }));
  }

  /** Fetches files one after the other, each while it is being stored. Refuses those that somebody else has sent. */
  async function* fetch(
    ids: string[],
    caller: ChatCaller,
    signal: AbortSignal,
  ): AsyncGenerator<IncomingFile> {
    for (const id of ids) {
      const unreadable = (name: string) => new CardError(cardsOf(caller).fileUnreadable(name));
      const info = await api.fileInfo(id).catch((error) => {
        throw isUnknown(error) ? unreadable(id) : error;
      });
      const { body } = info.user_id === caller.chatUser.address ? await api.file(id, signal) : { body: null };
      if (body === null) throw unreadable(info.name);
      yield { filename: info.name, contentType: info.mime_type, stream: body };
    }
  }

  return { sentBy, fetch };
}
