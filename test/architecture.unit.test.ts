import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What every room may import: nothing in these knows anything of the product. */
const floors = ['errors.ts', 'problems.ts', 'time.ts', 'timeLimit.ts', 'retry.ts', 'text.ts'];

/** Room → the rooms, or the files of rooms, and the packages that it may import besides itself and the floors. */
const borders: Record<string, { rooms: string[]; packages: string[] }> = {
  client: { rooms: [], packages: [] },
  mcp: { rooms: ['client/client.ts'], packages: [] },
  'errors.ts': { rooms: [], packages: [] },
  'problems.ts': { rooms: [], packages: [] },
  'time.ts': { rooms: [], packages: [] },
  'timeLimit.ts': { rooms: [], packages: [] },
  'retry.ts': { rooms: [], packages: [] },
  'text.ts': { rooms: [], packages: [] },
  locales: { rooms: [], packages: [] },
  crypto: { rooms: [], packages: ['bcrypt', 'uuid'] },
  database: { rooms: ['crypto'], packages: ['sequelize', 'libsql'] },
  domain: { rooms: ['database', 'crypto'], packages: ['sequelize', 'zod', 'ipaddr.js'] },
  http: {
    rooms: ['domain/index.ts', 'locales'],
    packages: ['koa', '@koa/router', '@fastify/busboy', 'proxy-addr', 'ipaddr.js'],
  },
  api: { rooms: ['domain/index.ts', 'http', 'locales'], packages: ['koa', '@koa/router', 'zod'] },
  web: {
    rooms: ['domain/index.ts', 'http', 'locales'],
    packages: ['koa', '@koa/router', 'bowser', 'preact', 'preact-render-to-string', 'qr'],
  },
  bots: { rooms: ['domain/index.ts', 'locales'], packages: [] },
  'bots/bots.ts': { rooms: ['bots', 'bots/slack', 'bots/discord', 'domain/index.ts'], packages: [] },
  'bots/slack': {
    rooms: ['bots', 'domain/index.ts', 'locales'],
    packages: ['@slack/bolt', '@slack/oauth', '@slack/socket-mode'],
  },
  'bots/discord': {
    rooms: ['bots', 'domain/index.ts', 'locales'],
    packages: ['discord.js', '@discordjs/ws'],
  },
  webhooks: { rooms: ['domain/index.ts'], packages: ['standardwebhooks'] },
  scheduler: { rooms: ['domain/index.ts', 'database', 'crypto'], packages: ['agenda', 'luxon', 'sequelize'] },
  stores: { rooms: ['domain/index.ts'], packages: ['@aws-sdk/client-s3'] },
  places: { rooms: ['domain/index.ts'], packages: ['mmdb-lib'] },
  backup: { rooms: ['domain/index.ts', 'database'], packages: ['modern-tar', 'zod'] },
  runtime: { rooms: ['config.ts', 'domain/index.ts', 'crypto'], packages: ['pino', 'prom-client'] },
  config: {
    rooms: ['domain/index.ts', 'bots/slack/settings.ts', 'bots/discord/settings.ts'],
    packages: ['zod', 'proxy-addr'],
  },
  'config.ts': {
    rooms: ['config', 'domain/index.ts', 'bots/slack/settings.ts', 'bots/discord/settings.ts'],
    packages: ['zod', 'proxy-addr'],
  },
};

/** Names that only these files may import: the ways to what is sealed. */
const guarded = new Map([
  ['openPayload', ['domain/pushes/claim.ts']],
  ['openFilesKey', ['domain/pushes/claim.ts']],
  ['openViewCopy', ['domain/pushes/spentNonces.ts']],
  ['openGrant', ['domain/files/downloads.ts']],
  ['reseal', ['domain/keys/reseal.ts']],
]);

/**
 * The packages that a process loads before it does anything else: for every command, for a command that needs the
 * database, and for each kind of process that serves. What is rarely needed is loaded when it is.
 */
