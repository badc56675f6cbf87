import { expect } from 'chai';
import { buildJobs } from '../../../src/scheduler/jobs.ts';
import { times } from '../../harness/api.ts';
import { dumpDatabase, setRules } from '../../harness/chat.ts';
import { until } from '../../harness/until.ts';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip-and-daffodil';

describe('The Slack app', () => {
  let stage: Stage;

  afterEach(() => stage.stop([secret]));

  const installUrl = () => `${stage.url}/slack/install`;
  const stored = () =>
    stage.service.domain.chat.installations
      .list('slack', 'operator')
      .then((all) => all.map(({ workspace }) => workspace));

  const labels = () =>
    stage.service.domain.chat.installations
      .list('slack', 'operator')
      .then((all) => all.map(({ label }) => label));

  it('lets a client start and complete so many installations, and then tells it when to try again', async () => {
    stage = await startStage({
      installs: false,
      environment: { RATE_LIMITS: 'on', LIMIT_REQUESTS: '3/1h' },
    });
    const { status: started } = await fetch(installUrl(), { redirect: 'manual' });
    const { status: failed } = await fetch(`${stage.url}/slack/oauth_redirect?state=x&code=y`);
    await fetch(installUrl(), { redirect: 'manual' });
    const refused = await Promise.all(
      [installUrl(), `${stage.url}/slack/oauth_redirect`].map((url) => fetch(url, { redirect: 'manual' })),
    );
    expect([started, failed, ...refused.map(({ status }) => status)]).to.deep.equal([302, 400, 429, 429]);
    expect(Number(refused[0]?.headers.get('retry-after'))).to.be.greaterThan(3_000);
    const links = await stage.service.database.select('SELECT digest FROM one_time_links', {});
    expect(links).to.have.length(2);
  });

  describe('before it is installed', () => {
    beforeEach(async () => {
      stage = await startStage({ installs: false });
    });

    it('tells the user of a command that it is not installed, although Slack thinks so', async () => {
      stage.slack.install();
      const answer = await stage.slack.user('alice').runs('/push').message();
      expect(answer.text).to.match(/not installed in this workspace/);
      expect(answer.links).to.eql([installUrl()]);
      expect(answer.isPrivate).to.equal(true);
    });

    it('works as soon as a user installs it', async () => {
      const alice = stage.slack.user('alice');
      const page = await alice.adds(installUrl());
      expect(page.status).to.equal(200);
      expect(page.text).to.match(/installed.*\/push/s);
      expect(await stored()).to.eql([stage.slack.team.id]);
      expect(await labels()).to.eql([stage.slack.team.name]);
      expect((await alice.runs(`/push ${secret}`).message()).text).to.match(/is ready/);
    });

    it('is not installed when the user declines', async () => {
      const page = await stage.slack.user('alice').adds(installUrl(), { denies: true });
      expect(page.status).to.equal(400);
      expect(page.text).to.match(/Nothing was changed/);
      expect(await stored()).to.eql([]);
    });

    it('accepts an OAuth callback once, from the browser that started it', async () => {
      const alice = stage.slack.user('alice');
      const page = await alice.adds(installUrl());
      const state = new URL(page.url).searchParams.get('state') ?? '';
      expect(state).to.match(/^[\w-]{43}$/);
      const inOtherBrowser = await fetch(page.url);
      expect(inOtherBrowser.status).to.equal(400);
      const again = await fetch(page.url, { headers: { cookie: `hushpush-slack-install=${state}` } });
      expect(again.status).to.equal(400);
      expect(await again.text()).to.match(/works once/);
      expect(stage.slack.calls('oauth.v2.access')).to.have.length(1);
    });

    it('binds an installation to the browser by a cookie that no other site’s request carries', async () => {
      const cookieOf = async () =>
        (await fetch(installUrl(), { redirect: 'manual' })).headers.get('set-cookie') ?? '';
      expect(await cookieOf()).to.match(
        /^hushpush-slack-install=[\w-]{43}; Secure; HttpOnly; Path=\/; Max-Age=600; SameSite=Lax$/,
      );
      const page = await stage.slack.user('alice').adds(installUrl());
      const deleted = (await fetch(page.url)).headers.get('set-cookie');
      expect(deleted).to.match(/^hushpush-slack-install=deleted; .*; SameSite=Lax$/);
      await stage.stop();
      stage = await startStage({ installs: false, environment: { BASE_URL: 'https://push.example.com' } });
      expect(await cookieOf()).to.match(/^__Host-slack-install=.*; SameSite=Lax$/);
    });

    it('stores Slack’s tokens encrypted', async () => {
      await stage.slack.user('alice').adds(installUrl());
      const dump = JSON.stringify(
        await stage.service.database.select('SELECT * FROM installations', {}),
        (_key, value) => (value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value),
      );
      expect(dump).to.not.match(/xox/);
      expect(dump).to.not.include(stage.slack.app.clientSecret);
    });

    it('keeps workspaces apart', async () => {
      const { slack } = stage;
      const team = slack.addTeam('Globex');
      const [alice, carol] = [slack.user('alice'), slack.user('carol', { team })];
      for (const person of [alice, carol]) await person.adds(installUrl());
      expect((await stored()).toSorted()).to.eql([slack.team.id, team.id].toSorted());
      await alice.runs(`/push ${secret}`).message();
      expect((await carol.runs('/push list').message()).text).to.match(/no active link/);
      const form = await carol.runs('/push').modal();
      const dan = slack.user('dan', { team });
      await form.fill({ Secret: secret, Recipients: [dan] }).submit();
      expect((await dan.dms.next()).text).to.match(/@carol sent you/);
    });

    it('serves all workspaces of an organisation that installed it', async () => {
      const { slack } = stage;
      const org = slack.addEnterprise('Globex');
      const [west, east] = [slack.addTeam('Globex West', org), slack.addTeam('Globex East', org)];
      const [carol, dan] = [slack.user('carol', { team: west }), slack.user('dan', { team: east })];
      await carol.adds(installUrl(), { on: org });
      expect(await stored()).to.eql([org.id]);
      expect(await labels()).to.eql(['Globex']);
      expect((await carol.dms.next()).text).to.match(/This app is ready in this workspace/);
      const form = await dan.runs('/push').modal();
      await form.fill({ Secret: secret }).submit().message();
      const own = await carol.runs('/push').modal();
      await own.fill({ Secret: secret, Recipients: [carol] }).submit();
      expect((await carol.dms.next()).text).to.match(/@carol sent you/);
    });

    it('keeps the rules of each workspace of an organisation', async () => {
      const { slack, service } = stage;
      const org = slack.addEnterprise('Globex');
      const [west, east] = [slack.addTeam('Globex West', org), slack.addTeam('Globex East', org)];
      const [carol, dan] = [slack.user('carol', { team: west }), slack.user('dan', { team: east })];
      await carol.adds(installUrl(), { on: org });
      await setRules(service.domain, 'slack', east.id, {
        requireRecipients: false,
        allowSlashText: false,
      });
      expect((await carol.runs(`/push ${secret}`).message()).text).to.match(/is ready/);
      expect((await dan.runs(`/push ${secret}`).message()).text).to.not.match(/is ready/);
    });

    it('keeps working when another user installs it again', async () => {
      const { slack } = stage;
      for (const name of ['alice', 'bob']) await slack.user(name).adds(installUrl());
      expect(await stored()).to.eql([slack.team.id]);
      expect((await slack.user('alice').runs('/push help').message()).text).to.match(/opens a form/);
    });
  });

  describe('once it is installed', () => {
    let grant: ReturnType<Stage['slack']['install']>;

    beforeEach(async () => {
      stage = await startStage();
      grant = stage.slack.install({ scopes: ['commands'] });
    });

    it('deletes the installation of a workspace that removes it, and works again when it is reinstalled', async () => {
      const { slack } = stage;
      const alice = slack.user('alice');
      await alice.runs(`/push ${secret}`).message();
      await slack.uninstall(grant);
      await until(async () => (await stored()).length === 0);
      await alice.adds(installUrl());
      expect((await alice.runs('/push list').message()).text).to.match(/Your link/);
    });

    it('erases the people and pushes of a workspace that does not come back within thirty days', async () => {
      const { slack, service } = stage;
      const link = (await slack.user('alice').runs(`/push ${secret}`).message()).links[0] ?? '';
      await slack.uninstall(grant);
      await until(async () => (await stored()).length === 0);
      const jobs = buildJobs(service.domain, service.messengers);
      const erase = () => jobs.find(({ name }) => name === 'erase-workspaces')?.run(() => false);
      const statusOf = async () => (await stage.client.get(`${new URL(link).pathname}.json`)).status;
      await erase();
      expect((await service.domain.accounts.list()).length).to.be.above(0);
      await service.database.execute('UPDATE removed_workspaces SET erase_at = 0', {});
      await erase();
      expect(await service.domain.accounts.list()).to.eql([]);
      expect(await statusOf()).to.equal(404);
      expect(await dumpDatabase(service)).to.not.contain(slack.team.id);
    });

    it('deletes the installation of a workspace whose token was revoked', async () => {
      await stage.slack.revoke(grant);
      await until(async () => (await stored()).length === 0);
    });

    it('ignores the repeated event of a removal when the app was reinstalled since', async () => {
      const { slack } = stage;
      const removal = slack.emits({ type: 'app_uninstalled' });
      await removal;
      await until(async () => (await stored()).length === 0);
      await slack.user('alice').adds(installUrl());
      await removal.again({ num: 1, reason: 'http_timeout' });
      await times(5, () => stage.client.get('/livez'));
      expect(await stored()).to.eql([slack.team.id]);
    });

    it('drops the queued notices to a workspace that removed it', async () => {
      const { slack, deliver, opens, service } = stage;
      const alice = slack.user('alice');
      const answer = await alice.runs(`/push ${secret}`).message();
      grant.state = 'account_inactive'; // and no event has come yet
      await opens(answer.links[0] ?? '');
      await deliver();
      const [row] = await service.database.select<{ problem: string; due: number | null }>(
        "SELECT last_problem AS problem, due_at AS due FROM notices WHERE event = 'viewed'",
        {},
      );
      expect(row).to.eql({ problem: 'Slack refused with account_inactive', due: null });
      expect(await stored()).to.eql([]);
    });
  });

  describe('with expiring tokens', () => {
    it('renews them before they expire, once for all processes', async () => {
      stage = await startStage({ installs: false });
      const { slack } = stage;
      slack.app.tokenLifeSeconds = 3_600; // less than the two hours before which they are renewed
      const alice = slack.user('alice');
      await alice.adds(installUrl());
      const renewals = () =>
        slack.calls('oauth.v2.access').filter(({ args }) => args.grant_type === 'refresh_token');
      await times(5, (index) => slack.user(`person${index}`).runs('/push help').message());
      expect(renewals()).to.have.length(1);
      expect((await alice.runs(`/push ${secret}`).message()).text).to.match(/is ready/);
    });
  });
});
