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
  const links = some.flatMap(({ urlToken, recipients }) => [
    urlToken,
    ...recipients.slice(0, 2).map(({ path }) => path.slice('/p/'.length)),
  ]);
  const withLinks = new Map([
    ...secrets,
    ...links.map((link): [string, Buffer] => [`the link ${link}`, Buffer.from(link)]),
  ]);
  const mails = Buffer.concat([...arrived.map(({ raw }) => raw), ...queues]);
  const texts: string[] = [];
  for (const { raw } of arrived) texts.push(await textOf(raw));
  const decoded = Buffer.from(texts.join('\n'));
  const unseen = some.flatMap(({ recipients }) => recipients).filter(({ path }) => !decoded.includes(path));
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
  [...secrets].flatMap(([name, secret]) =>
    [...encodingsOf(secret)]
      .filter(([, form]) => bytes.includes(form))
      .map(([form]) => `${name} is in ${where}, ${form}`),
  );

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