const forData = ['bcrypt', 'ipaddr.js', 'proxy-addr', 'sequelize', 'uuid', 'zod'];
const forHttp = ['@fastify/busboy', '@koa/router', 'koa'];
const loadedFirst = {
  'main.ts': ['commander'],
  'service.ts': forData,
  'supervise.ts': ['pino', 'proxy-addr', 'zod'],
  'run.ts': [...forData, 'pino', 'prom-client', 'standardwebhooks'],
  'serveMonitoring.ts': [...forData, ...forHttp],
  'serveWeb.ts': [...forData, ...forHttp, 'bowser', 'preact-render-to-string', 'qr'],
};

/** `isLoaded` if the file that imports it cannot start without it: not for types, and not for `await import`. */
type Import = { from: string; to: string; names: string[]; isLoaded: boolean };

describe('The architecture', () => {
  const imports = readImports(join(root, 'src'));

  it('lets each room import only what its place in the house allows', () => {
    expect(imports.flatMap((one) => crossing(one))).to.deep.equal([]);
  });

  it('has no import cycle, not even of types', () => {
    expect(cycles(imports)).to.deep.equal([]);
  });

  it('loads at the start of a process what it needs, and no more', () => {
    for (const [file, packages] of Object.entries(loadedFirst))
      expect([...packagesLoadedBy(file, imports)], file).to.have.members(packages);
  });

  it('loads the pages of documentation only once they are read', () => {
    const loaded = new Set<string>();
    packagesLoadedBy('serveWeb.ts', imports, loaded);
    const isRarelyRead = (file: string) => /^(?:api\/openapi|web\/pages\/(?:docs|style))\//.test(file);
    expect([...loaded]).to.include('web/web.ts');
    expect([...loaded].filter(isRarelyRead)).to.deep.equal([]);
  });

  it('lets only a claim open a payload', () => {
    expect(imports.flatMap((one) => unguarded(one))).to.deep.equal([]);
  });

  it('normalizes text only where its length is bounded', () => {
    const normalizing = sourceFiles(join(root, 'src')).filter((file) =>
      /\.normalize\(/.test(readFileSync(file, 'utf8')),
    );
    expect(normalizing.map((file) => relative(join(root, 'src'), file))).to.deep.equal(['text.ts']);
  });

  it('exports no name twice', () => {
    expect(duplicates(sourceFiles(join(root, 'src')))).to.deep.equal([]);
  });

  it('notices each thing that it forbids', () => {
    const broken: Import[] = [
      { from: 'domain/pushes/claim.ts', to: 'koa', names: [], isLoaded: true },
      { from: 'domain/pushes/claim.ts', to: 'api/api.ts', names: [], isLoaded: true },
      { from: 'api/routes/pushes.ts', to: 'domain/pushes/claim.ts', names: [], isLoaded: true },
      { from: 'bots/slack/slack.ts', to: 'bots/discord/discord.ts', names: [], isLoaded: true },
      { from: 'crypto/cipher.ts', to: 'domain/index.ts', names: [], isLoaded: true },
      { from: 'web/web.ts', to: 'sequelize', names: [], isLoaded: true },
    ];
    for (const one of broken) expect(crossing(one), `${one.from} imports ${one.to}`).to.have.length(1);
    expect(
      unguarded({ from: 'cli/doctor.ts', to: 'crypto/cipher.ts', names: ['openPayload'], isLoaded: true }),
    ).to.have.length(1);
    const loop = ['a.ts', 'b.ts', 'c.ts'];
    expect(
      cycles(
        loop.map((from, index) => ({ from, to: String(loop[(index + 1) % 3]), names: [], isLoaded: true })),
      ),
    ).to.have.length(1);
  });
});

function crossing({ from, to }: Import): string[] {
  const room = roomOf(from);
  const allowed = borders[room];
  if (allowed === undefined) return []; // main.ts and the commands wire everything
  if (isPackage(to)) {
    return allowed.packages.includes(packageOf(to)) ? [] : [`${from} imports ${packageOf(to)}`];
  }
  const isAllowed =
    floors.includes(to) ||
    roomOf(to) === room ||
    allowed.rooms.some((one) => to === one || roomOf(to) === one);
  return isAllowed ? [] : [`${from} imports ${to}`];
}

function unguarded({ from, names }: Import): string[] {
  return names.flatMap((name) => {
    const importers = guarded.get(name);
    return importers === undefined || importers.includes(from) ? [] : [`${from} imports ${name}`];
  });
}

/** The room of a file: the longest path of the table that it lies in. */
function roomOf(path: string): string {
  const rooms = Object.keys(borders).filter((room) => path === room || path.startsWith(`${room}/`));
  return rooms.sort((a, b) => b.length - a.length)[0] ?? path.split('/')[0] ?? path;
}

function cycles(all: Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of all) if (!isPackage(to)) next.set(from, [...(next.get(from) ?? []), to]);
  const state = new Map<string, 'open' | 'closed'>();
  const found: string[] = [];
  const visit = (file: string, path: string[]) => {
    if (state.get(file) === 'closed') return;
    if (state.get(file) === 'open') {
      found.push([...path.slice(path.indexOf(file)), file].join(' → '));
      return;
    }
    state.set(file, 'open');
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    state.set(file, 'closed');
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}

function packagesLoadedBy(file: string, all: Import[], seen = new Set<string>()): Set<string> {
  seen.add(file);
  const found = new Set<string>();
  for (const { from, to, isLoaded } of all) {
    if (from !== file || !isLoaded || seen.has(to)) continue;
    if (isPackage(to)) found.add(packageOf(to));
    else for (const name of packagesLoadedBy(to, all, seen)) found.add(name);
  }
  return found;
}

function duplicates(files: string[]): string[] {
  const owners = new Map<string, string[]>();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const exported =
      /^export (?:async )?(?:declare )?(?:function\*?|const|let|class|type|interface) ([\w$]+)/gm;
    const factories = /^(?:async )?function (create[A-Z]\w*)/gm;
    const names = [...text.matchAll(exported), ...text.matchAll(factories)].map(([, name]) => String(name));
    for (const name of names) owners.set(name, [...(owners.get(name) ?? []), relative(root, file)]);
  }
  return [...owners]
    .filter(([, where]) => where.length > 1)
    .map(([name, where]) => `${name}: ${where.join(', ')}`);
}

