import { expect } from 'chai';
import { createForms } from '../../harness/forms.ts';
import { askAgain, linkFor } from '../staging.ts';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip & <daffodil> "42" 🌷';

for (const mode of ['gateway', 'http'] as const) {
  describe(`A user in Discord over ${mode}`, () => {
    let stage: Stage;

    beforeEach(async () => {
      stage = await startStage({ mode });
    });

    afterEach(() => stage.stop([secret]));

    it('sends a secret with the form, and is notified of its views and its end', async () => {
      const { discord, opens } = stage;
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const form = await alice
        .runs('/push', { recipient: bob, views: 2, expires: '1 hour', name: 'VPN' })
        .modal();
      expect(form.labels).to.eql(['Secret', 'Recipients', 'Passphrase', 'More options']);
      expect(form.values.Recipients).to.eql(['bob']);
      const answer = await form.fill({ Secret: secret }).submit().message();
      expect(answer.isPrivate).to.equal(true);
      expect(answer.text).to.match(/\*\*VPN\*\* is ready/);
      expect(answer.text).to.match(/opens twice, until/);
      expect(answer.text).to.match(/@bob gets a direct message with the link\./);
      expect(answer.buttons).to.eql(['Burn now', 'Activity']);

      const dm = await bob.dms.next();
      expect(dm.text).to.match(/@alice sent you a secret/);
      expect(dm.mentions).to.eql([]);
      expect((await opens(await linkFor(dm))).body.payload).to.equal(secret);

      const notice = await alice.dms.next();
      await notice.becomes(/was opened 1 of 2 times/);
      const line = await alice.dms.next();
      expect(line.text).to.match(/^\*\*VPN\*\* was opened by @bob on .* It opens once more\./);
      expect((await opens(await linkFor(dm))).body.payload).to.equal(secret);
      await notice.becomes(/was opened twice\. That was the last view\./);
      await line.becomes(/was opened twice by @bob, the last time on .* That was the last view\./);
      await dm.becomes(/You have opened it\. It does not open again\./);
      expect(dm.buttons).to.eql([]);
      expect(alice.dms.count).to.equal(2);
      expect(bob.dms.count).to.equal(1);
    });

    it('is notified when a recipient comes too late, and creates a new push from the notice', async () => {
      const { discord, opens, client } = stage;
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const form = await alice.runs('/push', { recipient: bob, views: 1, name: 'VPN' }).modal();
      await form.fill({ Secret: secret }).submit().message();
      const link = await linkFor(await bob.dms.next());
      await opens(link);
      await askAgain(client, link);
      const asked = await discord.until('the question', () =>
        alice.dms.all().find(({ text }) => /somebody asked for it again/.test(text)),
      );
      expect(asked.buttons).to.eql(['New link']);
      const again = await asked.press('New link').modal();
      expect(again.labels).to.include('Secret');
    });

    it('sees what was wrong, and need not enter the secret again', async () => {
      const { discord, opens } = stage;
      const alice = discord.user('alice');
      const rules = await (await alice.runs('/pushes settings').message()).press('Server rules').modal();
      await rules.fill({ 'Most views of a link': '3 views' }).submit().message();
      const form = await alice.runs('/push', { views: 4, expires: '8 hours', name: 'VPN' }).modal();
      const refused = await form.fill({ Secret: secret }).submit().message();
      expect(refused.text).to.match(/Views must be at most 3 in this workspace/);
      const again = await refused.press('Fill it in again').modal();
      expect(again.labels).to.not.include('Secret');
      expect(again.values['Expires after']).to.eql(['8 hours']);
      const answer = await again.fill({ Views: '2 views' }).submit().message();
      expect(answer.text).to.match(/VPN\*\* is ready.*\nIt opens twice/);
      expect(answer.text).to.not.match(/still holds/);
      expect((await opens(answer.links[0] ?? '')).body.payload).to.equal(secret);
    });

    it('fills in a refused form again without losing the passphrase, the note or the recipients', async () => {
      const { discord, opens } = stage;
      const [alice, bob, carol] = [discord.user('alice'), discord.user('bob'), discord.user('carol')];
      const rules = await (await alice.runs('/pushes settings').message()).press('Server rules').modal();
      await rules.fill({ 'Most views of a link': '3 views' }).submit().message();
      const form = await alice.runs('/push', { recipient: bob, views: 2, name: 'VPN' }).modal();
      const more = ['Protect it with a passphrase', 'Add a note for yourself'];
      form.fill({ Secret: secret, Recipients: [bob, carol], 'More options': more });
      const asked = await form.submit().message();
      expect(asked.text).to.equal('Nothing has been created yet. A second form asks for the rest.');
      const second = await asked.press('More options').modal();
      expect(second.labels.slice(0, 2)).to.eql(['Passphrase', 'Note']);
      expect(second.values.Recipients).to.eql(['bob', 'carol']);
      second.fill({ Passphrase: 'open sesame', Note: 'for the archive' });
      const refused = await second.submit().message();
      expect(refused.text).to.equal('Views must be at most 1 in this workspace.');
      const again = await refused.press('Fill it in again').modal();
      expect(again.values.Recipients).to.eql(['bob', 'carol']);
      const answer = await again.fill({ Views: '1 view' }).submit().message();
      expect(answer.links).to.eql([]);
      const dm = await bob.dms.next();
      expect(dm.text).to.match(/asks for a passphrase/);
      const link = await linkFor(dm);
      expect((await opens(link)).body.payload).to.equal(undefined);
      expect((await opens(link, 'open sesame')).body.payload).to.equal(secret);
      const { pushes, chat } = stage.service.domain;
      const account = await chat.identities.accountOf({ platform: 'discord', address: alice.id });
      expect((await pushes.list({ account }, 'active', 1))[0]).to.include({
        name: 'VPN',
        note: 'for the archive',
      });
    });

    it('is told that they may no longer push files, and continues without them', async () => {
      const { discord, opens, service } = stage;
      const alice = discord.user('alice');
      expect((await alice.runs('/push').modal()).labels).to.not.include('Files');
      await alice.runs('/pushes list').message(); // makes them an account
      const { email } = await service.domain.chat.identities.accountOf({
        platform: 'discord',
        address: alice.id,
      });
      await service.domain.accounts.setSubscribed(email, true, 'operator');
      expect((await alice.dms.next()).text).to.match(/it may attach files now/);
      const form = await alice.runs('/push').modal();
      await service.domain.accounts.setSubscribed(email, false, 'operator');
      expect((await alice.dms.next()).text).to.match(/it may no longer attach files/);
      const Files = [{ name: 'a.txt', content: secret }];
      const refused = await form.fill({ Secret: secret, Files }).submit().message();
      expect(refused.text).to.match(/File attachments require a subscription/);
      for (const table of ['pushes', 'files']) {
        const [row] = await service.database.select<{ count: number }>(
          `SELECT COUNT(*) AS count FROM ${table}`,
          {},
        );
        expect(Number(row?.count)).to.equal(0);
      }
      const again = await refused.press('Fill it in again').modal();
      expect(again.labels).to.not.include('Files');
      const answer = await again.submit().message();
      expect((await opens(answer.links[0] ?? '')).body.payload).to.equal(secret);
    });

    it('burns, extends and audits a push from the response and from its notice', async () => {
      const { discord, opens } = stage;
      const alice = discord.user('alice');
      const form = await alice.runs('/push', { name: 'VPN' }).modal();
      const answer = await form.fill({ Secret: secret }).submit().message();
      const link = answer.links[0] ?? '';
      await opens(link);
      const notice = await alice.dms.next();
      const before = notice.text;
      await notice.press('Extend by 7 days');
      await discord.until('more time', () => (notice.text === before ? undefined : true));

      const log = await answer.press('Activity').message();
      expect(log.isPrivate).to.equal(true);
      expect(log.text)
        .to.match(/opened/)
        .and.match(/extended/);

      await answer.press('Burn now').edited();
      expect(answer.text).to.match(/Burn this link\?/);
      await answer.press('Keep it').edited();
      expect(answer.text).to.match(/was opened 1 of 5 times/);
      await answer.press('Burn now').edited();
      await answer.press('Burn it').edited();
      expect(answer.text).to.match(/VPN\*\* was burned/);
      await notice.becomes(/was burned\. It had been opened once\./);
      expect((await opens(link)).body.payload).to.equal(null);
    });

    it('shares a push with more people', async () => {
      const { discord } = stage;
      const [alice, bob, carol] = [discord.user('alice'), discord.user('bob'), discord.user('carol')];
      const form = await alice.runs('/push').modal();
      const answer = await form.fill({ Secret: secret }).submit().message();
      const dialog = await answer.press('Send to…').modal();
      const sent = await dialog
        .fill({ 'Who gets it?': [bob, carol] })
        .submit()
        .message();
      expect(sent.text).to.equal('@bob and @carol get a direct message with the link.');
      for (const person of [bob, carol]) expect((await person.dms.next()).text).to.match(/@alice sent you/);
    });

    it('requests a secret, gets it, is declined, and cancels a request', async () => {
      const { discord, opens } = stage;
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const ask = async () => {
        const asked = await alice.runs('/pushes request', { user: bob, reason: 'the VPN' }).message();
        expect(asked.text).to.match(/@bob gets a direct message that asks/);
        return asked;
      };
      await ask();
      const request = await bob.dms.next();
      expect(request.text).to.match(/@alice asks you for a secret\.\nthe VPN/);
      const form = await request.press('Provide secret').modal();
      expect(form.labels).to.not.include('Recipients');
      await form.fill({ Secret: '   ' }).submit();
      const refused = await bob.whispers.next();
      expect(refused.text).to.match(/The secret/);
      const again = await request.press('Provide secret').modal();
      await again.fill({ Secret: secret }).submit();
      await request.becomes(/You sent @alice the secret/);
      const given = await alice.dms.next();
      expect(given.text).to.match(/@bob sent you a secret/);
      const link = await linkFor(given);

      await ask();
      const second = await bob.dms.next();
      await second.press('Decline');
      await second.becomes(/You declined/);
      expect((await alice.dms.next()).text).to.match(/@bob declined/);

      const asked = await ask();
      const last = await bob.dms.next();
      await asked.press('Cancel');
      await asked.becomes(/You no longer ask @bob/);
      await last.becomes(/@alice no longer asks you/);
      expect((await opens(link)).body.payload).to.equal(secret);
    });

    it('answers a request by a second form, or by one that is filled in again, and the requester gets it', async () => {
      const { discord, opens } = stage;
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const ask = async () => {
        await alice.runs('/pushes request', { user: bob, reason: 'the VPN' }).message();
        return bob.dms.next();
      };
      const first = await (await ask()).press('Provide secret').modal();
      first.fill({ Secret: secret, 'More options': ['Add a note for yourself'] });
      const more = await (await first.submit().message()).press('More options').modal();
      await more.fill({ Note: 'for the archive' }).submit();
      const links = [await linkFor(await alice.dms.next())];

      const second = await (await ask()).press('Provide secret').modal();
      const refused = await second.fill({ Secret: '   ' }).submit().message();
      expect(refused.text).to.match(/The secret/);
      const again = await refused.press('Fill it in again').modal();
      await again.fill({ Secret: secret }).submit();
      links.push(await linkFor(await alice.dms.next()));
      for (const link of links) expect((await opens(link)).body.payload).to.equal(secret);
    });

    it('pushes the text of a message, and is reminded that the message still contains it', async () => {
      const { discord, opens } = stage;
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const message = bob.says('hunter2 & <more> http://example.com/x');
      const form = await alice.opens(message).menu('Share securely').modal();
      expect(form.values.Secret).to.equal('hunter2 & <more> http://example.com/x');
      const answer = await form.submit().message();
      expect(answer.text).to.match(/still holds the secret/);
      const { payload } = (await opens(answer.links[0] ?? '')).body;
      expect(payload).to.equal('hunter2 & <more> http://example.com/x');
    });

    it('sends and requests a secret from the context menu of a user', async () => {
      const { discord } = stage;
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const form = await alice.opens(bob).menu('Send a secret').modal();
      expect(form.values.Recipients).to.eql(['bob']);
      await form.fill({ Secret: secret }).submit().message();
      expect((await bob.dms.next()).text).to.match(/@alice sent you a secret.*\nIt opens once/);

      const request = await alice.opens(bob).menu('Request a secret').modal();
      await request.fill({ 'What for?': 'the VPN' }).submit().message();
      expect((await bob.dms.next()).text).to.match(/the VPN/);
    });

    it('uses the app in channels, with the bot and between users, installed by a server or by themselves', async () => {
      const { discord } = stage;
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      alice.addsApp();
      for (const place of [undefined, alice.botDm, discord.group('us', [alice, bob])]) {
        const form = await alice.runs('/push', {}, place && { in: place }).modal();
        const answer = await form.fill({ Secret: secret }).submit().message();
        expect(answer.text).to.match(/is ready/);
        expect(answer.isPrivate).to.equal(true);
      }
    });

    it('lists pushes, is offered them while typing, burns one by name, and chooses when the name is ambiguous', async () => {
      const { discord } = stage;
      const alice = discord.user('alice');
      for (const name of ['VPN', 'Wifi', undefined]) {
        const form = await alice.runs('/push', name === undefined ? {} : { name }).modal();
        await form.fill({ Secret: secret }).submit().message();
      }
      const list = await alice.runs('/pushes list').message();
      expect(list.text).to.match(/VPN/).and.match(/Wifi/);
      const state = await list.choose('Wifi', { at: 'Choose one …' }).message();
      expect(state.text).to.match(/Wifi\*\* has not been opened yet/);

      const offered = await alice.types('/pushes expire', { push: '' }).choices();
      expect(offered.map(({ name }) => name)).to.have.length(3);
      expect(offered.map(({ name }) => name).join()).to.match(/Created /);
      const [vpn] = await alice.types('/pushes expire', { push: 'vp' }).choices();
      expect(vpn?.name).to.equal('VPN');
      expect((await alice.runs('/pushes expire', { push: vpn?.value }).message()).text).to.match(
        /VPN\*\* was burned/,
      );
      expect((await alice.runs('/pushes expire', { push: 'wifi' }).message()).text).to.match(
        /Wifi\*\* was burned/,
      );
      const choice = await alice.runs('/pushes expire').message();
      expect(choice.text).to.match(/Which link\?/);
      const log = await alice.runs('/pushes audit', { push: 'wifi' }).message();
      expect(log.text)
        .to.match(/Wifi\*\*: 0 of 5 views used/)
        .and.match(/created/);
      expect((await alice.runs('/pushes help').message()).text).to.match(/opens a form/);
      expect(await discord.user('bob').types('/pushes audit', { push: '' }).choices()).to.eql([]);
    });

    it('cancels a request from the list', async () => {
      const { discord } = stage;
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      await alice.runs('/pushes request', { user: bob }).message();
      const list = await alice.runs('/pushes list').message();
      expect(list.text).to.match(/Waiting for @bob/);
      const [option] = /Request, asked [^"]*/.exec(JSON.stringify(list.sent.components)) ?? [];
      const alone = await list.choose(option).message();
      await alone.press('Cancel').edited();
      expect(alone.text).to.match(/You no longer ask @bob/);
    });

    it('sets defaults for their own pushes and, as a manager, rules for the server', async () => {
      const { discord } = stage;
      const alice = discord.user('alice');
      const mine = await alice.runs('/pushes settings', {}, { in: alice.botDm }).modal();
      expect(mine.labels).to.not.include('Rules');
      const toldOf = ['A link expires', 'Somebody asks for a link that is over'];
      await mine
        .fill({ 'My links open': '3 views', 'Notify me of views': 'Never', 'Notify me when': toldOf })
        .submit()
        .message();
      const viewsOf = async () => {
        const form = await alice.opens(discord.user('bob')).menu('Send a secret').modal();
        form.fill({ Secret: secret, 'More options': ['Set the number of views'] });
        return (await form.submit().message()).press('More options').modal();
      };
      expect((await viewsOf()).values.Views).to.eql(['Default (3 views)']);

      const which = await alice.runs('/pushes settings').message();
      const { values } = await which.press('My settings').modal();
      expect(values['Notify me of views']).to.eql(['Never']);
      expect(values['Notify me when']).to.eql(toldOf);
      const rules = await which.press('Server rules').modal();
      await rules
        .fill({ Rules: ['Every link needs recipients'], 'Most views of a link': '2 views' })
        .submit()
        .message();
      expect((await viewsOf()).optionsOf('Views').slice(1)).to.eql(['1 view', '2 views']);
      const lone = await alice.runs('/push', { views: 9 }).modal();
      await lone.fill({ Secret: secret }).submit();
      expect(lone.errors).to.have.keys(['Recipients']);
      const refused = await lone
        .fill({ Recipients: [discord.user('bob')] })
        .submit()
        .message();
      expect(refused.text).to.match(/Views must be at most 2 in this workspace/);
    });

    it('signs in on the web by a link that only they see', async () => {
      const { discord } = stage;
      const alice = discord.user('alice');
      const answer = await alice.runs('/pushes connect').message();
      expect(answer.isPrivate).to.equal(true);
      const page = await fetch(answer.urlOf('Connect'));
      expect(page.status).to.equal(200);
      expect(await page.text()).to.include('@alice');

      const forms = createForms(stage.service.domain, stage.client);
      const path = new URL(answer.urlOf('Connect')).pathname;
      const asked = await forms.submit(path, await forms.loadForm(path));
      const cookie = asked.headers['set-cookie']?.map((line) => line.split(';')[0]).join('; ') ?? '';
      const code = /<code>(\d{6})<\/code>/.exec((await stage.client.get('/connect', { cookie })).text)?.[1];
      const dm = await alice.dms.next();
      expect(dm.text).to.match(/A browser wants to sign in as you/);
      const modal = await dm.press('Enter the code').modal();
      const wrong = await modal.fill({ Code: 'x' }).submit().message();
      expect(wrong.text).to.match(/The code is incorrect/);
      const again = await (await alice.runs('/pushes connect').message()).press('Enter the code').modal();
      expect((await again.fill({ Code: code }).submit().edited()).text).to.match(/being signed in/);
      expect((await stage.client.get('/connect', { cookie })).headers.location).to.equal('/pushes');
    });
  });
}

describe('Files in Discord', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await startStage({ environment: { FILES: 'everyone', MAX_FILE_MIB: '1' } });
  });

  afterEach(() => stage.stop([secret]));

  it('are pushed with or without a text, and downloaded by their recipients', async () => {
    const { discord, opens, client } = stage;
    const [alice, bob] = [discord.user('alice'), discord.user('bob')];
    const form = await alice.runs('/push', { recipient: bob }).modal();
    const Files = [
      { name: 'key.pem', content: secret },
      { name: 'b.bin', content: 'b'.repeat(100_000) },
    ];
    await form.fill({ Files }).submit().message();
    const dm = await bob.dms.next();
    const { body } = await opens(await linkFor(dm));
    const files = body.files as { filename: string; size: number; url: string }[];
    expect(files.map(({ filename, size }) => [filename, size])).to.eql([
      ['key.pem', Buffer.byteLength(secret)],
      ['b.bin', 100_000],
    ]);
    expect((await client.get(new URL(String(files[0]?.url)).pathname)).text).to.equal(secret);
  });

  it('of a message come along, but for those that are deselected', async () => {
    const { discord, opens, client } = stage;
    const [alice, bob] = [discord.user('alice'), discord.user('bob')];
    const files = [
      { name: 'key.pem', content: secret },
      { name: 'cat.png', content: 'meow', type: 'image/png' },
    ];
    const form = await alice.opens(bob.says('the key', { files })).menu('Share securely').modal();
    expect(form.values.Secret).to.equal('the key');
    expect(form.values['Files of that message']).to.eql(['key.pem', 'cat.png']);
    const answer = await form
      .fill({ 'Files of that message': ['key.pem'] })
      .submit()
      .message();
    expect(answer.text)
      .to.match(/is ready/)
      .and.to.match(/still holds the secret/);
    const { body } = await opens(answer.links[0] ?? '');
    const pushed = body.files as { filename: string; url: string }[];
    expect([body.payload, pushed.map(({ filename }) => filename)]).to.eql(['the key', ['key.pem']]);
    expect((await client.get(new URL(String(pushed[0]?.url)).pathname)).text).to.equal(secret);
  });

  it('of a message without text come along', async () => {
    const { discord, opens } = stage;
    const message = discord.user('bob').says('', { files: [{ name: 'key.pem', content: secret }] });
    const form = await discord.user('alice').opens(message).menu('Share securely').modal();
    const answer = await form.submit().message();
    expect((await opens(answer.links[0] ?? '')).body.files).to.have.length(1);
  });

  it('of a message stay chosen while the form is corrected', async () => {
    const { discord, opens } = stage;
    const files = [
      { name: 'key.pem', content: secret },
      { name: 'big.bin', content: 'b'.repeat(1_048_577) },
    ];
    const message = discord.user('bob').says('the key', { files });
    const form = await discord.user('alice').opens(message).menu('Share securely').modal();
    const refused = await form.submit().message();
    expect(refused.text).to.match(/A file may have at most 1 MB/);
    const again = await refused.press('Fill it in again').modal();
    expect(again.values['Files of that message']).to.eql(['key.pem', 'big.bin']);
    const answer = await again
      .fill({ 'Files of that message': ['key.pem'] })
      .submit()
      .message();
    const { body } = await opens(answer.links[0] ?? '');
    expect(body.payload).to.equal('the key');
    expect(body.files).to.have.length(1);
  });

  it('answer a request', async () => {
    const { discord, opens } = stage;
    const [alice, bob] = [discord.user('alice'), discord.user('bob')];
    await alice.runs('/pushes request', { user: bob, reason: 'the key' }).message();
    const request = await bob.dms.next();
    const form = await request.press('Provide secret').modal();
    await form.fill({ Files: [{ name: 'key.pem', content: secret }] }).submit();
    const link = await linkFor(await alice.dms.next());
    expect((await opens(link)).body.files).to.have.length(1);
  });

  it('are refused when they are too large, and leave nothing behind', async () => {
    const { discord, service } = stage;
    const form = await discord.user('alice').runs('/push').modal();
    const Files = [{ name: 'a.bin', content: 'a'.repeat(1_048_577) }];
    const refused = await form.fill({ Secret: secret, Files }).submit().message();
    expect(refused.text).to.match(/A file may have at most 1 MB/);
    await service.domain.files.shredDue();
    for (const table of ['pushes', 'files']) {
      const [row] = await service.database.select<{ count: number }>(
        `SELECT COUNT(*) AS count FROM ${table}`,
        {},
      );
      expect(Number(row?.count)).to.equal(0);
    }
  });

  it('of a message do not come along for those who may not push files, who are told so', async () => {
    await stage.stop([secret]);
    stage = await startStage({ environment: { FILES: 'off' } });
    const { discord, opens } = stage;
    const files = [{ name: 'key.pem', content: secret }];
    const message = discord.user('bob').says('the key', { files });
    const form = await discord.user('alice').opens(message).menu('Share securely').modal();
    expect(form.labels).to.not.include('Files of that message');
    expect(JSON.stringify(form.view.components)).to.include('You may not attach files here');
    const answer = await form.submit().message();
    expect((await opens(answer.links[0] ?? '')).body).to.include({ payload: 'the key' });
  });

  it('or a secret are required in the form', async () => {
    const form = await stage.discord.user('alice').runs('/push').modal();
    const refused = await form.submit().message();
    expect(refused.text).to.match(/The secret must/);
  });
});
