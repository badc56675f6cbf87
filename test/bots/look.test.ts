import { expect } from 'chai';
import { lookFolder } from '../harness/look.ts';
import { startStage as startDiscord } from './discord/stage.ts';
import { startStage as startMattermost } from './mattermost/stage.ts';
import { startStage as startSlack } from './slack/stage.ts';

const acme = {
  name: 'Acme *Secrets*',
  light: { accent: '#c8102e' },
  links: [
    { text: { en: 'Imprint' }, url: 'https://acme.example/imprint' },
    { text: 'Mail', url: 'mailto:help@acme.example' },
  ],
};

describe('A look of one’s own in chats', () => {
  it('ends the help with its name and its links, which are text where they are none', async () => {
    const environment = { LOOK_DIR: await lookFolder(acme) };
    const slack = await startSlack({ environment });
    const help = await slack.slack.user('alice').runs('/push help').message();
    expect(help.text).to.match(/opens a form.*Acme .Secrets.*Imprint/s);
    expect(help.text).to.not.include('Mail');
    await slack.stop();

    const discord = await startDiscord({ environment });
    const inDiscord = await discord.discord.user('alice').runs('/pushes help').message();
    expect(inDiscord.text)
      .to.match(/Acme .*Secrets.* · .*Imprint/)
      .and.not.include('Mail');
    await discord.stop();
  });

  it('names the pages of an installation in Slack, as text', async () => {
    const environment = { LOOK_DIR: await lookFolder({ name: 'Acme <b>&' }) };
    const stage = await startSlack({ installs: false, environment });
    const { text: done } = await stage.slack.user('alice').adds(`${stage.url}/slack/install`);
    expect(done).to.include('<h1>Acme &lt;b&gt;&amp; is installed</h1>').and.not.include('hushpush');
    const failed = await fetch(`${stage.url}/slack/oauth_redirect?state=x&code=y`);
    expect(await failed.text()).to.include('<title>Acme &lt;b&gt;&amp; was not installed</title>');
    await stage.stop();
  });

  it('gives messages in Mattermost its colour', async () => {
    for (const [look, color] of [
      [acme, '#c8102e'],
      [undefined, undefined],
    ] as const) {
      const stage = await startMattermost({ environment: look ? { LOOK_DIR: await lookFolder(look) } : {} });
      const alice = stage.mattermost.user('alice');
      const help = await alice.runs('/push help').message();
      expect(help.text.includes('Acme *Secrets* · Imprint')).to.equal(look !== undefined);
      const { sent } = await alice.runs('/push tulip').message();
      expect(sent.attachments.map((each) => each.color)).to.deep.equal(sent.attachments.map(() => color));
      expect(sent.attachments).to.not.deep.equal([]);
      await stage.stop();
    }
  });
});
