import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What every room but the client may import: nothing in these knows anything of the product. */
const floors = [
  ...['errors.ts', 'problems.ts', 'time.ts', 'retry.ts', 'text.ts'],
  ...['platforms.ts', 'mailAddress.ts', 'client/url.ts'],
];

/** Room → the rooms, or the files of rooms, and the packages that it may import besides itself and the floors. */
const borders: Record<string, { rooms: string[]; packages: string[] }> = {
  client: { rooms: [], packages: ['hpke'] },
  mcp: { rooms: ['client/client.ts', 'client/encryption.js', 'client/pages.ts'], packages: [] },
  'errors.ts': { rooms: [], packages: [] },
  'problems.ts': { rooms: [], packages: [] },
  'time.ts': { rooms: [], packages: [] },
  'retry.ts': { rooms: [], packages: [] },
  'text.ts': { rooms: [], packages: [] },
  'platforms.ts': { rooms: [], packages: [] },
  'mailAddress.ts': { rooms: [], packages: [] },
  locales: { rooms: [], packages: ['bowser'] },
  look: { rooms: ['locales'], packages: ['culori', 'zod'] },
  crypto: { rooms: [], packages: ['bcrypt', 'uuid'] },
  database: { rooms: ['crypto'], packages: ['sequelize', 'libsql'] },
  domain: {
    rooms: ['database', 'crypto'],
    packages: ['sequelize', 'zod', 'ipaddr.js', 'otpauth', '@simplewebauthn/server'],
  },
  http: {
    rooms: ['domain/index.ts', 'locales', 'look/look.ts'],
    packages: ['koa', '@koa/router', '@fastify/busboy', 'proxy-addr', 'ipaddr.js'],
  },
  api: {
    rooms: ['domain/index.ts', 'http', 'locales', 'client/safeFilename.js'],
    packages: ['koa', '@koa/router', 'zod'],
  },
  web: {
    rooms: [
      'domain/index.ts',
      'http',
      'locales',
      'look',
      'client/findKey.js',
      'client/links.ts',
      'client/safeFilename.js',
    ],
    packages: ['koa', '@koa/router', 'preact', 'preact-render-to-string', 'qr'],
  },
  bots: { rooms: ['domain/index.ts', 'locales', 'look/look.ts'], packages: ['zod'] },
  'bots/chatModules.ts': {
    rooms: ['bots', 'bots/slack', 'bots/discord', 'bots/mattermost', 'config/values.ts'],
    packages: ['zod'],
  },
  'bots/slack': {
    rooms: ['bots', 'domain/index.ts', 'locales', 'config/values.ts'],
    packages: ['@slack/bolt', '@slack/oauth', '@slack/socket-mode', 'undici', 'zod'],
  },
  'bots/discord': {
    rooms: ['bots', 'domain/index.ts', 'locales', 'config/values.ts'],
    packages: ['discord.js', '@discordjs/ws', 'zod'],
  },
  'bots/mattermost': {
    rooms: ['bots', 'domain/index.ts', 'locales', 'config/values.ts'],
    packages: ['@mattermost/types', 'zod'],
  },
  outgoing: { rooms: ['domain/index.ts'], packages: [] },
  webhooks: { rooms: ['domain/index.ts', 'outgoing'], packages: ['standardwebhooks'] },
  mail: {
    rooms: ['config.ts', 'domain/index.ts', 'locales', 'look/look.ts'],
    packages: ['nodemailer', 'preact', 'preact-render-to-string'],
  },
  scheduler: { rooms: ['domain/index.ts', 'database', 'crypto'], packages: ['agenda', 'luxon', 'sequelize'] },
  stores: { rooms: ['domain/index.ts'], packages: ['@aws-sdk/client-s3'] },
  places: { rooms: ['domain/index.ts'], packages: ['mmdb-lib'] },
  oidc: { rooms: ['config.ts', 'domain/index.ts', 'outgoing'], packages: ['openid-client', 'jose'] },
  backup: { rooms: ['domain/index.ts', 'database'], packages: ['modern-tar', 'zod'] },
  runtime: {
    rooms: ['config.ts', 'domain/index.ts', 'crypto'],
    packages: ['hpagent', 'pino', 'prom-client', 'undici'],
  },
  config: {
    rooms: ['domain/index.ts', 'bots/chatModules.ts', 'bots/chatModule.ts'],
    packages: ['zod', 'proxy-addr'],
  },
  'config.ts': {
    rooms: ['config', 'domain/index.ts', 'bots/chatModules.ts', 'bots/chatModule.ts'],
    packages: [],
  },
  'main.ts': { rooms: ['cli/program.ts', 'service.ts', 'start.ts', 'runtime/startup.ts'], packages: [] },
  'start.ts': { rooms: ['config.ts', 'runtime', 'run.ts'], packages: [] },
  'run.ts': {
    rooms: ['config.ts', 'config/checks.ts', 'runtime', 'service.ts', 'scheduler', 'web.ts', 'monitoring.ts'],
    packages: ['pino'],
  },
  'service.ts': {
    rooms: [
      ...['config.ts', 'runtime', 'database', 'domain/index.ts', 'stores', 'places', 'look', 'http/links.ts'],
      ...['bots/bots.ts', 'webhooks', 'mail', 'scheduler', 'oidc'],
    ],
    packages: [],
  },
  'monitoring.ts': {
    rooms: ['config.ts', 'runtime', 'service.ts', 'bots/bots.ts', 'http'],
    packages: ['koa', 'pino'],
  },
  'web.ts': {
    rooms: [
      'config.ts',
      'runtime',
      'domain/index.ts',
      'http',
      'api',
      'web',
      'bots/endpoint.ts',
      'monitoring.ts',
    ],
    packages: ['koa'],
  },
  cli: {
    rooms: [
      ...[
        'config.ts',
        'service.ts',
        'domain/index.ts',
        'runtime',
        'backup',
        'crypto/backupSeal.ts',
        'bots/mattermost/setup/setup.ts',
        'mail',
        'locales',
        'look',
      ],
      ...['cli/client', 'cli/doctor/doctor.ts'],
    ],
    packages: ['commander'],
  },
  'cli/client': {
    rooms: [
      ...['client', 'mcp/server.ts', 'runtime/package.ts'],
      ...['cli/output.ts', 'cli/hiddenPrompt.ts', 'cli/consent.ts', 'cli/cancelled.ts'],
    ],
    packages: ['commander', 'undici', 'qr'],
  },
  'cli/doctor': {
    rooms: [
      ...['cli', 'config.ts', 'config/checks.ts', 'service.ts', 'domain/index.ts', 'places/geoDatabase.ts'],
      ...['look/readLook.ts', 'bots/chatModule.ts', 'bots/failure.ts', 'mail'],
    ],
    packages: ['commander'],
  },
};

