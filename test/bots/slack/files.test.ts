import { expect } from 'chai';
import { linkFor } from '../staging.ts';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip-and-daffodil';

describe('Files in Slack', () => {
  let stage: Stage;

  afterEach(() => stage.stop([secret]));

  const filesAt = async (link: unknown) =>
    (await stage.opens(String(link))).body.files as { filename: string; url: string }[];

  describe('where the app was granted them', () => {
    beforeEach(async () => {
      stage = await startStage({ environment: { FILES: 'everyone', MAX_FILE_MIB: '1', SLACK_FILES: 'on' } });
    });

    it('are pushed with the form, and downloaded by their recipients', async () => {
      const [alice, bob] = [stage.slack.user('alice'), stage.slack.user('bob')];
      const form = await alice.runs('/push').modal();
      const Files = [
        { name: 'key.pem', content: secret },
        { name: 'b.bin', content: 'b'.repeat(100_000) },
      ];
      await form
        .fill({ Files, Recipients: [bob] })
        .submit()
        .message();
      const [key, other] = await filesAt(await linkFor(await bob.dms.next()));
      expect([key?.filename, other?.filename]).to.eql(['key.pem', 'b.bin']);
      expect((await stage.client.get(new URL(String(key?.url)).pathname)).text).to.equal(secret);
    });

    it('of a message come along, except those that are deselected', async () => {
      const { slack } = stage;
      const alice = slack.user('alice');
      const ops = slack.channel('ops', { members: [alice], bots: [slack.install()] });
      const files = ['a.txt', 'b.txt'].map((name) => ({ name, content: secret }));
      const form = await alice.usesShortcut('push_this', { on: alice.says('', { in: ops, files }) }).modal();
      expect(form.values['Files of that message']).to.eql(['a.txt', 'b.txt']);
      const answer = await form
        .fill({ 'Files of that message': ['b.txt'] })
        .submit()
        .message();
      expect(answer.text).to.match(/The message itself still holds the secret/);
      expect((await filesAt(answer.links[0])).map(({ filename }) => filename)).to.eql(['b.txt']);
    });

    it('that Slack does not let the app read are named, and nothing is created', async () => {
      const alice = stage.slack.user('alice');
      const message = alice.says('', { files: [{ name: 'a.txt', content: secret }] }); // the bot is not in #general
      const form = await alice.usesShortcut('push_this', { on: message }).modal();
      await form.submit();
      expect(form.errors.Secret).to.match(/^Slack does not let us read .*, so nothing was created\./);
      expect((await alice.runs('/push list').message()).text).to.match(/You have no active link/);
    });

    it('that take long are waited for above the form, to which a refusal leads back', async () => {
      const { slack } = stage;
      const alice = slack.user('alice');
      const form = await alice.runs('/push').modal();
      slack.disturb('file download', { slowMs: 2_300 }); // a response is due before
      const Files = [{ name: 'a.bin', content: 'a'.repeat(1_048_577) }];
      const above = await form.fill({ Secret: secret, Files }).submit().modal();
      await above.becomes(/A file may have at most 1 MB/);
      await above.close();
      expect(form.values.Secret).to.equal(secret);
      const answer = await form
        .fill({ Files: [{ name: 'a.bin', content: 'a' }] })
        .submit()
        .message();
      expect(await filesAt(answer.links[0])).to.have.length(1);
    });
  });

  it('are not asked for where the user may not push them, or the app may not read them', async () => {
    stage = await startStage({ environment: { FILES: 'everyone' } });
    const alice = stage.slack.user('alice');
    const message = alice.says('', { files: [{ name: 'a.txt', content: secret }] });
    const form = await alice.usesShortcut('push_this', { on: message }).modal();
    expect(form.labels).to.not.include('Files');
    expect(form.text).to.match(/The files of that message do not come along/);
    await stage.stop();
    stage = await startStage({ environment: { FILES: 'off', SLACK_FILES: 'on' } });
    expect((await stage.slack.user('alice').runs('/push').modal()).labels).to.not.include('Files');
  });
});
