import { expect } from 'chai';
import { setRules } from '../../harness/chat.ts';
import { createForms } from '../../harness/forms.ts';
import { anonymous, byPassword } from '../../harness/service.ts';
import { until } from '../../harness/until.ts';
import { type Stage, startStage } from './stage.ts';

/** The values of an unchanged form. */
const usual = { kind: 'text', views: '5', lifetime: '7d' };
const secret = 'tulip & <daffodil>\n  "peony" 🌷';

describe('Composing a push in the browser for Slack', () => {
  let stage: Stage;
  let forms: ReturnType<typeof createForms>;

  beforeEach(async () => {
    stage = await startStage();
    forms = createForms(stage.service.domain, stage.client);
  });

  afterEach(() => stage.stop([secret]));

  async function composes(person = stage.slack.user('alice')) {
    const form = await person.runs('/push').modal();
    return { form, page: await pageOf(form) };
  }

  /** The page that a form of Slack leads to, once it works: Slack shows the link while it is being stored. */
  async function pageOf(form: { urlOf(label: string): unknown }) {
    const page = new URL(String(form.urlOf('Compose in browser'))).pathname;
    await until(async () => (await stage.client.get(page)).status === 200);
    return page;
  }

  /** Submits the form of a page with some fields changed. */
  async function sends(page: string, values: Record<string, string>) {
    const form = await forms.loadForm(page);
    return forms.submitAndFollow(page, form, { ...usual, ...values });
  }

  it('shows the push where the form was opened, and as a direct message', async () => {
    const alice = stage.slack.user('alice');
    const { page } = await composes(alice);
    const answer = await sends(page, { payload: secret, name: 'VPN', views: '2', lifetime: '4h' });
    expect(answer.status).to.equal(200);
    expect(answer.text).to.match(/The chat shows it, too/);
    const whisper = await alice.whispers.next();
    expect(whisper.text)
      .to.match(/VPN\* is ready/)
      .and.match(/It opens twice/);
    const dm = await alice.dms.next();
    expect(dm.text).to.match(/VPN\* has not been opened yet/);
    expect((await stage.opens(whisper.links[0] ?? '')).body.payload).to.equal(secret);
    await dm.becomes(/was opened 1 of 2 times/);
    expect(alice.dms.count).to.equal(1);
  });

  it('creates one push for a link, which opening the page does not use up', async () => {
    const { page } = await composes();
    for (const method of ['HEAD', 'GET', 'GET'])
      expect((await stage.client.send(method, page)).status).to.equal(200);
    const form = await forms.loadForm(page);
    const answers = await Promise.all(
      [1, 2, 3].map(() => forms.submitAndFollow(page, form, { ...usual, payload: secret })),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    const after = await stage.client.get(page);
    expect(after.status).to.equal(404);
    expect(after.text).to.match(/This page is used up/);
    expect((await stage.client.get('/compose/tulip')).status).to.equal(404);
  });

  it('shows what is wrong, keeps what was entered, and accepts the form again', async () => {
    const { page } = await composes();
    const answer = await sends(page, { payload: secret, views: '1000' });
    expect(answer.status).to.equal(422);
    expect(answer.text)
      .to.match(/Nothing was created/)
      .and.include('peony');
    expect((await sends(page, { payload: secret })).status).to.equal(200);
  });

  it('sends the push to the recipients that were chosen in Slack before', async () => {
    const { slack } = stage;
    const [alice, bob] = [slack.user('alice'), slack.user('bob')];
    const { form, page } = await composes(alice);
    await form.fill({ Recipients: [bob] }).press('Compose in browser');
    const token = page.slice('/compose/'.length);
    const recipients = async () => (await stage.service.domain.chat.previewCompose(token)).context.recipients;
    await until(async () => (await recipients())?.length === 1); // Slack does not wait for this either
    expect((await sends(page, { payload: secret })).status).to.equal(200);
    expect((await bob.dms.next()).text).to.match(/@alice sent you a secret/);
  });

  it('provides the secret that a request asks for', async () => {
    const { slack } = stage;
    const [alice, bob] = [slack.user('alice'), slack.user('bob')];
    const dialog = await alice.runs('/push request').modal();
    await dialog.fill({ 'Who should send it?': bob }).submit();
    const request = await bob.dms.next();
    const form = await request.press('Provide secret').modal();
    expect((await sends(await pageOf(form), { payload: secret })).status).to.equal(200);
    expect((await alice.dms.next()).text).to.match(/@bob sent you a secret/);
    await form.fill({ Secret: secret }).submit();
    expect(form.errors.Secret).to.equal('This request has ended.');
  });

  it('follows the rules of the workspace', async () => {
    const { slack, service } = stage;
    const [alice, bob] = [slack.user('alice'), slack.user('bob')];
    await setRules(service.domain, 'slack', slack.team.id, {
      requireRecipients: true,
      allowSlashText: true,
      maxViews: 3,
    });
    const { form, page } = await composes(alice);
    const refused = await sends(page, { payload: secret, views: '3' });
    expect(refused.status).to.equal(422);
    expect(refused.text).to.match(/every link needs recipients/);
    await form.fill({ Recipients: [bob] }).press('Compose in browser');
    expect((await sends(page, { payload: secret, views: '4' })).status).to.equal(422);
    expect((await sends(page, { payload: secret, views: '3' })).status).to.equal(200);
  });

  it('is refused from another site', async () => {
    const { page } = await composes();
    const form = await forms.loadForm(page);
    const answer = await forms.submit(
      page,
      form,
      { ...usual, payload: secret },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect(answer.status).to.equal(403);
    expect((await stage.client.get(page)).status).to.equal(200);
  });
});

describe('Connecting a browser with Slack', () => {
  let stage: Stage;
  let forms: ReturnType<typeof createForms>;

  beforeEach(async () => {
    stage = await startStage();
    forms = createForms(stage.service.domain, stage.client);
  });

  afterEach(() => stage.stop([secret]));

  async function connects() {
    const alice = stage.slack.user('alice');
    await alice.runs(`/push ${secret}`);
    await alice.whispers.next();
    await alice.runs('/push connect');
    const answer = await alice.whispers.next();
    return new URL(String(answer.urlOf('Connect'))).pathname;
  }

  const cookieOf = ({ headers }: { headers: { 'set-cookie'?: string[] | undefined } }) =>
    (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');

  /** Types the code of a waiting browser into the form of the direct message. */
  async function confirms(cookie: string, wrong?: string) {
    const { text } = await stage.client.get('/connect', { cookie });
    const code = /<code>(\d{6})<\/code>/.exec(text)?.[1] ?? '';
    const dm = await stage.slack.user('alice').dms.next();
    expect(dm.buttons).to.eql(['Enter the code', 'It was not me']);
    const modal = await dm.press('Enter the code').modal();
    if (wrong !== undefined) {
      await modal.fill({ Code: wrong }).submit();
      expect(modal.errors.Code).to.match(/incorrect/);
    }
    await modal.fill({ Code: code }).submit();
    return dm;
  }

  it('signs the browser in as the Slack user, once for each link', async () => {
    const page = await connects();
    expect((await stage.client.get(page)).text).to.match(/Sign this browser in as @alice in Slack/);
    const form = await forms.loadForm(page);
    const asked = await forms.submit(page, form);
    expect([asked.status, asked.headers.location]).to.eql([303, '/connect']);
    const dm = await confirms(cookieOf(asked), 'x');
    await dm.becomes(/Your browser is being signed in/);
    const answer = await stage.client.get('/connect', { cookie: cookieOf(asked) });
    expect([answer.status, answer.headers.location]).to.eql([303, '/pushes']);
    expect((await stage.client.get('/connect', { cookie: cookieOf(asked) })).status).to.equal(404);
    const pushes = await stage.client.get('/pushes', { cookie: cookieOf(answer) });
    expect(pushes.status).to.equal(200);
    expect(pushes.text).to.match(/0 of 5/);
    expect((await forms.submit(page, form)).status).to.equal(404);
    expect((await stage.client.get(page)).text).to.match(/This link is used up/);
  });

  it('links the Slack user to the account that is signed in, which gets their pushes and is notified in Slack of its own', async () => {
    const { domain } = stage.service;
    const account = await domain.accounts.create({ email: 'alice@example.com' });
    const session = `hushpush-session=${await domain.sessions.create(account, anonymous.client, byPassword)}`;
    const page = await connects();
    const form = await forms.loadForm(page, { cookie: session });
    expect((await stage.client.get(page, { cookie: session })).text).to.match(
      /share the account alice@example.com/,
    );
    const asked = await forms.submit(page, form);
    const cookie = `${session}; ${cookieOf(asked)}`;
    expect(await domain.pushes.list({ account }, 'active', 1)).to.be.empty;
    const question = await confirms(cookie);
    await question.becomes(/You are connected to the account \*alice@example.com\*/);
    const { headers } = await stage.client.get('/connect', { cookie });
    expect(headers.location).to.equal('/account/chats?done=connected');
    expect(await domain.pushes.list({ account }, 'active', 1)).to.have.length(1);

    const push = await domain.pushes.create(
      { payload: secret, name: 'API' },
      { account, client: anonymous.client },
    );
    await domain.pushes.reveal(push.urlToken, undefined, anonymous);
    const dm = await stage.slack.user('alice').dms.next();
    await dm.becomes(/API\* was opened 1 of 5 times/);
  });

  it('ends when the Slack user presses that it was not them, also by the command where no message reached them', async () => {
    const page = await connects();
    const asked = await forms.submit(page, await forms.loadForm(page));
    const alice = stage.slack.user('alice');
    await alice.dms.next();
    const shown = await alice.runs('/push connect').message();
    expect(shown.text).to.match(/A browser wants to sign in as you/);
    await shown.press('It was not me');
    await shown.becomes(/Nothing was connected/);
    expect((await stage.client.get('/connect', { cookie: cookieOf(asked) })).status).to.equal(404);
  });

  it('is refused from another site, and without a link that a user was shown', async () => {
    const page = await connects();
    const form = await forms.loadForm(page);
    expect((await forms.submit(page, form, {}, { 'sec-fetch-site': 'cross-site' })).status).to.equal(403);
    expect((await stage.client.get(`/connect/${'A'.repeat(43)}`)).status).to.equal(404);
  });
});
