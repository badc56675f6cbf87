import { type PushClient, RefusedError } from '../../client/client.ts';
import { askHidden, askHiddenTwice } from '../hiddenPrompt.ts';
import { print } from '../output.ts';
import { connect, openClient, type ServerOptions } from './connect.ts';
import { type DurationOptions, minutesIn } from './duration.ts';
import { createProgress } from './progress.ts';
import { openFile } from './push.ts';
import { readLine, readSecret } from './secretInput.ts';
import { fitTable, relativeTime } from './tables.ts';
import { note, requireTerminal, visible } from './terminal.ts';

type PassphraseOptions = { passphrase?: true; passphraseFile?: string };

export type NewLinkOptions = ServerOptions &
  DurationOptions &
  PassphraseOptions & {
    link?: string;
    to?: string[];
    note?: string;
    answers?: number;
    accepts?: 'text' | 'files' | 'both';
    allowName?: true;
  };

/** `hushpush request --link` */
export async function requestByLink(title: string, from: string[], options: NewLinkOptions): Promise<void> {
  if (from.length > 0) throw new Error('A link asks whoever has it. Leave the people out, or --link.');
  const { client } = await connect(options);
  if (options.to) await client.requireMail(options.to);
  const passphrase = await readPassphrase(options, () =>
    askHiddenTwice('Passphrase: ', 'No link was created.'),
  );
  const created = await client.requests.createLink({
    ...{ title, passphrase, to: options.to, note: options.note },
    ...{ answers: options.answers, accepts: options.accepts },
    ...{ allow_name: options.allowName, expire_after_minutes: minutesIn(options) || undefined },
  });
  const { answers, expires_at, html_url } = created;
  print(options.json, created, visible(html_url ?? ''));
  const many = answers === 1 ? 'one answer' : `${answers} answers`;
  const guard = passphrase === undefined ? '' : ' Send the passphrase separately.';
  const mailed = options.to ? `A mail with it goes to ${visible(options.to.join(', '))}. ` : '';
  note(`${mailed}Takes ${many}, expires ${relativeTime(expires_at)}.${guard}`, options);
}

/** The request links of an account; none on a server of a release before they were added. */
export const listLinks = ({ requests }: PushClient) =>
  requests.listLinks().catch((error) => {
    if (error instanceof RefusedError && error.status === 404) return [];
    throw error;
  });

/** `hushpush answers` */
export async function answers(id: string, options: ServerOptions): Promise<void> {
  const { client } = await connect(options);
  const links = await listLinks(client);
  const [link, ...others] = links.filter((each) => each.id.endsWith(id));
  if (link === undefined || others.length > 0)
    throw new Error(`You have no request link ${id}. See hushpush requests.`);
  const found = await client.requests.listAnswers(link.id);
  const table = fitTable([
    { title: 'RECEIPT', cells: found.map(({ receipt }) => receipt ?? '') },
    { title: 'FROM', cells: found.map(({ name }) => name ?? ''), isFlexible: true },
    { title: 'SENT', cells: found.map(({ created_at }) => relativeTime(created_at)) },
    { title: 'OPENS', cells: found.map(({ waiting, html_url }) => (waiting ? (html_url ?? '') : '')) },
  ]);
  print(options.json, found, found.length === 0 ? 'Nobody has answered yet.' : table);
}

type AnswerOptions = ServerOptions & PassphraseOptions & { attach?: string[]; name?: string };

/** `hushpush answer`. It sends no API token, since the link is all that it takes. */
export async function answer(link: string, file: string | undefined, options: AnswerOptions): Promise<void> {
  const [, server, token] = /^(https?:\/\/.*)\/a\/([0-9a-z]{26})$/i.exec(link.trim()) ?? [];
  if (server === undefined || token === undefined)
    throw new Error('That is no request link. It ends in /a/ and 26 letters and digits.');
  const client = await openClient({ server: options.server ?? server });
  const files = await Promise.all((options.attach ?? []).map(openFile));
  const payload = files.length > 0 && file === undefined ? undefined : await readSecret(file);
  const passphrase = await readPassphrase(options, async () => (await askHidden(['Passphrase: ']))[0] ?? '');
  const total = files.reduce((sum, { content }) => sum + (content instanceof Blob ? content.size : 0), 0);
  const progress = createProgress('Sending', total, { quiet: options.quiet });
  try {
    const sent = await client.requests.answer(
      token.toLowerCase(),
      { payload, files, passphrase, name: options.name },
      files.length > 0 && progress.isDrawn ? { onProgress: progress.update } : {},
    );
    print(options.json, sent, visible(sent.receipt));
    note('That is your receipt. Whoever asked sees the same code.', options);
  } finally {
    progress.end();
  }
}

/** Undefined if none is asked for. */
async function readPassphrase(
  { passphrase, passphraseFile }: PassphraseOptions,
  ask: () => Promise<string>,
): Promise<string | undefined> {
  if (!passphrase && passphraseFile === undefined) return undefined;
  if (passphraseFile === undefined) requireTerminal('Use --passphrase-file.');
  const read = passphraseFile === undefined ? await ask() : await readLine(passphraseFile);
  if (read === '') throw new Error('The passphrase is empty.');
  return read;
}
