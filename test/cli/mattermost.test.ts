import { expect } from 'chai';
import { startMattermost } from '../../tools/standins/mattermost/mattermost.ts';
import { startStage } from '../bots/mattermost/stage.ts';
import { openFolder } from '../harness/cli.ts';

const baseUrl = 'https://push.example.com';

describe('mattermost setup', () => {
  it('creates the bot, a token, and a command in each team, prints the settings, and removes it all', async () => {
    const mattermost = await startMattermost();
    const { platform, url } = mattermost;
    const [admin, alice] = [mattermost.user('root', { isSystemAdmin: true }), mattermost.user('alice')];
    const tokens = { admin: 'a'.repeat(26), alice: 'b'.repeat(26) };
    platform.tokens.set(tokens.admin, admin.user).set(tokens.alice, alice.user);
    platform.bot.username = 'another';
    const folder = await openFolder({ BASE_URL: baseUrl });
    const run = (args: string, token: string) =>
      folder.run(`admin mattermost setup ${url}${args} --stdin`, { input: `${token}\n` });
    try {
      const done = await run(' --team acme', tokens.admin);
      expect(done.stdout).to.match(
        /created the bot @hushpush\n- created a token for it\n- created the command \/push in the team acme\n/,
      );
      const settings = Object.fromEntries(
        [...done.stdout.matchAll(/^(MATTERMOST_\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
      );
      expect(settings).to.include({
        MATTERMOST_URL: url,
        MATTERMOST_COMMAND_TOKENS: platform.commands[0]?.token,
      });
      expect(platform.tokens.get(settings.MATTERMOST_TOKEN ?? '')?.username).to.equal('hushpush');
      expect(platform.commands.map((each) => each.url)).to.eql([`${baseUrl}/mattermost/commands`]);

      expect((await run('', tokens.admin)).stdout).to.match(/found the bot .*\n.*\n- found the command/);
      expect(platform.commands).to.have.length(1);
      const unknown = await run(' --team nowhere', tokens.admin);
      expect([unknown.code, unknown.stderr]).to.eql([
        1,
        'hushpush: Mattermost responded with 404 the admin is in no team nowhere\n',
      ]);
      expect((await run('', tokens.alice)).stderr).to.match(/not that of a system admin/);
      expect((await run('', 'c'.repeat(26))).stderr).to.match(/401/);

      const removed = await run(' --remove', tokens.admin);
      expect(removed.stdout).to.match(
        /deleted the command \/push of the team acme\n- revoked the tokens of the bot/,
      );
      expect([platform.commands.length, platform.tokens.has(settings.MATTERMOST_TOKEN ?? '')]).to.eql([
        0,
        false,
      ]);
      expect((await run(' --remove', tokens.admin)).stdout).to.equal('There was nothing to remove.\n');
    } finally {
      await Promise.all([folder.remove(), mattermost.stop()]);
    }
    mattermost.verify({ secrets: [], logs: [] });
  });
});

describe('doctor with a Mattermost server', () => {
  it('tries eight things that hushpush needs, says which differ, and leaves nothing behind', async () => {
    const stage = await startStage();
    const { mattermost, service, url } = stage;
    const alice = mattermost.user('alice');
    const folder = await openFolder({ ...service.shared, BASE_URL: url, ...stage.environment });
    const rehearsed = async () => {
      const { stdout } = await folder.run('doctor --mattermost alice --json');
      const found = JSON.parse(stdout) as { check: string; state: string; finding: string }[];
      return found.filter(({ check }) => check.startsWith('Mattermost,'));
    };
    try {
      const found = await rehearsed();
      expect(found.map(({ check }) => check.replace('Mattermost, ', ''))).to.eql([
        ...['name', 'zone', 'post', 'edit', 'thread', 'file', 'dialog', 'button'],
      ]);
      expect(found.filter(({ state }) => state !== 'ok')).to.eql([]);
      expect(alice.dms.count).to.equal(0);
      mattermost.disturb('PatchPost', { status: 501 });
      mattermost.platform.commands.splice(0);
      expect(
        (await rehearsed())
          .filter(({ state }) => state !== 'ok')
          .map(({ check, finding }) => `${check}: ${finding}`),
      ).to.eql(['Mattermost, edit: Mattermost responded with 501 fault']);
      const off = await folder.run('doctor --mattermost nobody');
      expect([off.code, off.stdout]).to.have.property('0', 1);
      expect(off.stdout).to.match(/FAILURE {2}Mattermost, name: there is no active user @nobody/);
    } finally {
      await folder.remove();
      await stage.stop();
    }
  });
});
