import type { Fields } from '../../shared/json.ts';
import type { Platform } from '../platform.ts';
import type { Grant, SharedFile } from '../things.ts';
import { type Methods, Refused } from './method.ts';

export const readScope = 'files:read';

export const files: Methods = {
  'files.info': {
    by: 'bot',
    scopes: [readScope],
    run: ({ world, at }, grant, args) => {
      const file = world.files.get(String(args.file));
      if (!file || !canRead(grant, file)) throw new Refused('file_not_found');
      return { file: presentFile(at.url, file) };
    },
  },
};

/** An app reads the files of its forms, and of conversations that it was added to. */
const canRead = (grant: Grant, { conversation }: SharedFile): boolean =>
  conversation === undefined || conversation.members.has(grant.bot);

/** https://docs.slack.dev/reference/objects/file-object */
export function presentFile(url: string, { id, name, mimetype, content, user }: SharedFile): Fields {
  const path = `${url}/files-pri/${user.team.id}-${id}`;
  const created = Math.floor(Date.now() / 1_000);
  return {
    ...{ id, created, timestamp: created, name, title: name, mimetype, filetype: name.split('.').at(-1) },
    ...{ user: user.id, user_team: user.team.id, mode: 'hosted', is_external: false },
    size: Buffer.byteLength(content),
    url_private: `${path}/${encodeURIComponent(name)}`,
    permalink: `${url}/files/${user.id}/${id}/${encodeURIComponent(name)}`,
    url_private_download: `${path}/download/${encodeURIComponent(name)}`,
  };
}

/** The content of a file. Who may not read it is sent to a page for signing in. */
export function download({ world, at }: Platform, path: string, token: string | undefined) {
  const [, id = ''] = /^\/files-pri\/\w+-(\w+)\//.exec(path) ?? [];
  const file = world.files.get(id);
  const grant = world.tokens.get(token ?? '')?.grant;
  if (!file || !grant?.scopes.includes(readScope) || !canRead(grant, file))
    return { status: 302, headers: { location: `${at.url}/?redir=${encodeURIComponent(path)}` }, text: '' };
  return { status: 200, headers: { 'content-type': file.mimetype }, text: file.content };
}
