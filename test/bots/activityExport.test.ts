import { expect } from 'chai';
import { cleanUpAfterEach } from '../harness/cleanUp.ts';
import { openFormBrowser, visibleText } from '../harness/pages.ts';
import { startStage as startDiscordStage } from './discord/stage.ts';
import { startStage as startSlackStage } from './slack/stage.ts';
import { linkFor } from './staging.ts';

const secret = 'tulip-and-daffodil';

describe('Admins of a workspace', () => {
  const cleanUp = cleanUpAfterEach();

  type Stage = { client: Parameters<typeof openFormBrowser>[0] };

  /** Downloads by a link: the rows of the table, without its header. */
  async function download({ client }: Stage, link: unknown): Promise<string[][]> {
    const { pathname } = new URL(String(link));
    const browser = await openFormBrowser(client);
    expect(visibleText(await browser.get(pathname))).to.include('Activity of a workspace');
    const table = await browser.submit(pathname, pathname);
    expect(table.status, visibleText(table)).to.equal(200);
    expect(table.headers).to.include({
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(table.headers['content-disposition']).to.match(/^attachment; filename="activity-[\d-]{10}\.csv"$/);
    expect((await browser.get(pathname)).status).to.equal(404);
    const [head = '', ...rows] = table.text.trimEnd().split('\r\n');
    expect(head).to.equal('created_at,updated_at,push,creator,kind,times,recipient,opened_by,ip,place');
    return rows.map((row) => row.split(',').slice(3));
  }

  it('export what happened there from their settings in Slack, and nobody else does', async () => {
    const stage = await startSlackStage();
    cleanUp(() => stage.stop([secret]));
    const { slack, opens } = stage;
    const [admin, alice, bob] = [
      slack.user('admin', { isAdmin: true }),
      slack.user('alice'),
      slack.user('bob'),
    ];
    const form = await stage.withMore(await alice.runs('/push').modal());
    await form.fill({ Secret: secret, Recipients: [bob], Name: 'Vault' }).submit();
    await opens(await linkFor(await bob.dms.next()));
    const own = await alice.runs('/push settings').modal();
    await slack.until('the settings', () => (own.labels.includes('My links open') ? true : undefined));
    expect(own.buttons).to.eql([]);
    const settings = await admin.runs('/push settings').modal();
    await slack.until('the rules', () => (settings.labels.includes('Rules') ? true : undefined));
    const shown = await settings.press('Export activity').modal();
    await shown.becomes(/The link works once/);
    const rows = await download(stage, shown.urlOf('Download'));
    expect(rows).to.eql([
      [alice.id, 'creation', '1', '', '', '', ''],
      [alice.id, 'view', '1', bob.id, 'api', '127.0.0.1', ''],
    ]);
    Object.assign(admin.user, { isAdmin: false });
    const refused = await settings.press('Export activity').modal();
    await refused.becomes(/Only people who manage this server or workspace/);
  });

  it('export what happened there from the settings in Discord', async () => {
    const stage = await startDiscordStage();
    cleanUp(() => stage.stop([secret]));
    const alice = stage.discord.user('alice');
    const form = await alice.runs('/push', { name: 'Vault' }).modal();
    await form.fill({ Secret: secret }).submit().message();
    const elsewhere = await alice.runs('/push', {}, { in: alice.botDm }).modal();
    await elsewhere.fill({ Secret: secret }).submit().message();
    const which = await alice.runs('/pushes settings').message();
    const answer = await which.press('Export activity').message();
    expect(answer.isPrivate).to.equal(true);
    expect(await download(stage, answer.urlOf('Download'))).to.eql([
      [alice.id, 'creation', '1', '', '', '', ''],
    ]);
  });
});
