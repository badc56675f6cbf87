import {
  DecryptionError,
  openAnswers,
  opensByPasskey,
  type PushClient,
  RefusedError,
  type RequestAnswerObject,
  type RequestLinkObject,
} from '../../client/client.ts';
import { askHiddenTwice } from '../hiddenPrompt.ts';
import { print } from '../output.ts';
import { connect, openClient, type ServerOptions } from './connect.ts';
import { type DurationOptions, minutesIn } from './duration.ts';
import { ClientCommandError } from './failure.ts';
import { type PassphraseOptions, readPassphrase, readSecret } from './secretInput.ts';
import { fitTable, relativeTime } from './tables.ts';
import { askSecret, note, visible } from './terminal.ts';
import { openFiles, sendFiles } from './uploads.ts';

export type NewLinkOptions = ServerOptions &
  DurationOptions &
  PassphraseOptions & {
    link?: string;
    to?: string[];
    note?: string;
    answers?: number;
    accepts?: 'text' | 'files' | 'both';
    allowName?: true;
    seal?: boolean;
    openingPassphrase?: true;
    openingPassphraseFile?: string;
  };

/** `hushpush request --link` */
export async function requestByLink(title: string, from: string[], options: NewLinkOptions): Promise<void> {
  if (from.length > 0) throw new Error('A link asks whoever has it. Leave the people out, or --link.');
  const { client } = await connect(options);
  if (options.to) await client.requireMail(options.to);
  const passphrase = await readPassphrase(options, () =>
    askHiddenTwice('Passphrase: ', 'No link was created.'),
  );
  const params = {
    ...{ title, passphrase, to: options.to, note: options.note },
    ...{ answers: options.answers, accepts: options.accepts },
    ...{ allow_name: options.allowName, expire_after_minutes: minutesIn(options) || undefined },
  };
  if (options.seal === false) return printLink(await client.requests.createLink(params), options);
  const opening = { passphrase: options.openingPassphrase, passphraseFile: options.openingPassphraseFile };
  const openingPassphrase = await readPassphrase(opening, () =>
    askHiddenTwice('Passphrase that opens the answers: ', 'No link was created.'),
  );
  const created = await client.requests.createSealedLink(params, { passphrase: openingPassphrase });
  printLink(created, options, openingPassphrase === undefined ? created.opening_url : undefined);
}

/** Prints what to send and, on a line of its own, what its sender keeps. */
function printLink(created: RequestLinkObject, options: NewLinkOptions, ownLink?: string): void {
  const { answers, expires_at, html_url } = created;
  print(options.json, created, visible([html_url ?? '', ...(ownLink ? [ownLink] : [])].join('\n')));
  const many = answers === 1 ? 'one answer' : `${answers} answers`;
  const guard = created.passphrase === null ? '' : ' Send the passphrase separately.';
  const mailed = options.to ? `A mail with it goes to ${visible(options.to.join(', '))}. ` : '';
  note(`${mailed}Takes ${many}, expires ${relativeTime(expires_at)}.${guard}`, options);
  if (ownLink)
    note(
      'Send the first link. Keep the second one: nothing else opens the answers, and it is not shown again.',
      options,
    );
}

/** The request links of an account; none on a server of a release before they were added. */
export const listLinks = ({ requests }: PushClient) =>
  requests.listLinks().catch((error) => {
    if (error instanceof RefusedError && error.status === 404) return [];
    throw error;
  });

/** `hushpush answers` */
export async function answers(idOrLink: string, options: ServerOptions & PassphraseOptions): Promise<void> {
  const { client, link } = await findLink(idOrLink, options);
  const found = await openedAnswers(await client.requests.listAnswers(link.id), link, { idOrLink, options });
  const table = fitTable([
    { title: 'RECEIPT', cells: found.map(({ receipt }) => receipt ?? '') },
    { title: 'FROM', cells: found.map(({ name }) => name ?? ''), isFlexible: true },
    { title: 'SENT', cells: found.map(({ created_at }) => relativeTime(created_at)) },
    { title: 'OPENS', cells: found.map((answer) => (answer.waiting ? openingOf(answer, link) : '')) },
  ]);
  print(options.json, found, found.length === 0 ? 'Nobody has answered yet.' : table);
}

