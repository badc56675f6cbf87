import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { simpleParser } from 'mailparser';
import { encodingsOf } from '../../../test/harness/encodings.ts';
import type { Cluster } from '../history/cluster.ts';
import type { TestedDatabase } from '../history/databases.ts';
import type { ArrivedMail } from './mail.ts';
import type { Postfix } from './postfix.ts';

type Searched = {
  marker: string;
  /** API tokens. */
  tokens: string[];
  created: { urlToken: string; recipients: { path: string }[] }[];
  queues: Buffer[];
  arrived: ArrivedMail[];
};

/** Of so many pushes the links are searched for where none may be. */
const linksSearched = 20;

/**
 * Secrets in mails, in the queue of the mail server, in logs and in the dump of the database. Links are in mails alone: that they
 * are found there shows that the search finds.
 */
export async function findLeaks(
  { cluster, postfix, database }: { cluster: Cluster; postfix: Postfix; database: TestedDatabase },
  { marker, tokens, created, queues, arrived }: Searched,
): Promise<string[]> {
  const { MASTER_KEYS, PEPPER } = cluster.settings;
  const secrets = new Map<string, Buffer>([
    ['what was pushed', Buffer.from(marker)],
    ['the master key', Buffer.from(MASTER_KEYS.slice(2), 'base64')],
    ['the pepper', Buffer.from(PEPPER, 'base64')],
    ...tokens.map((token): [string, Buffer] => ['an API token', Buffer.from(token)]),
  ]);
  const some = created.slice(0, linksSearched);
  const mailed = some.flatMap(({ recipients }) => recipients.map(({ path }) => path.slice('/p/'.length)));
  const links = [...some.map(({ urlToken }) => urlToken), ...mailed];
  const withLinks = new Map([
    ...secrets,
    ...links.map((link): [string, Buffer] => [`the link ${link}`, Buffer.from(link)]),
  ]);
  const mails = Buffer.concat([...arrived.map(({ raw }) => raw), ...queues]);
  const texts: string[] = [];
  for (const { raw } of arrived) texts.push(await textOf(raw));
  const decoded = Buffer.from(texts.join('\n'));
  const seen = new Set(search(decoded, withLinks).map(({ name }) => name));
  const unseen = mailed.filter((link) => !seen.has(`the link ${link}`));
  return [
    ...(unseen.length > 0 ? [`the search does not find ${unseen.length} links in mails`] : []),
    ...secretsIn(mails, secrets, 'mails and the queue of the mail server'),
    ...secretsIn(decoded, secrets, 'texts of mails'),
    ...secretsIn(Buffer.from(cluster.logs()), withLinks, 'the log'),
    ...secretsIn(Buffer.from(await postfix.log()), withLinks, 'the log of the mail server'),
    ...secretsIn(await dumpOf(database), withLinks, 'the dump of the database'),
  ];
}

async function textOf(raw: Buffer): Promise<string> {
  const { subject, text, html, headerLines } = await simpleParser(raw, { skipTextToHtml: true });
  return [subject, text, html, ...headerLines.map(({ line }) => line)].join('\n');
}

const secretsIn = (bytes: Buffer, secrets: Map<string, Buffer>, where: string): string[] =>
  search(bytes, secrets).map(({ name, form }) => `${name} is in ${where}, ${form}`);

type Found = { name: string; form: string };

/** Looks for all encodings of all secrets in one pass: one after the other, thousands of them would take minutes. */
function search(bytes: Buffer, secrets: Map<string, Buffer>): Found[] {
  const byStart = new Map<number, (Found & { encoded: Buffer })[]>();
  const mayStart = new Uint8Array(2 ** 20); // spares most look-ups
  const slotOf = (fourBytes: number) => Math.imul(fourBytes, 0x9e3779b1) >>> 12;
  for (const [name, secret] of secrets)
    for (const [form, encoded] of encodingsOf(secret)) {
      const start = encoded.readInt32BE();
      mayStart[slotOf(start)] = 1;
      byStart.set(start, [...(byStart.get(start) ?? []), { name, form, encoded }]);
    }
  const found = new Map<string, Found>();
  let lastFour = 0;
  for (let at = 0; at < bytes.length; at++) {
    lastFour = (lastFour << 8) | (bytes[at] ?? 0);
    if (mayStart[slotOf(lastFour)] === 0 || at < 3) continue;
    for (const { name, form, encoded } of byStart.get(lastFour) ?? [])
      if (encoded.equals(bytes.subarray(at - 3, at - 3 + encoded.length)))
        found.set(`${name} ${form}`, { name, form });
  }
  return [...found.values()];
}

async function dumpOf({ urls: [url = ''] }: TestedDatabase): Promise<Buffer> {
  if (url.startsWith('sqlite:')) {
    const path = url.slice('sqlite:'.length);
    const files = await Promise.all(
      ['', '-wal'].map((end) => readFile(path + end).catch(() => Buffer.alloc(0))),
    );
    return Buffer.concat(files);
  }
  const { port, pathname } = new URL(url);
  const args = ['--no-defaults', '-uroot', '-h127.0.0.1', `-P${port}`, '--hex-blob', pathname.slice(1)];
  const { stdout } = await promisify(execFile)('mariadb-dump', args, {
    encoding: 'buffer',
    maxBuffer: 1024 ** 3,
  });
  return stdout;
}
