import { access, constants, open, rm } from 'node:fs/promises';
import { type PushClient, RefusedError, type RetrievedPush } from '../../client/client.ts';
import { requireConsent } from '../consent.ts';
import { print } from '../output.ts';
import { canCopy, copy } from './clipboard.ts';
import { connect, type ServerOptions } from './connect.ts';
import { saveFiles } from './downloads.ts';
import { decrypt, expiredError, requireWholeKey } from './encryption.ts';
import { ClientCommandError } from './failure.ts';
import { readLine } from './secretInput.ts';
import { relativeTime } from './tables.ts';
import { askSecret, note, visible } from './terminal.ts';

export type GetCommandOptions = ServerOptions & {
  passphraseFile?: string;
  output?: string;
  folder: string;
  copy?: true;
  yes?: true;
};

/** `hushpush get`. Opens what it writes to first: a secret that cannot be written is lost. */
export async function get(link: string, options: GetCommandOptions): Promise<void> {
  const { client } = await connect(options, link);
  await access(options.folder, constants.W_OK);
  requireWholeKey(link);
  if (options.copy && !canCopy())
    throw new Error('There is no clipboard here, or no wl-copy or xclip for it. Nothing was retrieved.');
  await requireIntent(options);
  await using output = options.output === undefined ? null : await openOutput(options.output);
  const retrieved = await retrieve(client, link, options);
  const { push, key } = await decrypt(retrieved, link, (payload) => deliver(payload, output, options));
  if (push.expired) throw expiredError();
  if (options.json) return print(true, push, '');
  if (push.payload) await deliver(push.payload, output, options);
  await saveFiles(client, retrieved.files, {
    ...options,
    ...(key && { decryption: { key, files: push.files } }),
  });
  note(summaryOf(push), options);
}

/** At a terminal, asks first: a link that is pasted by mistake may be used up then, and anybody may look on. A script is not asked. */
async function requireIntent({ yes, json }: GetCommandOptions): Promise<void> {
  const isAtTerminal = process.stdin.isTTY && process.stdout.isTTY;
  if (yes || json || !isAtTerminal) return;
  await requireConsent('That uses a view.', { declined: 'Nothing was retrieved.' });
}

function passphraseMissing({ code, status }: RefusedError): ClientCommandError {
  const sentence = 'It needs a passphrase, and there is no terminal to ask on: use --passphrase-file.';
  return new ClientCommandError(sentence, { code, status });
}

/** A new file that is removed again if nothing is written to it. */
async function openOutput(path: string) {
  const file = await open(path, 'wx', 0o600).catch(explainOutput);
  let isUsed = false;
  return {
    async write(text: string): Promise<void> {
      isUsed = true;
      await file.writeFile(text);
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await file.close();
      if (!isUsed) await rm(path, { force: true });
    },
  };
}

type Output = Awaited<ReturnType<typeof openOutput>>;

function explainOutput(error: NodeJS.ErrnoException): never {
  throw error.code === 'EEXIST' ? new Error(`${error.path} exists already. Nothing was retrieved.`) : error;
}

async function retrieve(
  client: PushClient,
  link: string,
  options: GetCommandOptions,
): Promise<RetrievedPush> {
  const { passphraseFile } = options;
  const passphrase = passphraseFile === undefined ? undefined : await readLine(passphraseFile);
  try {
    return await client.retrieve(link, { passphrase });
  } catch (error) {
    const isAsked = error instanceof RefusedError && error.code === 'passphrase' && passphrase === undefined;
    if (!isAsked) throw error;
    if (!process.stdin.isTTY) throw passphraseMissing(error);
    return client.retrieve(link, { passphrase: await askSecret('Passphrase: ') });
  }
}

async function deliver(payload: string, output: Output | null, options: GetCommandOptions): Promise<void> {
  if (output !== null) return output.write(payload);
  if (options.copy && (await copy(payload))) return note('The secret is copied.', options);
  if (options.copy) note('It could not be copied, and is lost if it is not printed:');
  const text = process.stdout.isTTY ? `${visible(payload)}${payload.endsWith('\n') ? '' : '\n'}` : payload;
  process.stdout.write(text);
}

function summaryOf({ views_remaining, expires_at }: RetrievedPush): string {
  if (views_remaining === 0) return 'That was the last view.';
  return `${views_remaining} view${views_remaining === 1 ? '' : 's'} left, expires ${relativeTime(expires_at)}.`;
}
