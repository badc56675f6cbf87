import { webApi } from '@slack/bolt';
import { maybeUrl } from '../../client/url.ts';
import type { IncomingFile } from '../../domain/index.ts';
import { hourMs } from '../../time.ts';
import { CardError } from '../errorCard.ts';
import { type FormSubmission, listIn, type Option } from '../form.ts';
import { type ChatReader, cardsOf } from '../language.ts';
import { createLookup } from '../lookup.ts';
import { filesMax } from './form.ts';
import { filesScope } from './installations.ts';
import type { SlackSettings } from './settings.ts';

type SlackFile = NonNullable<webApi.FilesInfoResponse['file']>;

/** The label of a checkbox (docs.slack.dev, “Option object”). */
const labelMax = 75;
/** A form opens without files rather than late. */
const timeoutMs = 500;

export type FileAccess = ReturnType<typeof createFileAccess>;

/** Whether the app was granted the files of a workspace. Cached for an hour. */
export function createFileAccess({ SLACK_FILES: readsFiles }: SlackSettings) {
  const isGranted = createLookup(readGrant, { freshForMs: hourMs, timeoutMs });
  return async (client: webApi.WebClient, workspace: string): Promise<boolean> =>
    readsFiles && (await isGranted(workspace, client)) === true;
}

/** Every response of Slack lists the scopes of its token. */
async function readGrant(_workspace: string, client: webApi.WebClient): Promise<boolean> {
  const { response_metadata } = await client.auth.test();
  return response_metadata?.scopes?.includes(filesScope) ?? false;
}

/** The files of a message, for checkboxes. Those that were deleted or that Slack hides have no name. */
export function filesOfMessage(message: object): Option[] {
  const files: unknown = 'files' in message ? message.files : [];
  return (Array.isArray(files) ? (files as SlackFile[]) : [])
    .flatMap(({ id, name }) => (id && name ? [{ label: name.slice(0, labelMax), value: id }] : []))
    .slice(0, filesMax);
}

/** The ids of the files of a submitted form. */
export const fileIdsOf = ({ values }: FormSubmission): string[] => [
  ...(listIn(values, 'messageFiles') ?? []),
  ...(listIn(values, 'files') ?? []),
];

/** Fetches files from Slack one after the other, each while it is being stored. */
export async function* fetchSlackFiles(
  client: webApi.WebClient,
  ids: string[],
  { reader, signal }: { reader: ChatReader; signal: AbortSignal },
): AsyncGenerator<IncomingFile> {
  for (const id of ids) {
    const file = await requireFile(client, id, reader);
    const { name = id, mimetype = '', url_private_download: url = '' } = file;
    const response = isOfSlack(client, url)
      ? await fetch(url, {
          signal,
          redirect: 'manual', // to a page for signing in, where we may not read it
          headers: { authorization: `Bearer ${client.token}` },
        })
      : undefined;
    if (!response?.ok || response.body === null) throw unreadable(name, reader);
    yield { filename: name, contentType: mimetype, stream: response.body };
  }
}

async function requireFile(client: webApi.WebClient, id: string, reader: ChatReader): Promise<SlackFile> {
  try {
    const { file } = await client.files.info({ file: id });
    return file ?? {};
  } catch (error) {
    throw error instanceof webApi.WebAPIPlatformError ? unreadable(id, reader) : error;
  }
}

/** Files of other services, which messages may link, must not get our token. */
function isOfSlack({ slackApiUrl }: webApi.WebClient, url: string): boolean {
  const { host: ours } = new URL(slackApiUrl);
  const host = maybeUrl(url)?.host;
  return host !== undefined && (host === ours || host.endsWith(`.${ours}`));
}

const unreadable = (name: string, reader: ChatReader) => new CardError(cardsOf(reader).fileUnreadable(name));