function readImports(dir: string): Import[] {
  return sourceFiles(dir).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const statements =
      /^(?:import|export)\s(?:type\s)?([\w$*{}\s,]*?)\sfrom\s'([^']+)'|^import\s'([^']+)'|\bimport\(\s*'([^']+)'/gm;
    return [...text.matchAll(statements)].flatMap(([statement, clause = '', named, bare, lazy]) => {
      const to = String(named ?? bare ?? lazy);
      if (to.startsWith('node:')) return [];
      const names = clause.match(/[A-Za-z_$][\w$]*/g) ?? [];
      const isLoaded = lazy === undefined && !/^(?:import|export)\stype\s/.test(statement);
      const target = to.startsWith('.') ? relative(dir, resolve(dirname(file), to)) : `package:${to}`;
      return [{ from: relative(dir, file), to: target, names, isLoaded }];
    });
  });
}

const isPackage = (to: string) => !/\.(?:tsx?|js|css)$/.test(to) || to.startsWith('package:');

function packageOf(to: string): string {
  const parts = to.replace(/^package:/, '').split('/');
  return parts.slice(0, parts[0]?.startsWith('@') ? 2 : 1).join('/');
}

function sourceFiles(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    if (statSync(path).isDirectory()) return name === 'public' ? [] : sourceFiles(path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}
