import { type Installation, type InstallationStore, MemoryInstallationStore } from '@slack/bolt';
import { expect } from 'chai';
import { type Slack, startSlack } from './slack/slack.ts';
import { clientOf, failure, pushModal, startBot } from './slackBot.ts';

const scopes = ['commands', 'chat:write'];

describe('The Slack stand-in for installations', () => {
  let slack: Slack;
  let stop: () => Promise<void>;
  let url: string;
  let store: InstallationStore;
  let stored: Installation[];
  let received: unknown[];

  beforeEach(async () => {
    slack = await startSlack();
    stored = [];
    received = [];
    const memory = new MemoryInstallationStore();
    store = {
      storeInstallation: async (installation) => {
        stored.push(structuredClone(installation) as Installation);
        await memory.storeInstallation(installation);
      },
      fetchInstallation: (query, logger) => memory.fetchInstallation(query, logger),
    };
    const started = await startBot(
      slack,
      (app) => {
        app.command('/push', async ({ ack, context, client, body }) => {
          await ack();
          received.push({
            org: context.isEnterpriseInstall,
            team: context.teamId,
            enterprise: context.enterpriseId,
          });
          await client.chat.postMessage({ channel: body.user_id, text: 'Hello' });
          if (body.text === 'form') await client.views.open({ trigger_id: body.trigger_id, view: pushModal });
        });
        app.view('push', async ({ ack, context, body }) => {
          await ack();
          received.push({
            team: body.team,
            org: context.isEnterpriseInstall,
            enterprise: context.enterpriseId,
          });
        });
        app.event('team_join', async ({ body, context }) => {
          received.push([body.authorizations?.[0]?.team_id, context.isEnterpriseInstall]);
        });
        app.event(
          'app_uninstalled',
          async ({ context }) => void received.push(['uninstalled', context.teamId]),
        );
        app.event('tokens_revoked', async ({ event }) => void received.push(['revoked', event.tokens.bot]));
      },
      {
        clientId: slack.app.clientId,
        clientSecret: slack.app.clientSecret,
        stateSecret: 'a state secret',
        scopes,
        installationStore: store,
        installerOptions: { authorizationUrl: slack.authorizeUrl },
      },
    );
    ({ url, stop } = started);
    slack.app.redirectUrls = [`${url}/slack/oauth_redirect`];
  });

  afterEach(async () => {
    await stop();
    await slack.stop();
    slack.verify();
  });

  const first = (): Installation => {
    const [installation] = stored;
    if (!installation) throw new Error('nothing was installed');
    return installation;
  };

  it('installs an app for a user who adds it, and the app then works there', async () => {
    const alice = slack.user('alice');
    const page = await alice.adds(`${url}/slack/install`);
    expect(page.status).to.equal(200);
    expect(page.text).to.match(/thank you/i);
    expect(first()).to.deep.include({
      team: { id: slack.team.id, name: 'Acme' },
      enterprise: undefined,
      isEnterpriseInstall: false,
      appId: slack.app.id,
      tokenType: 'bot',
    });
    expect(first().user.id).to.equal(alice.id);
    expect(first().bot?.scopes).to.deep.equal(scopes);
    expect((await alice.runs('/push').message()).text).to.equal('Hello');
  });

  it('tells the app when a user denies the installation', async () => {
    const page = await slack.user('alice').adds(`${url}/slack/install`, { denies: true });
    expect(page.status).to.equal(500);
    expect(page.url).to.match(/error=access_denied/);
    expect(stored).to.have.length(0);
  });

  it('completes an installation only in the browser that received the state', async () => {
    const page = await slack.user('alice').adds(`${url}/slack/install`);
    expect((await fetch(page.url)).status).to.equal(400);
    expect(stored).to.have.length(1);
  });

  it('exchanges a code once, within ten minutes, for the app and the redirect URL that asked for it', async () => {
    const alice = slack.user('alice');
    const redirect = slack.app.redirectUrls[0] ?? '';
    const ask = `${slack.authorizeUrl}?client_id=${slack.app.clientId}&scope=chat:write&state=s&redirect_uri=${redirect}`;
    const newCode = () => new URL(alice.allows(ask)).searchParams.get('code') ?? '';
    const { clientId: client_id, clientSecret: client_secret } = slack.app;
    const exchange = (code: string, more: object = {}) =>
      clientOf(slack, '').oauth.v2.access({ client_id, client_secret, code, ...more });
    const errorOf = async (doing: Promise<unknown>) => (await failure(doing)).data?.error;
    const code = newCode();
    expect(await errorOf(exchange(code, { redirect_uri: 'https://else.test' }))).to.equal('bad_redirect_uri');
    expect(await exchange(code, { redirect_uri: redirect })).to.deep.include({
      ok: true,
      scope: 'chat:write',
    });
    expect(await errorOf(exchange(code))).to.equal('code_already_used');
    expect(await errorOf(exchange('tulip'))).to.equal('invalid_code');
    const late = newCode();
    slack.passes(10 * 60_000);
    expect(await errorOf(exchange(late))).to.equal('invalid_code');
    slack.verify();
    expect(await errorOf(exchange(newCode(), { client_secret: 'x' }))).to.equal('bad_client_secret');
    expect(await errorOf(exchange(newCode(), { client_id: 'x' }))).to.equal('invalid_client_id');
    expect(slack.takeComplaints()).to.have.length(2);
  });

  it('asks for consent on a page that browsers can use', async () => {
    const ask = `${slack.authorizeUrl}?client_id=${slack.app.clientId}&scope=chat:write&state=s`;
    slack.signsIn(slack.user('alice'));
    const page = await fetch(ask);
    expect(await page.text()).to.match(/Hushpush wants to be installed.*value="allow".*value="deny"/);
    const decideAs = async (decision: string) => {
      const body = new URLSearchParams({ decision });
      const { status, headers } = await fetch(ask, { method: 'POST', redirect: 'manual', body });
      return `${status} ${headers.get('location')}`;
    };
    expect(await decideAs('allow')).to.match(/^302 .*\/slack\/oauth_redirect\?code=\w+&state=s$/);
    expect(await decideAs('deny')).to.match(/error=access_denied&state=s$/);
    for (const wrong of [
      `${slack.authorizeUrl}?client_id=x&scope=chat:write`,
      `${slack.authorizeUrl}?client_id=${slack.app.clientId}`,
      `${ask}&redirect_uri=https://else.test`,
    ]) {
      expect((await fetch(wrong)).status).to.equal(400);
    }
  });

  it('installs in a whole organisation, with payloads and tokens of no single workspace', async () => {
    const org = slack.addEnterprise('Globex');
    const team = slack.addTeam('Globex West', org);
    const other = slack.addTeam('Globex East', org);
    const carol = slack.user('carol', { team });
    await carol.adds(`${url}/slack/install`, { on: org });
    expect(first()).to.deep.include({
      enterprise: { id: org.id, name: 'Globex' },
      team: undefined,
      isEnterpriseInstall: true,
    });
    await carol.runs('/push').message();
    await slack.user('dave', { team: other }).runs('/push').message();
    expect(received).to.deep.equal([
      { org: true, team: team.id, enterprise: org.id },
      { org: true, team: other.id, enterprise: org.id },
    ]);
    const modal = await carol.runs('/push form').modal();
    received.splice(0);
    await modal.fill({ Secret: 'x' }).submit();
    await slack.emits({ type: 'team_join' }, { team });
    expect(received).to.deep.equal([{ team: null, org: true, enterprise: org.id }, [null, true]]);
    const client = clientOf(slack, first().bot?.token ?? '');
    expect(await client.auth.test()).to.deep.include({ is_enterprise_install: true, enterprise_id: org.id });
    const stranger = slack.user('alice');
    expect(
      (await failure(client.chat.postMessage({ channel: stranger.id, text: 'x' }))).data?.error,
    ).to.equal('channel_not_found');
  });

  it('rotates tokens: they expire, each refresh token works once, and Bolt refreshes by itself', async () => {
    slack.app.tokenLifeSeconds = 43_200;
    const alice = slack.user('alice');
    await alice.adds(`${url}/slack/install`);
    const { token = '', refreshToken: refresh_token = '', expiresAt = 0 } = first().bot ?? {};
    expect(expiresAt - Date.now() / 1000).to.be.within(43_100, 43_200);
    const { clientId: client_id, clientSecret: client_secret } = slack.app;
    const refresh = () =>
      clientOf(slack, '').oauth.v2.access({
        client_id,
        client_secret,
        grant_type: 'refresh_token',
        refresh_token,
      });
    const fresh = await refresh();
    expect(fresh.access_token).to.not.equal(token);
    expect((await failure(refresh())).data?.error).to.equal('invalid_refresh_token');
    await clientOf(slack, token).auth.test();
    slack.passes(43_200_000);
    expect((await failure(clientOf(slack, token).auth.test())).data?.error).to.equal('token_expired');

    const nearEnd = Math.floor(Date.now() / 1000) + 60;
    const bot = {
      ...first().bot,
      token: String(fresh.access_token),
      refreshToken: String(fresh.refresh_token),
      expiresAt: nearEnd,
    };
    await store.storeInstallation({ ...first(), bot } as Installation);
    expect((await alice.runs('/push').message()).text).to.equal('Hello');
    expect(stored.at(-1)?.bot?.token).to.not.equal(fresh.access_token);
  });

  it('reports an uninstallation and revoked tokens, which then stop working', async () => {
    const grant = slack.install({ scopes });
    const client = clientOf(slack, grant.token);
    await client.auth.test();
    await slack.uninstall(grant);
    expect(received).to.have.deep.members([
      ['uninstalled', slack.team.id],
      ['revoked', [grant.bot.id]],
    ]);
    expect((await failure(client.auth.test())).data?.error).to.equal('account_inactive');
    const again = slack.install({ scopes });
    expect(again.bot).to.equal(grant.bot);
    await slack.revoke(again);
    expect((await failure(clientOf(slack, again.token).auth.test())).data?.error).to.equal('token_revoked');
    expect(received).to.have.length(3);
  });

  it('lets an app uninstall itself and revoke its token', async () => {
    const { clientId: client_id, clientSecret: client_secret } = slack.app;
    const { token } = slack.install();
    await clientOf(slack, token).apps.uninstall({ client_id, client_secret });
    expect((await failure(clientOf(slack, token).auth.test())).data?.error).to.equal('account_inactive');
    const { token: next } = slack.install();
    expect(await clientOf(slack, next).auth.revoke()).to.include({ revoked: true });
    expect((await failure(clientOf(slack, next).auth.test())).data?.error).to.equal('token_revoked');
  });

  it('gives an app that is installed again more scopes and the same token', async () => {
    const { token } = slack.install({ scopes: ['commands'] });
    expect(slack.install({ scopes: ['chat:write'] })).to.deep.include({ token, scopes });
  });

  it('shows an error where Bolt finds no installation and responds with 401', async () => {
    const { status, error } = await slack.user('alice').runs('/push');
    expect([status, error]).to.deep.equal([401, 'http_client_error']);
    expect(slack.takeComplaints()).to.have.length(1);
  });
});