/**
 * The floors of the domain, from the ground up. A room imports only those before it, each through its `index.ts`; the files
 * of the domain's own folder put them together.
 */
const domainFloors = [
  ...[
    'base',
    'people',
    'audit',
    'limits',
    'outbox',
    'mail',
    'accounts',
    'files',
    'pushes',
    'requests',
    'workspaces',
  ],
  ...['chat', 'delivery', 'webhooks', 'keys', 'processes'],
  ...['restoration.ts', 'tables.ts', 'orphans.ts', 'domain.ts', 'index.ts'],
];

/** Names that only these files may import: the ways to what is sealed. */
const guarded = new Map([
  ['openPayload', ['domain/pushes/claim/claim.ts']],
  ['openFilesKey', ['domain/pushes/claim/claim.ts']],
  ['openSender', ['domain/pushes/claim/claim.ts']],
  ['openViewCopy', ['domain/pushes/claim/nonces.ts']],
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
  'start.ts': ['pino', 'proxy-addr', 'zod'],
  'run.ts': [...forData, 'pino', 'prom-client'],
  'monitoring.ts': [...forData, ...forHttp],
  'web.ts': [...forData, ...forHttp, 'bowser', 'preact-render-to-string', 'qr'],
};

/** `isLoaded` if the file that imports it cannot start without it: not for types, and not for `await import`. */
type Import = { from: string; to: string; names: string[]; isLoaded: boolean };

describe('The architecture', () => {
  const imports = readImports(join(root, 'src'));

  it('lets each room import only what its place in the house allows', () => {
    expect(imports.flatMap((one) => crossing(one))).to.deep.equal([]);
  });

  it('lets each room of the domain import only those below it, through their doors', () => {
    expect(imports.flatMap((one) => climbing(one))).to.deep.equal([]);
    const rooms = readdirSync(join(root, 'src/domain'));
    expect(rooms, 'each room has its floor').to.have.members(domainFloors);
  });

  it('has its rooms in the order that CONTRIBUTING.md draws', () => {
    const rooms = domainFloors.filter((floor) => !floor.endsWith('.ts')).join(' → ');
    expect(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').replaceAll(/\s+/g, ' ')).to.include(rooms);
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
    packagesLoadedBy('web.ts', imports, loaded);
    const isRarelyRead = (file: string) => /^(?:api\/openapi|web\/pages\/docs)\//.test(file);
    expect([...loaded]).to.include('web/web.ts');
    expect([...loaded].filter(isRarelyRead)).to.deep.equal([]);
  });

  it('lets only a claim open a payload', () => {
    expect(imports.flatMap((one) => unguarded(one))).to.deep.equal([]);
  });

  /** The source files with a pattern. */
  const filesWith = (pattern: RegExp) =>
    sourceFiles(join(root, 'src'))
      .filter((file) => pattern.test(readFileSync(file, 'utf8')))
      .map((file) => relative(join(root, 'src'), file));

  it('normalizes text only where its length is bounded', () => {
    expect(filesWith(/\.normalize\(/)).to.deep.equal(['text.ts']);
  });

  it('leaves it to client/url.ts whether a text is a URL', () => {
    expect(filesWith(/canParse\(/)).to.deep.equal([]);
  });

  it('describes the tables of each room in its tables.ts', () => {
    expect(strayTables(sourceFiles(join(root, 'src/domain')))).to.deep.equal([]);
  });

  it('exports no name twice', () => {
    expect(duplicates(sourceFiles(join(root, 'src')))).to.deep.equal([]);
  });

  it('notices each thing that it forbids', () => {
    const broken: Import[] = [
      { from: 'domain/pushes/claim/claim.ts', to: 'koa', names: [], isLoaded: true },
      { from: 'domain/pushes/claim/claim.ts', to: 'api/api.ts', names: [], isLoaded: true },
      { from: 'api/routes/pushes.ts', to: 'domain/pushes/claim/claim.ts', names: [], isLoaded: true },
      { from: 'bots/slack/slack.ts', to: 'bots/discord/discord.ts', names: [], isLoaded: true },
      { from: 'crypto/cipher.ts', to: 'domain/index.ts', names: [], isLoaded: true },
      { from: 'web/web.ts', to: 'sequelize', names: [], isLoaded: true },
      { from: 'run.ts', to: 'cli/output.ts', names: [], isLoaded: true },
      { from: 'service.ts', to: 'domain/keys/index.ts', names: [], isLoaded: true },
      { from: 'cli/keys.ts', to: 'domain/keys/index.ts', names: [], isLoaded: true },
      { from: 'cli/client/push.ts', to: 'service.ts', names: [], isLoaded: true },
      { from: 'client/links.ts', to: 'text.ts', names: [], isLoaded: true },
      { from: 'other.ts', to: 'time.ts', names: [], isLoaded: true },
    ];
    for (const one of broken) expect(crossing(one), `${one.from} imports ${one.to}`).to.have.length(1);
    const upward = { from: 'domain/pushes/reveal.ts', to: 'domain/chat/index.ts', names: [], isLoaded: true };
    const deep = { from: 'domain/chat/chat.ts', to: 'domain/pushes/reveal.ts', names: [], isLoaded: true };
    for (const one of [upward, deep])
      expect(climbing(one), `${one.from} imports ${one.to}`).to.have.length(1);
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
  if (allowed === undefined) return [`${from} has no row`];
  if (isPackage(to)) {
    return allowed.packages.includes(packageOf(to)) ? [] : [`${from} imports ${packageOf(to)}`];
  }
  const isAllowed =
    (floors.includes(to) && room !== 'client') || // which others take out of the package, alone
    roomOf(to) === room ||
    allowed.rooms.some((one) => to === one || roomOf(to) === one);
  return isAllowed ? [] : [`${from} imports ${to}`];
}

function climbing({ from, to }: Import): string[] {
  const [floor, target] = [from, to].map((path) => /^domain\/([^/]+)/.exec(path)?.[1]);
  if (floor === undefined || target === undefined || floor === target) return [];
  const isBelow = domainFloors.indexOf(target) < domainFloors.indexOf(floor);
  const isDoor = target.endsWith('.ts') || to === `domain/${target}/index.ts`;
  return isBelow && isDoor ? [] : [`${from} imports ${to}`];
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

const strayTables = (files: string[]) =>
  files
    .filter((file) => !file.endsWith('/tables.ts') && /\btable\(\s*'/.test(readFileSync(file, 'utf8')))
    .map((file) => relative(root, file));

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
