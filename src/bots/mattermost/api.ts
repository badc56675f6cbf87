import type { FileInfo } from '@mattermost/types/files';
import type { OpenDialogRequest } from '@mattermost/types/integrations';
import type { Post } from '@mattermost/types/posts';
import type { Team, TeamMembership } from '@mattermost/types/teams';
import type { UserProfile } from '@mattermost/types/users';
import { minuteMs, secondMs } from '../../time.ts';
import { type ChatFailure, checkToken, type TokenCheck } from '../failure.ts';

const callTimeoutMs = 5_000;
const invalidTokenPauseMs = 10 * minuteMs;

/** What a post consists of. */
export type PostContent = { message: string; props: { attachments: object[] } };
type NewPost = PostContent & { channel_id: string; root_id?: string; pending_post_id?: string };

/** Mattermost refused a call. Holds nothing of the request. */
export class MattermostError extends Error {
  readonly status: number;
  /** Mattermost's name of the error. */
  readonly code: string;
  readonly afterMs: number | undefined;

  constructor(status: number, code: string, afterMs?: number) {
    super(`Mattermost responded with ${status} ${code}`.trim());
    this.status = status;
    this.code = code;
    this.afterMs = afterMs;
  }
}

/** No message reaches somebody who has left, or of whom the server keeps us away. */
export class UnreachableError extends Error {}

export type MattermostApi = ReturnType<typeof createMattermostApi>;

/** The calls that we make to Mattermost's API, once each, and never for long. */
export function createMattermostApi(url: string, token: string) {
  async function send(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}/api/v4/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      redirect: 'error',
      signal: signal ?? AbortSignal.timeout(callTimeoutMs),
    });
    if (response.ok) return response;
    const { id = '' } = (await response.json().catch(() => ({}))) as { id?: string };
    const seconds = Number(response.headers.get('retry-after'));
    throw new MattermostError(response.status, id, seconds > 0 ? seconds * secondMs : undefined);
  }
  const call = async <T>(method: string, path: string, body?: object): Promise<T> =>
    (await (await send(method, path, body)).json()) as T;

  return {
    /** For calls that only commands of operators make. */
    call,
    send,
    me: () => call<UserProfile>('GET', 'users/me'),
    user: (id: string) => call<UserProfile>('GET', `users/${id}`),
    users: (ids: string[]) => call<UserProfile[]>('POST', 'users/ids', ids),
    usersByNames: (names: string[]) => call<UserProfile[]>('POST', 'users/usernames', names),
    myTeams: () => call<Team[]>('GET', 'users/me/teams'),
    member: (team: string, user: string) => call<TeamMembership>('GET', `teams/${team}/members/${user}`),
    openDirect: async (bot: string, user: string) =>
      (await call<{ id: string }>('POST', 'channels/direct', [bot, user])).id,
    post: (post: NewPost) => call<Post>('POST', 'posts', post),
    patch: (id: string, post: PostContent) => call<Post>('PUT', `posts/${id}/patch`, post),
    /** The newest posts of a channel, newest first. */
    async newestPosts(channel: string, count: number): Promise<Post[]> {
      const { order, posts } = await call<{ order: string[]; posts: Record<string, Post> }>(
        'GET',
        `channels/${channel}/posts?per_page=${count}`,
      );
      return order.flatMap((id) => posts[id] ?? []);
    },
    openDialog: (dialog: OpenDialogRequest) => call<object>('POST', 'actions/dialogs/open', dialog),
    fileInfo: (id: string) => call<FileInfo>('GET', `files/${id}/info`),
    file: (id: string, signal: AbortSignal) => send('GET', `files/${id}`, undefined, signal),
  };
}

const isRefusal = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof MattermostError && statuses.includes(error.status);

export const isUnknown = (error: unknown): boolean => isRefusal(error, 400, 404);

/** Mattermost says of a deleted post that it may not be edited. */
export function explainMattermostError(error: unknown): ChatFailure | undefined {
  if (error instanceof UnreachableError) return { reason: error.message, isUnreachable: true };
  if (!(error instanceof MattermostError)) return undefined;
  return {
    reason: `responded with ${error.status} ${error.code}`.trim(),
    isLost: isRefusal(error, 400, 403, 404),
    isTokenRefused: isRefusal(error, 401, 403),
    afterMs: error.status === 401 ? invalidTokenPauseMs : error.afterMs,
  };
}

/** Asks Mattermost whether it accepts the token of the bot. */
export const checkMattermostToken = (url: string, token: string): Promise<TokenCheck> =>
  checkToken('MATTERMOST_TOKEN', createMattermostApi(url, token).me(), explainMattermostError);
