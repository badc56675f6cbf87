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
import type { DurationOptions } from './duration.ts';
import { withKey } from './encryption.ts';
import { type PassphraseOptions, readPassphrase, readSecret } from './secretInput.ts';
import { relativeTime } from './tables.ts';
import { note, visible } from './terminal.ts';
import { openFiles, sendFiles } from './uploads.ts';

export type PushCommandOptions = ServerOptions &
  DurationOptions &
  PassphraseOptions & {
    attach?: string[];
    to?: string[];
    code: boolean;
    kind?: PayloadKind;
    views?: number;
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
  const { files, totalBytes } = await openFiles(options.attach, { isEncrypted: options.encrypt === true });
  const isFilesOnly = files.length > 0 && file === undefined;
  const payload = isFilesOnly ? undefined : await readSecret(file);
  const passphrase = await readPassphrase(options, () =>
    askHiddenTwice('Passphrase: ', 'Nothing was pushed.'),
  );
  const settings = settingsOf({ ...options, passphrase });
  const plain = paramsOf({ payload, files, settings }, options);
  const { push: params, key } = options.encrypt ? await encryptPush(plain) : { push: plain, key: undefined };
  const onWait = (seconds: number) =>
    note(`The server still has an earlier attempt in progress. Trying again in ${seconds} s.`, options);
  const sent = await sendFiles(totalBytes, options, (progress) =>
    client.create(params, { onWait, ...progress }),
  );
  const created = key === undefined ? sent : withKey(sent, key);
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

function settingsOf(
  options: Omit<PushCommandOptions, 'passphrase'> & { passphrase: string | undefined },
): PushOptions {
  const settings: { [Name in keyof PushOptions]: PushOptions[Name] | undefined } = {
    expire_after_days: options.days,
    expire_after_hours: options.hours,
    expire_after_minutes: options.minutes,
    recipients: options.to,
    [options.to ? 'views_per_recipient' : 'expire_after_views']: options.views,
    recipient_code: options.code ? undefined : false,
    passphrase: options.passphrase,
    name: options.name,
    note: options.note,
    retrieval_step: options.retrievalStep ? undefined : false,
    deletable_by_viewer: options.deletableByViewer ? undefined : false,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
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
