import { expect } from 'chai';
import { askAgain, linkFor } from '../staging.ts';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip & <daffodil> "42" 🌷';

for (const mode of ['http', 'socket'] as const) {
  describe(`A user in Slack over ${mode}`, () => {
    let stage: Stage;

    beforeEach(async () => {
      stage = await startStage({ mode });
    });

    afterEach(() => stage.stop([secret]));

    it('sends a secret with the form, and is notified of its views and its end', async () => {
      const { slack, opens } = stage;
      const [alice, bob] = [slack.user('alice'), slack.user('bob')];
      const form = await alice.runs('/push').modal();
      form.fill({ Secret: secret, Recipients: [bob] });
      expect(form.labels).to.eql(['Secret', 'Recipients', 'Expires after']);
      (await stage.withMore(form)).fill({ Views: '2 views', Name: 'VPN' });
      const answer = await form.submit().message();
      expect(answer.isPrivate).to.equal(true);
      expect(answer.text).to.match(/VPN\* is ready/);
      expect(answer.text).to.match(/opens twice, until/);
      expect(answer.text).to.match(/@bob gets a direct message with the link\./);
      expect(answer.buttons).to.eql(['Burn now', 'Activity']);

      const dm = await bob.dms.next();
      expect(dm.text).to.match(/@alice sent you a secret/);
      expect((await opens(await linkFor(dm))).body.payload).to.equal(secret);

      const notice = await alice.dms.next();
      await notice.becomes(/was opened 1 of 2 times/);
      const line = await notice.reply(/VPN\* was opened by @bob on .* It opens once more\./);
      expect(line.sent.text).to.match(/^\*VPN\* was opened by /);
      expect((await opens(await linkFor(dm))).body.payload).to.equal(secret);
      await notice.becomes(/was opened twice\. That was the last view\./);
      await line.becomes(/VPN\* was opened twice by @bob, the last time on .* That was the last view\./);
      await dm.becomes(/@alice sent you a secret\.\nYou have opened it\. It does not open again\./);
      expect(dm.buttons).to.eql([]);
      expect(alice.dms.count).to.equal(1);
      expect(bob.dms.count).to.equal(1);
    });

    it('is notified when a recipient comes too late, and creates a new push from the notice', async () => {
      const { slack, opens, client } = stage;
      const [alice, bob] = [slack.user('alice'), slack.user('bob')];
      const form = await stage.withMore(await alice.runs('/push').modal());
      await form
        .fill({ Secret: secret, Recipients: [bob], Name: 'VPN' })
        .submit()
        .message();
      const link = await linkFor(await bob.dms.next());
      await opens(link);
      const notice = await alice.dms.next();
      await notice.reply(/VPN\* was opened by @bob on .* That was the last view\./);
      await askAgain(client, link);
      const asked = await notice.reply(/somebody asked for it again/);
      expect(asked.buttons).to.eql(['New link']);
      const again = await asked.press('New link').modal();
      expect(again.labels).to.include('Secret');
      expect(alice.dms.count).to.equal(1);
    });

    it('pushes the text after the command byte for byte, with a hint at the form', async () => {
      const { slack, opens } = stage;
      const alice = slack.user('alice');
      const answer = await alice.runs(`/push ${secret}`).message();
      expect(answer.text).to.match(/Next time use the form/);
      expect((await opens(answer.links[0] ?? '')).body.payload).to.equal(secret);
    });

    it('sees an error at the field that it concerns, and loses nothing', async () => {
      const { slack } = stage;
      const alice = slack.user('alice');
      const form = await alice.runs('/push').modal();
      form.fill({ Secret: '   ' });
      await form.submit();
      expect(form.errors).to.have.keys(['Secret']);
      expect(form.isOpen).to.equal(true);
      expect(form.values.Secret).to.equal('   ');
      await form.fill({ Secret: secret }).submit().message();
    });

    it('burns, extends and audits a push from the response and from its notice', async () => {
      const { slack, opens } = stage;
      const alice = slack.user('alice');
      const form = await stage.withMore(await alice.runs('/push').modal());
      const answer = await form.fill({ Secret: secret, Name: 'VPN' }).submit().message();
      const link = answer.links[0] ?? '';
      await opens(link);
      const notice = await alice.dms.next();
      const before = notice.text;
      await notice.press('Extend by 7 days');
      await slack.until('more time', () => (notice.text === before ? undefined : true));

      const log = await answer.press('Activity').modal();
      await log.becomes(/opened/);
      expect(log.text).to.match(/extended/);

      expect(answer.questionOf('Burn now')).to.be.an('object');
      await answer.press('Burn now');
      await answer.becomes(/VPN\* was burned/);
      await notice.becomes(/was burned\. It had been opened once\./);
      await notice.reply(/was burned on .* It had been opened once\./);
      expect((await opens(link)).body.payload).to.equal(null);
    });

    it('shares a push with more people', async () => {
      const { slack } = stage;
      const [alice, bob, carol] = [slack.user('alice'), slack.user('bob'), slack.user('carol')];
      const answer = await alice.runs(`/push ${secret}`).message();
      const dialog = await answer.press('Send to…').modal();
      const sent = await dialog
        .fill({ 'Who gets it?': [bob, carol] })
        .submit()
        .message();
      expect(sent.text).to.equal('@bob and @carol get a direct message with the link.');
      for (const person of [bob, carol]) expect((await person.dms.next()).text).to.match(/@alice sent you/);
    });

    it('requests a secret, gets it, is declined, and cancels a request', async () => {
      const { slack, opens } = stage;
      const [alice, bob] = [slack.user('alice'), slack.user('bob')];
      async function ask(): Promise<void> {
        const dialog = await alice.runs('/push request the VPN').modal();
        expect(dialog.values['What for?']).to.equal('the VPN');
        const asked = await dialog.fill({ 'Who should send it?': bob }).submit().message();
        expect(asked.text).to.match(/@bob gets a direct message that asks/);
      }
      await ask();
      const request = await bob.dms.next();
      expect(request.text).to.match(/@alice asks you for a secret\.\nthe VPN/);
      const form = await request.press('Provide secret').modal();
      expect(form.labels).to.not.include('Recipients');
      await form.fill({ Secret: secret }).submit();
      await request.becomes(/You sent @alice the secret/);
      const given = await alice.dms.next();
      expect(given.text).to.match(/@bob sent you a secret/);
      const link = await linkFor(given);

      await ask();
      const second = await bob.dms.next();
      await second.press('Decline');
      await second.becomes(/You declined/);
      expect((await alice.dms.next()).text).to.match(/@bob declined/);

      const dialog = await alice.runs('/push request').modal();
      const asked = await dialog.fill({ 'Who should send it?': bob }).submit().message();
      const last = await bob.dms.next();
      await asked.press('Cancel');
      await asked.becomes(/You no longer ask @bob/);
      await last.becomes(/@alice no longer asks you/);
      expect((await opens(link)).body.payload).to.equal(secret);
    });

    it('pushes the text of a message in a thread, and is reminded that the message still contains it', async () => {
      const { slack, opens } = stage;
      const [alice, bob] = [slack.user('alice'), slack.user('bob')];
      const root = bob.says('anyone?');
      const message = bob.says('hunter2 & <more> http://example.com/x', {
        thread: root,
      });
      const form = await alice.usesShortcut('push_this', { on: message }).modal();
      expect(form.values.Secret).to.equal('hunter2 & <more> http://example.com/x');
      const answer = await form.submit().message();
      expect(answer.text).to.match(/still holds the secret/);
      const { payload } = (await opens(answer.links[0] ?? '')).body;
      expect(payload).to.equal('hunter2 & <more> http://example.com/x');
    });

    it('opens the form by the global shortcut, and sees the result in the modal', async () => {
      const { slack } = stage;
      const alice = slack.user('alice');
      const form = await alice.usesShortcut('new_push').modal();
      await form.fill({ Secret: secret }).submit();
      await form.becomes(/Your link is ready/);
      await form.press('Burn now');
      await form.becomes(/was burned/);
    });

    it('sees pushes and requests in the App Home, and acts on them there', async () => {
      const { slack } = stage;
      const alice = slack.user('alice');
      const home = await alice.opensHome().home();
      expect(home.text).to.match(/Welcome\nYour links and requests will be listed here/);
      const form = await stage.withMore(await home.press('New link').modal());
      await form.fill({ Secret: secret, Name: 'VPN' }).submit();
      const again = await alice.opensHome().home();
      await again.becomes(/VPN\* · 0 of 5 views/);
      await again.press('Burn now');
      await alice.home.becomes(/Expired links\n\*VPN\* · never opened/);
    });

    it('lists pushes, burns one by name, and chooses when the name is ambiguous', async () => {
      const { slack } = stage;
      const alice = slack.user('alice');
      for (const name of ['VPN', 'Wifi']) {
        const form = await stage.withMore(await alice.runs('/push').modal());
        await form.fill({ Secret: secret, Name: name }).submit().message();
      }
      const list = await alice.runs('/push list of things').message();
      expect(list.text)
        .to.match(/None of your active links matches \*of things\*/)
        .and.match(/goes through the form/);
      const all = await alice.runs('/push list').message();
      expect(all.text).to.match(/VPN/).and.match(/Wifi/);
      expect((await alice.runs('/push list wi').message()).text)
        .to.match(/Wifi/)
        .and.not.match(/VPN/);
      expect((await alice.runs('/push expire vpn').message()).text).to.match(/VPN\* was burned/);
      const choice = await alice.runs('/push expire').message();
      expect(choice.text).to.match(/Which link\?\n\*Wifi/);
      const log = await alice.runs('/push audit wifi').message();
      expect(log.text)
        .to.match(/Wifi\*: 0 of 5 views used/)
        .and.match(/created/);
      expect((await alice.runs('/push help').message()).text).to.match(/opens a form/);
    });

    it('sets defaults for their own pushes and, as an admin, rules for the workspace', async () => {
      const { slack } = stage;
      const [admin, alice] = [slack.user('admin'), slack.user('alice')];
      const mine = await (await alice.runs('/push settings').modal()).becomes(/Settings|/);
      await slack.until('the settings', () => (mine.labels.includes('My links open') ? true : undefined));
      expect(mine.labels).to.not.include('Rules');
      const toldOf = ['A link expires', 'Somebody asks for a link that is over'];
      await mine
        .fill({ 'My links open': '3 views', 'Notify me of views': 'Never', 'Notify me when': toldOf })
        .submit();
      const form = await stage.withMore(await alice.runs('/push').modal());
      expect(form.values.Views).to.equal('Default (3 views)');
      expect(form.values['Notify me when']).to.eql(['It expires', 'Somebody asks for it when it is over']);

      const all = await admin.runs('/push settings').modal();
      await slack.until('the settings', () => (all.labels.includes('Rules') ? true : undefined));
      await all.fill({ Rules: ['Every link needs recipients'], 'Most views of a link': '2 views' }).submit();
      const strict = await stage.withMore(await alice.runs('/push').modal());
      expect(strict.optionsOf('Views').slice(1)).to.eql(['1 view', '2 views']);
      await strict.fill({ Secret: secret }).submit();
      expect(strict.errors).to.have.keys(['Recipients']);
      expect((await alice.runs(`/push ${secret}`).message()).text).to.match(/Use the form/);
    });
  });
}
