import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  encryptPush,
  type FileInput,
  type NamedRecipient,
  type PayloadKind,
  type PushObject,
  type PushOptions,
  type PushParams,
} from '../../client/client.ts';
import { askHiddenTwice } from '../hiddenPrompt.ts';
import { print } from '../output.ts';
import { copy, requestCopy } from './clipboard.ts';
import { connect, type ServerOptions } from './connect.ts';
import { withKey } from './encryption.ts';
import { createProgress } from './progress.ts';
import { readLine, readSecret } from './secretInput.ts';
import { relativeTime } from './tables.ts';
import { note, requireTerminal, visible } from './terminal.ts';

export type PushCommandOptions = ServerOptions & {
  attach?: string[];
  to?: string[];
  code: boolean;
  kind?: PayloadKind;
  days?: number;
  hours?: number;
  minutes?: number;
  views?: number;
  passphrase?: true;
  passphraseFile?: string;
  name?: string;
  note?: string;
  retrievalStep: boolean;
  deletableByViewer: boolean;
  copy?: true;
  qr?: true;
  encrypt?: true;
};

/** `hushpush push` */
export async function push(file: string | undefined, options: PushCommandOptions): Promise<void> {
  const { to, code } = options;
  if (!to && !code) throw new Error('--no-code is for links that go by mail: it needs --to.');
  const { client } = await connect(options);
  if (to) await client.requireMail(to);
  const files = await Promise.all((options.attach ?? []).map(openFile));
  const isFilesOnly = files.length > 0 && file === undefined;
  const payload = isFilesOnly ? undefined : await readSecret(file);
  const settings = { ...settingsOf(options), ...(await passphraseOf(options)) };
  const params = paramsOf({ payload, files, settings }, options);
  const created = options.encrypt
    ? await sendEncrypted(client.create, params, options)
    : await send(client.create, params, options);
  print(options.json, created, visible(created.html_url));
  note(summaryOf(created), options);
  if (options.qr) await showQrCode(created.html_url);
  if (options.copy) note(await copyLink(created.html_url), options);
}

type Input = { payload: string | undefined; files: FileInput[]; settings: PushOptions };

function paramsOf({ payload, files, settings }: Input, { kind }: PushCommandOptions): PushParams {
  const text = payload === undefined ? {} : { payload };
  if (files.length > 0) return { ...settings, ...text, files };
  return { ...settings, payload: payload ?? '', ...(kind && { kind }) };
}

type Create = (
  push: PushParams,
  options: { onProgress?: (bytes: number) => void; onWait: (seconds: number) => void },
) => Promise<PushObject>;

async function sendEncrypted(
  create: Create,
  params: PushParams,
  options: PushCommandOptions,
): Promise<PushObject> {
  const { push, key } = await encryptPush(params);
  return withKey(await send(create, push, options), key);
}

async function send(create: Create, push: PushParams, options: PushCommandOptions): Promise<PushObject> {
  const { files = [] } = push;
  const onWait = (seconds: number) =>
    note(`The server still has an earlier attempt in progress. Trying again in ${seconds} s.`, options);
  if (files.length === 0) return create(push, { onWait });
  const sizes = files.map(({ content }) => (content instanceof Blob ? content.size : 0));
  const progress = createProgress(
    'Sending',
    sizes.reduce((sum, size) => sum + size, 0),
    { quiet: options.quiet },
  );
  try {
    // Counted bytes are sent without their length, which not every proxy takes.
    return await create(push, { onWait, ...(progress.isDrawn && { onProgress: progress.update }) });
  } finally {
    progress.end();
  }
}

/** A file of this path, to send. */
export async function openFile(path: string): Promise<FileInput> {
  if (!(await stat(path)).isFile())
    throw new Error(`${path} is not a file. To attach a folder, pack it first.`);
  return { filename: basename(path), content: await openAsBlob(path) };
}

function settingsOf(options: PushCommandOptions): PushOptions {
  const settings: { [Name in keyof PushOptions]: PushOptions[Name] | undefined } = {
    expire_after_days: options.days,
    expire_after_hours: options.hours,
    expire_after_minutes: options.minutes,
    recipients: options.to,
    [options.to ? 'views_per_recipient' : 'expire_after_views']: options.views,
    recipient_code: options.code ? undefined : false,
    name: options.name,
    note: options.note,
    retrieval_step: options.retrievalStep ? undefined : false,
    deletable_by_viewer: options.deletableByViewer ? undefined : false,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

async function passphraseOf(options: PushCommandOptions): Promise<Pick<PushOptions, 'passphrase'>> {
  if (!options.passphrase && options.passphraseFile === undefined) return {};
  const passphrase = await readPassphrase(options.passphraseFile);
  if (passphrase === '') throw new Error('The passphrase is empty. Nothing was pushed.');
  return { passphrase };
}

function readPassphrase(file: string | undefined): Promise<string> {
  if (file !== undefined) return readLine(file);
  requireTerminal('Use --passphrase-file.');
  return askHiddenTwice('Passphrase: ', 'Nothing was pushed.');
}

function summaryOf({ views_total, expires_at, passphrase, recipients = [] }: PushObject): string {
  const views = `${views_total} view${views_total === 1 ? '' : 's'}`;
  const guard = passphrase === null ? '' : ' Send the passphrase separately.';
  return [...mailSentences(recipients), `${views}, expires ${relativeTime(expires_at)}.${guard}`].join(' ');
}

/** Who gets a link of their own by mail. What becomes of the mails is not known yet. */
function mailSentences(recipients: NamedRecipient[]): string[] {
  const mailed = recipients.flatMap(({ name, mail }) => (mail && name !== null ? [{ name, mail }] : []));
  if (mailed.length === 0) return [];
  return [
    `A mail with a link goes to ${mailed.map(({ name }) => name).join(', ')}.`,
    ...(mailed.some(({ mail }) => mail.code)
      ? ['It opens only with a code, which goes to the same address when it is asked for.']
      : []),
    'The link printed here names the push, and opens nothing.',
  ];
}

async function showQrCode(link: string): Promise<void> {
  const { default: encodeQr } = await import('qr');
  const code = encodeQr(link, 'ascii');
  // A code is dark on a light ground, whatever the colors of the terminal are.
  process.stderr.write(process.stderr.isTTY ? code.replace(/^.+$/gm, '\u001b[97;40m$&\u001b[0m') : code);
}

async function copyLink(link: string): Promise<string> {
  if (await copy(link)) return 'The link is copied.';
  return requestCopy(link) ? 'The terminal was asked to copy the link.' : 'There is no clipboard here.';
}
