import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ensureBuilt } from '../harness/build.ts';
import { onMariadb } from '../harness/database.ts';
import { type Block, blocksOf } from './blocks.ts';
import { commandsOf, isSettings, openPage, type Preparation } from './page.ts';

const root = join(import.meta.dirname, '..', '..');

const pages = [
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'deploy/README.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map((path) => ({ path, blocks: blocksOf(readFileSync(join(root, path), 'utf8')) }));

const account = 'npx hushpush admin account create you@example.com --subscribed --json';
const push = "curl -H 'Authorization: Bearer TOKEN' -d 'password[payload]=x' http://127.0.0.1:5100/p.json";

const preparations: Record<string, Preparation> = {
  'docs/api.md': { commands: [account, push] },
  'docs/ci.md': { commands: [account] },
  'docs/client.md': {
    commands: [account, push],
    inputs: {
      'hushpush sign-in': 'TOKEN\n',
      'hushpush push ': 'the secret',
      'hushpush push --attach': 'open',
    },
    files: ['id_ed25519', 'dump.sql.gz', 'passphrase'],
  },
  'docs/migrate.md': { commands: [account] },
  'docs/operate.md': { inputs: { 'npx hushpush admin account password': 'correct horse battery\n' } },
  'docs/sign-in.md': { commands: [account] },
  'docs/use.md': { files: ['server.pem', 'dump.sql.gz'] },
  'docs/webhooks.md': { commands: [account] },
};

/** What is not run here: its page, its first words, and the reason. */
const notRun: [page: string, words: string, reason: string][] = [
  ['README.md', 'npm ci && npm test', 'it runs this test'],
  ['CONTRIBUTING.md', '', 'it is for those who work on these sources, and runs this test'],
  ['deploy/README.md', 'docker compose', '`npm run prove -- compose` starts both files'],
  ['deploy/README.md', 'DOMAIN=', '`npm run prove -- compose` starts both files'],
  ['deploy/README.md', 'deploy/compose/secrets.sh', '`npm run prove -- compose` runs it'],
  ['deploy/README.md', 'docker', '`npm run prove -- image` runs it, word for word'],
  ['deploy/README.md', 'npm ', 'the test of the image runs the same in the Dockerfile'],
  ['deploy/README.md', 'install ', 'it changes the machine; a test lets systemd check the unit'],
  ['deploy/README.md', 'systemd-run', 'it needs a machine that systemd has started'],
  ['deploy/README.md', 'systemctl', 'it needs a machine that systemd has started'],
  ['deploy/README.md', 'kubectl', 'it needs a cluster; a test puts the manifests together and checks them'],
  ['deploy/README.md', '- id: push', 'the test of the action runs its steps'],
  [
    'docs/api.md',
    "curl -H 'Authorization: Bearer TOKEN' -d 'request[from]=",
    'it needs a chat, as test/api has',
  ],
  ['docs/ci.md', 'permissions:', 'test/docs runs it with an issuer of its own'],
  ['docs/ci.md', 'push:', 'test/docs runs it with an issuer of its own'],
  ['docs/ci.md', 'spec:', 'test/docs runs it with an issuer of its own'],
  ['docs/ci.md', 'curl', 'test/oidc sends the same'],
  ['docs/client.md', 'npm run package', 'the test of the package installs it'],
  ['docs/client.md', 'hushpush push --to', 'it needs a mail server; test/cli runs it with one'],
  ['docs/client.md', 'hushpush request', 'it needs a chat, as test/cli has'],
  ['docs/client.md', 'hushpush answer', 'it needs a request link, as test/cli has'],
  ['docs/client.md', 'hushpush cancel', 'it needs a chat, as test/cli has'],
  ['docs/mail.md', 'hushpush', 'it needs a mail server; test/cli runs both with one'],
  [
    'docs/mail.md',
    'npx hushpush admin account notifications',
    'it needs a confirmed address, as test/cli has',
  ],
  ['docs/mattermost.md', 'hushpush', 'it needs Mattermost; test/cli runs both with its stand-in'],
  ['docs/migrate.md', "curl -u 'USER:TOKEN'", 'it is for Onetime Secret'],
  ['docs/performance.md', '', 'it takes minutes to hours'],
  ['docs/sign-in.md', 'hushpush admin account remove-factors', 'it needs a second factor, as test/cli has'],
  ['docs/sign-in.md', 'hushpush admin account disconnect', 'it needs an identity, as test/cli has'],
  ['docs/start.md', 'npm install --global', 'the test of the package installs it'],
  ['docs/webhooks.md', 'POST /hook', 'it shows what is sent, which test/webhooks receives'],
  ['docs/webhooks.md', 'import', 'a test of the documentation verifies signatures with it'],
];

const partsOf = ({ language, text }: Block) =>
  language === 'sh' && !isSettings(text) ? commandsOf(text) : [text];

const reasonFor = (path: string, part: string) =>
  notRun.find(([page, words]) => page === path && part.startsWith(words));

/** Blocks without a language show output, a file or a drawing. */
const shownOnly = '';

// What the pages say does not depend on the database.
const describeOnce = onMariadb ? () => {} : describe;

for (const { path, blocks } of pages) {
  const toRun = blocks
    .filter(({ language }) => language !== shownOnly)
    .flatMap((block) => partsOf(block).map((part) => ({ ...block, part })))
    .filter(({ part }) => reasonFor(path, part) === undefined);
  if (toRun.length === 0) continue;

  describeOnce(`A reader who follows ${path}`, () => {
    let page: Awaited<ReturnType<typeof openPage>>;

    before(async () => {
      ensureBuilt();
      page = await openPage(preparations[path]);
    });

    after(() => page?.close());

    const run: Record<string, (text: string) => unknown> = {
      js: (text) => page.runModule(text),
      json: JSON.parse,
      sh: (text) => (isSettings(text) ? page.set(text) : page.run(text)),
    };

    for (const { language, line, part } of toRun) {
      it(`succeeds with ${part.trim().split('\n')[0]} (line ${line})`, async () => {
        expect(run).to.include.keys(language);
        await run[language]?.(part);
      });
    }
  });
}

describeOnce('The list of what tests of the documentation do not run', () => {
  it('has nothing that the pages do not have', () => {
    const parts = pages.flatMap(({ path, blocks }) =>
      blocks.flatMap(partsOf).map((part) => ({ path, part })),
    );
    const used = new Set(parts.map(({ path, part }) => reasonFor(path, part)));
    expect(notRun.filter((entry) => !used.has(entry))).to.deep.equal([]);
  });
});