/** The request link itself, or its page. */
const linkShape = /^(https?:\/\/.*)\/(?:a\/([0-9a-z]{26})|requests\/links\/([0-9a-f]{32}))(?![^?#])/i;

/** Whether an argument names a request link: by a link, or by an id as `hushpush requests` and the API show it. */
export const namesRequestLink = (named: string): boolean =>
  linkShape.test(named.trim()) || /^(?:[0-9a-f]{8}|[0-9a-f]{32})$/.test(named);

/** A request link of the user's, by the link, its page, or the end of its id. */
async function findLink(named: string, options: ServerOptions) {
  const [, server, token, linkId] = linkShape.exec(named.trim()) ?? [];
  const { client } = await connect(server === undefined ? options : { server, ...options });
  const id = linkId ?? named;
  const links = await listLinks(client);
  const [link, ...others] = links.filter((each) =>
    token === undefined ? each.id.endsWith(id) : each.url_token === token.toLowerCase(),
  );
  if (link === undefined || others.length > 0)
    throw new Error(`You have no request link ${id}. See hushpush requests.`);
  return { client, link };
}

/** `hushpush send-again`, for a request link. */
export async function sendLinkAgain(named: string, address: string, options: ServerOptions) {
  const { client, link } = await findLink(named, options);
  return client.requests.sendLinkAgain(link.id, address);
}

type OpenedAnswer = Awaited<ReturnType<typeof openAnswers>>[number];

const openingOf = ({ html_url, sealed_key, problem }: OpenedAnswer, link: RequestLinkObject) => {
  if (problem !== undefined) return 'not sealed to you as it is: do not trust it';
  if (!sealed_key || html_url?.includes('#')) return html_url ?? '';
  return opensByPasskey(link) ? 'in a browser, with your passkey' : 'with your own link, or the passphrase';
};

type Asked = { idOrLink: string; options: ServerOptions & PassphraseOptions };

/** The answers, with the links that open them as far as what the user has opens them. */
async function openedAnswers(
  found: RequestAnswerObject[],
  link: RequestLinkObject,
  { idOrLink, options }: Asked,
): Promise<OpenedAnswer[]> {
  if (idOrLink.includes('#')) return openAnswers(link, found, { link: idOrLink });
  if (!options.passphrase && options.passphraseFile === undefined) return found;
  const other = opensByPasskey(link)
    ? 'your passkey, in a browser: see the page Requests'
    : 'your own link to it';
  if (opensByPasskey(link) || !link.wrapped_key)
    throw new Error(`Its answers do not open with a passphrase. Use ${other}.`);
  const ask = () => askSecret('Passphrase that opens the answers: ');
  const passphrase = (await readPassphrase(options, ask)) ?? '';
  return openAnswers(link, found, { passphrase }).catch((error) => {
    if (!(error instanceof DecryptionError)) throw error;
    throw new ClientCommandError('That passphrase does not open the answers.', { code: 'passphrase' });
  });
}

type AnswerOptions = ServerOptions & PassphraseOptions & { attach?: string[]; name?: string };

/** `hushpush answer`. It sends no API token, since the link is all that it takes. */
export async function answer(link: string, file: string | undefined, options: AnswerOptions): Promise<void> {
  const [, server] = /^(https?:\/\/.*)\/a\/[0-9a-z]{26}(?:#.*)?$/is.exec(link.trim()) ?? [];
  if (server === undefined)
    throw new Error(
      'That is no request link. It has /a/ and 26 letters and digits, and then a # if it is sealed.',
    );
  const client = await openClient({ server: options.server ?? server });
  const isSealed = link.includes('#');
  if (!isSealed && (await client.requests.read(link)).encrypted_by === 'sender')
    throw new Error('The link is cut off: what follows # is missing. Copy the whole link. Nothing was sent.');
  const { files, totalBytes } = await openFiles(options.attach, { isEncrypted: isSealed });
  const payload = files.length > 0 && file === undefined ? undefined : await readSecret(file);
  const passphrase = await readPassphrase(options, () => askSecret('Passphrase: '));
  const params = { payload, passphrase, name: options.name, files };
  const sent = await sendFiles(totalBytes, options, (progress) =>
    client.requests.answer(link, params, progress),
  );
  print(options.json, sent, visible(sent.receipt));
  note('That is your receipt. Whoever asked sees the same code.', options);
}
