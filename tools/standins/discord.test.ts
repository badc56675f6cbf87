import { expect } from 'chai';
import { type Client, type Interaction, MessageFlags, type REST } from 'discord.js';
import { type Discord, startDiscord } from './discord/discord.ts';
import {
  button,
  ephemeral,
  failure,
  link,
  pushModal,
  quiet,
  register,
  restOf,
  row,
  startBot,
} from './discordBot.ts';

const ackLimitMs = 100_000;

describe('The Discord stand-in', () => {
  let discord: Discord;
  let errors: Error[];
  const stops: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    discord = await startDiscord({ ackLimitMs, validatesOwnResponses: true });
    errors = [];
  });

  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    await discord.stop();
    expect(errors).to.deep.equal([]);
    discord.verify();
  });

  async function bot(listen: (interaction: Interaction) => unknown): Promise<Client> {
    const started = await startBot(discord, listen);
    errors = started.errors;
    stops.push(started.stop);
    return started.client;
  }

  /** A bot that records interactions, and a client to send responses that discord.js would not send. */
  async function recordingBot() {
    const interactions: Interaction[] = [];
    await bot((interaction) => interactions.push(interaction));
    const rest = restOf(discord);
    const answer = (type: number, data?: object) => {
      const { id, token } = interactions.at(-1) ?? {};
      return rest.post(`/interactions/${id}/${token}/callback`, { body: { type, data }, auth: false });
    };
    const follow = (body: object) =>
      rest.post(`/webhooks/${discord.applicationId}/${interactions.at(-1)?.token}`, { body, auth: false });
    const nextInteraction = (count = 1) =>
      discord.until('it', () => (interactions.length >= count ? interactions.at(-1) : undefined));
    return { interactions, rest, answer, follow, nextInteraction };
  }

  const codeOf = async (doing: Promise<unknown>) => (await failure(doing)).code;

  describe('for commands', () => {
    it('registers commands, which keep their ids as long as they keep their names', async () => {
      const [first] = (await register(discord)) as { id: string; name: string }[];
      const path = `/applications/${discord.applicationId}/commands` as const;
      const rest = restOf(discord);
      await rest.put(path, {
        body: [
          { name: 'help', description: 'Helps' },
          { name: 'push', description: 'Pushes' },
        ],
      });
      const now = (await rest.get(path)) as { id: string; name: string }[];
      expect(now.map(({ name }) => name)).to.deep.equal(['help', 'push']);
      expect(now[1]?.id).to.equal(first?.id);
      expect(now[0]?.id).to.not.equal(first?.id);
      const other = rest.put('/applications/123456789012345678/commands', { body: [] });
      expect(await codeOf(other)).to.equal(20012);
      expect(discord.takeComplaints()).to.have.length(1);
    });

    it('shows the modal that a command opens, and the private response to its submission', async () => {
      await bot(async (interaction) => {
        if (interaction.isChatInputCommand()) await interaction.showModal(pushModal);
        if (!interaction.isModalSubmit()) return;
        const { fields } = interaction;
        const content = [
          fields.getTextInputValue('secret').length,
          fields.getSelectedUsers('people')?.map(({ username }) => username),
          fields.getStringSelectValues('expires'),
          fields.getUploadedFiles('files')?.map(({ name, size }) => `${name} ${size}`),
        ].join(' · ');
        const components = [row(button('Burn now', 'burn'), link('Open', 'https://push.test/p/1'))];
        await interaction.reply({ content, components, flags: ephemeral });
      });
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const modal = await alice.runs('/push').modal();
      expect([modal.title, modal.labels]).to.deep.equal([
        'New push',
        ['Secret', 'Recipients', 'Expires', 'Files', 'Note'],
      ]);
      expect(modal.values).to.deep.equal({
        ...{ Secret: '', Recipients: [], Expires: ['A week'], Files: [], Note: '' },
      });
      expect(modal.optionsOf('Expires')).to.deep.equal(['A day', 'A week']);
      const file = { name: 'key.pem', content: 'tulip' };
      const filled = modal.fill({ Secret: 'tulip', Recipients: bob, Expires: 'A day', Files: [file] });
      expect(filled.values).to.deep.include({ Recipients: ['bob'], Files: ['key.pem'] });
      const answer = await filled.submit().message();
      expect(answer.text).to.equal('5 · bob · 1 · key.pem 5');
      expect([answer.isPrivate, modal.isOpen, alice.modal]).to.deep.equal([true, false, undefined]);
      expect(answer.buttons).to.deep.equal(['Burn now', 'Open']);
      expect(answer.urlOf('Open')).to.equal('https://push.test/p/1');
      expect(answer.links).to.deep.equal(['https://push.test/p/1']);
      expect(alice.whispers.last().text).to.equal(answer.text);
      expect(bob.whispers.count).to.equal(0);
      expect(() => bob.sees(answer)).to.throw('bob does not see it');
      discord.verify({ secrets: ['tulip'] });
    });

    it('sends the user, the place and the options of a command', async () => {
      const { interactions, answer, nextInteraction } = await recordingBot();
      const [alice, bob] = [discord.user('alice', { locale: 'de' }), discord.user('bob')];
      const act = alice.runs('/push', { recipient: bob, views: 3, expires: 'A week' });
      const interaction = await nextInteraction();
      await answer(4, { content: 'x' });
      expect((await act).response).to.equal('CHANNEL_MESSAGE_WITH_SOURCE');
      if (!interaction.isChatInputCommand()) throw new Error('no command');
      const { options, user, locale, guildId, context, authorizingIntegrationOwners } = interaction;
      expect([user.id, locale, guildId, context]).to.deep.equal([alice.id, 'de', discord.server.id, 0]);
      expect([options.getUser('recipient')?.username, options.getInteger('views')]).to.deep.equal(['bob', 3]);
      expect(options.getString('expires')).to.equal('d7');
      expect({ ...authorizingIntegrationOwners.toJSON() }).to.include({ 0: discord.server.id });
      expect(interactions).to.have.length(1);
    });

    it('distinguishes servers, direct messages with the bot and direct messages with others', async () => {
      const { answer, nextInteraction } = await recordingBot();
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const group = discord.group('us', [alice, bob]);
      const seen: unknown[] = [];
      alice.addsApp();
      for (const place of [undefined, alice.botDm, group, discord.dm(alice, bob)]) {
        const act = alice.runs('/push', {}, place ? { in: place } : {});
        const { context, authorizingIntegrationOwners: owners } = await nextInteraction(seen.length + 1);
        seen.push([context, owners.guildId !== null, owners.userId !== null]);
        await answer(4, { content: 'x', flags: ephemeral });
        await act;
      }
      expect(seen).to.deep.equal([
        [0, true, true],
        [1, true, true],
        [2, false, true],
        [2, false, true],
      ]);
    });

    it('offers commands only where they are registered, installed and allowed', async () => {
      await register(discord, [{ name: 'serve', description: 'x', contexts: [0], integration_types: [0] }]);
      const elsewhere = discord.guild('Initech', { hasApp: false });
      const [alice, carol] = [discord.user('alice'), discord.user('carol', { guilds: [elsewhere] })];
      const group = discord.group('us', [alice, carol]);
      expect(() => alice.runs('/tulip')).to.throw('no command “tulip”, only push, pushes, serve');
      expect(() => alice.runs('/push', {}, { in: group })).to.throw('not offered to alice in us');
      expect(() => carol.runs('/push')).to.throw('not offered to carol');
      expect(() => alice.runs('/serve', {}, { in: alice.botDm })).to.throw('not offered');
      expect(() =>
        alice.runs('/push', {}, { in: discord.channel('general', { guild: elsewhere }) }),
      ).to.throw('alice does not see general');
      expect(() => alice.opens(carol).menu('Push securely')).to.throw('no command “Push securely”');
    });

    it('rejects options that Discord would not let anybody send', async () => {
      await register(discord);
      const alice = discord.user('alice');
      for (const [line, options, what] of [
        ['/push', { tulip: 1 }, 'no option tulip'],
        ['/push', { views: 0 }, 'too small or too large'],
        ['/push', { views: 1.5 }, 'wants a number'],
        ['/push', { expires: 'd7' }, 'offers A day, A week, not d7'],
        ['/push', { recipient: '1' }, 'nothing with the id 1'],
        ['/pushes expire', {}, 'the option push is required'],
        ['/pushes', {}, 'needs one of its subcommands'],
        ['/pushes tulip', {}, '“pushes” has no “tulip”'],
      ] as const) {
        expect(() => alice.runs(line, options), line).to.throw(what);
      }
    });

    it('offers the app’s choices to a user who types', async () => {
      await bot(async (interaction) => {
        if (!interaction.isAutocomplete()) return;
        const { name, value } = interaction.options.getFocused(true);
        const subcommand = interaction.options.getSubcommand();
        await interaction.respond([{ name: `${subcommand} ${name} ${value}`, value: 'id-1' }]);
      });
      const alice = discord.user('alice');
      const offered = await alice.types('/pushes expire', { push: 'gr' }).choices();
      expect(offered).to.deep.equal([{ name: 'expire push gr', value: 'id-1' }]);
    });

    it('runs the commands in the menus of messages and users', async () => {
      await bot(async (interaction) => {
        if (interaction.isMessageContextMenuCommand())
          await interaction.reply({
            content: `Pushed: ${interaction.targetMessage.content}`,
            flags: ephemeral,
          });
        if (interaction.isUserContextMenuCommand())
          await interaction.reply({ content: `For ${interaction.targetUser.username}`, flags: ephemeral });
      });
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const pushed = await alice.opens(bob.says('look')).menu('Push securely').message();
      expect(pushed.text).to.equal('Pushed: look');
      expect((await alice.opens(pushed).menu('Push securely').message()).text).to.equal(
        'Pushed: Pushed: look',
      );
      expect((await alice.opens(bob).menu('Send a secret').message()).text).to.equal('For bob');
    });
  });

  describe('for responses', () => {
    it('shows a deferred response only once it is complete', async () => {
      let go = () => {};
      const gone = new Promise<void>((resolve) => {
        go = resolve;
      });
      await bot(async (interaction) => {
        if (!interaction.isChatInputCommand()) return;
        await interaction.deferReply({ flags: ephemeral });
        await gone;
        await interaction.editReply({ content: 'Done', components: [row(button('Burn', 'burn'))] });
      });
      const alice = discord.user('alice');
      const act = alice.runs('/push');
      expect((await act).response).to.equal('DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE');
      expect(alice.whispers.count).to.equal(0);
      expect(() => discord.verify({ complete: true })).to.throw('the command /push was deferred, and never');
      go();
      const answer = await act.message();
      discord.verify({ complete: true });
      expect([answer.text, answer.isPrivate, answer.edits]).to.deep.equal(['Done', true, 0]);
    });

    it('returns, edits and deletes responses when the app asks for it', async () => {
      const seen: unknown[] = [];
      await bot(async (interaction) => {
        if (!interaction.isChatInputCommand()) return;
        const reply = await interaction.reply({ content: 'One', flags: ephemeral, withResponse: true });
        const { id } = reply.resource?.message ?? {};
        seen.push(reply.resource?.message?.content, reply.interaction.responseMessageEphemeral);
        const fetched = await interaction.fetchReply();
        seen.push(fetched.id === id, fetched.flags.has(ephemeral), fetched.webhookId);
        await interaction.editReply('Two');
        const more = await interaction.followUp({ content: 'Three', flags: ephemeral });
        await interaction.editReply({ message: more, content: 'Four' });
        await interaction.deleteReply();
        seen.push(await codeOf(interaction.fetchReply()));
      });
      const alice = discord.user('alice');
      const answer = await alice.runs('/push').message();
      await answer.vanishes();
      await discord.until('all', () => (seen.length === 6 ? true : undefined));
      expect(seen).to.deep.equal(['One', true, true, true, discord.applicationId, 10008]);
      expect(answer.text).to.equal('Two');
      expect(alice.whispers.all().map(({ text }) => text)).to.deep.equal(['Four']);
      expect(discord.takeComplaints()).to.have.length(1);
    });

    it('shows responses and their files to everybody unless they are private', async () => {
      await bot(async (interaction) => {
        if (!interaction.isChatInputCommand()) return;
        const files = [{ attachment: Buffer.from('a picture'), name: 'qr.txt', description: 'A code' }];
        await interaction.reply({ content: 'For all', files });
      });
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const answer = await alice.runs('/push').message();
      expect(bob.sees(answer).text).to.equal('For all\nqr.txt');
      const [file] = answer.files;
      expect(file).to.deep.include({ filename: 'qr.txt', description: 'A code', size: 9 });
      const fetchFile = () => fetch(String(file?.url));
      expect(await (await fetchFile()).text()).to.equal('a picture');
      discord.passes(25 * 3_600_000);
      expect((await fetchFile()).status).to.equal(404);
      expect(() => discord.verify({ secrets: ['picture'] })).to.throw('create_interaction_response');
    });

    it('applies what buttons and menus do to a message, at once, later or not at all', async () => {
      await bot(async (interaction) => {
        if (interaction.isChatInputCommand()) {
          const buttons = ['now', 'later', 'modal'].map((id) => button(`Burn ${id}`, id));
          const menu = { type: 5, custom_id: 'who', placeholder: 'Send to…' } as const;
          await interaction.reply({
            content: `Made for ${interaction.user}`,
            components: [
              row(...buttons, button('Gone', 'gone').setDisabled()),
              { type: 1, components: [menu] },
            ],
            ...{ flags: ephemeral, allowedMentions: { parse: [] } },
          });
        }
        if (interaction.isUserSelectMenu())
          await interaction.update(`To ${interaction.users.first()?.username}`);
        if (interaction.isModalSubmit() && interaction.isFromMessage())
          await interaction.update(`From ${interaction.message.content}`);
        if (!interaction.isButton()) return;
        if (interaction.customId === 'now') await interaction.update('Burned');
        if (interaction.customId === 'modal') await interaction.showModal(pushModal);
        if (interaction.customId !== 'later') return;
        await interaction.deferUpdate();
        await interaction.editReply({ content: 'Burned later' });
        await interaction.followUp({ content: 'And this', flags: ephemeral });
      });
      const alice = discord.user('alice');
      const answer = await alice.runs('/push').message();
      expect([answer.text, answer.mentions]).to.deep.equal(['Made for @alice', []]);
      const act = answer.press('Burn later');
      expect((await act.message()).text).to.equal('And this');
      expect(answer.text).to.equal('Burned later');
      await answer.press('Burn now').edited();
      expect(answer.text).to.equal('Burned');
      const modal = await answer.press('Burn modal').modal();
      await modal.fill({ Secret: 'abc' }).submit();
      expect(answer.text).to.equal('From Burned');
      await answer.choose(discord.user('bob'), { at: 'Send to…' });
      expect([answer.text, answer.edits]).to.deep.equal(['To bob', 4]);
      expect([answer.isDisabled('Gone'), answer.isDisabled('Burn now')]).to.deep.equal([true, false]);
      expect(() => answer.press('Gone')).to.throw('“Gone” is disabled');
      expect(() => answer.press('Tulip')).to.throw('no button “Tulip”, only Burn now, Burn later');
    });

    it('notifies the users mentioned in a response unless that is forbidden, and everybody mentioned in a message', async () => {
      const { answer, follow, nextInteraction, rest } = await recordingBot();
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const act = alice.runs('/push');
      await nextInteraction();
      const content = `${bob.mention} @everyone`;
      await answer(4, { content });
      expect((await act.message()).mentions).to.deep.equal(['bob']);
      await follow({ content, flags: ephemeral, allowed_mentions: { parse: ['everyone'], users: [] } });
      expect(alice.whispers.last().mentions).to.deep.equal(['everyone']);
      await rest.post(`/channels/${alice.botDm.id}/messages`, { body: { content } });
      expect(alice.dms.last().mentions).to.deep.equal(['bob', 'everyone']);
    });

    it('treats the first follow-up as the deferred response', async () => {
      const { answer, follow, nextInteraction } = await recordingBot();
      const alice = discord.user('alice');
      const act = alice.runs('/push');
      await nextInteraction();
      await answer(5);
      await follow({ content: 'Public, though', flags: ephemeral });
      await follow({ content: 'Private', flags: ephemeral });
      expect([(await act.message()).text, alice.whispers.count]).to.deep.equal(['Public, though', 1]);
    });

    it('refuses a second response, even a modal after a deferral', async () => {
      const { answer, nextInteraction } = await recordingBot();
      const act = discord.user('alice').runs('/push');
      await nextInteraction();
      await answer(5, { flags: ephemeral });
      expect(await codeOf(answer(9, pushModal.toJSON()))).to.equal(40060);
      expect(await codeOf(answer(4, { content: 'x' }))).to.equal(40060);
      await act;
      expect(discord.takeComplaints()).to.deep.equal(
        Array(2).fill('the answer to the command /push: it was answered before'),
      );
    });

    it('refuses a late response, and everything that follows', async () => {
      const { answer, follow, nextInteraction } = await recordingBot();
      const act = discord.user('alice').runs('/push');
      await nextInteraction();
      discord.passes(ackLimitMs + 1);
      expect((await act).error).to.equal('The application did not respond');
      expect((await failure(act.message())).message).to.match(/Discord showed “The application did not/);
      expect(await codeOf(answer(4, { content: 'x' }))).to.equal(10062);
      expect(await codeOf(follow({ content: 'x' }))).to.equal(10015);
      const [late, tooLate] = discord.takeComplaints();
      expect(late).to.equal('the command /push was not answered within 100000 ms (HTTP none)');
      expect(tooLate).to.match(/^the answer to the command \/push came \d+ ms too late$/);
    });

    it('refuses follow-ups before the first response and after fifteen minutes', async () => {
      const { answer, follow, nextInteraction } = await recordingBot();
      const act = discord.user('alice').runs('/push');
      await nextInteraction();
      expect(await codeOf(follow({ content: 'x' }))).to.equal(10015);
      await answer(4, { content: 'x' });
      await act;
      discord.passes(14 * 60_000);
      await follow({ content: 'in time' });
      discord.passes(60_000);
      expect((await failure(follow({ content: 'x' }))).status).to.equal(401);
      expect(await codeOf(follow({ content: 'x' }))).to.equal(50027);
      expect(discord.takeComplaints()).to.have.length(3);
    });

    it('refuses responses that do not fit the interaction', async () => {
      const { answer, nextInteraction } = await recordingBot();
      const alice = discord.user('alice');
      let count = 0;
      const refused = async (act: Promise<unknown>, ...types: number[]) => {
        count += 1;
        await nextInteraction(count);
        for (const type of types)
          expect(await codeOf(answer(type, { choices: [] })), `${type}`).to.equal(50035);
        await answer(types.includes(8) ? 4 : 8, {
          content: 'x',
          components: [row(button('B', 'b')).toJSON()],
        }).catch(() => answer(8, { choices: [] }));
        await act;
      };
      await refused(alice.runs('/push'), 1, 6, 7, 8, 12);
      await refused(alice.types('/pushes expire', { push: '' }), 4, 5, 9);
      const message = discord.user('alice').whispers.count;
      expect(message).to.equal(0);
      expect(discord.takeComplaints().join()).to.match(/type: must be one of 4, 5, 9, not 6/);
    });

    it('allows five follow-ups where only the user has installed the app', async () => {
      const { answer, follow, nextInteraction } = await recordingBot();
      const elsewhere = discord.guild('Initech', { hasApp: false });
      const carol = discord.user('carol', { guilds: [elsewhere] });
      carol.addsApp();
      const act = carol.runs('/push');
      await nextInteraction();
      await answer(4, { content: 'x', flags: ephemeral });
      await act;
      for (let count = 0; count < 5; count += 1) await follow({ content: `${count}`, flags: ephemeral });
      expect(await codeOf(follow({ content: 'x' }))).to.equal(40094);
      expect(carol.whispers.count).to.equal(6);
      expect(discord.takeComplaints()).to.have.length(1);
    });

    it('refuses responses to unknown interactions', async () => {
      const rest = restOf(discord);
      const body = { type: 4, data: { content: 'x' } };
      expect(await codeOf(rest.post('/interactions/1/tulip/callback', { body, auth: false }))).to.equal(
        10062,
      );
      const follow = rest.post(`/webhooks/${discord.applicationId}/tulip`, {
        body: { content: 'x' },
        auth: false,
      });
      expect(await codeOf(follow)).to.equal(10015);
      expect(discord.takeComplaints()).to.have.length(2);
    });
  });

  describe('for modals', () => {
    it('does not submit an incomplete modal to the app', async () => {
      let submissions = 0;
      await bot(async (interaction) => {
        if (interaction.isChatInputCommand()) await interaction.showModal(pushModal);
        if (!interaction.isModalSubmit()) return;
        submissions += 1;
        await interaction.reply({ content: 'x', flags: ephemeral });
      });
      const alice = discord.user('alice');
      const modal = await alice.runs('/push').modal();
      await modal.fill({ Expires: [] }).submit();
      expect(modal.errors).to.have.all.keys('Secret', 'Expires');
      const people = ['alice', 'bob', 'eve'].map((name) => discord.user(name));
      await modal.fill({ Secret: 'x'.repeat(51), Recipients: people, Expires: 'A day' }).submit();
      expect(modal.errors).to.deep.equal({
        Secret: 'Must be 50 or fewer in length.',
        Recipients: 'At most 2, please.',
      });
      await modal.fill({ Secret: 'xy' }).submit();
      expect(modal.errors.Secret).to.equal('Must be 3 or more in length.');
      expect([submissions, modal.isOpen]).to.deep.equal([0, true]);
      await modal.fill({ Secret: 'xyz', Recipients: [] }).submit();
      expect([submissions, modal.isOpen, modal.errors]).to.deep.equal([1, false, {}]);
      expect(() => modal.fill({})).to.throw('the modal is closed');
      expect(() => modal.optionsOf('Tulip')).to.throw('there is no “Tulip”, only Secret');
    });

    it('keeps a modal open when the app does not respond, and closes it without telling the app', async () => {
      const { interactions, answer, nextInteraction } = await recordingBot();
      const alice = discord.user('alice');
      const act = alice.runs('/push');
      await nextInteraction();
      await answer(9, pushModal.toJSON());
      const modal = await act.modal();
      const submission = modal.fill({ Secret: 'tulip' }).submit();
      await nextInteraction(2);
      discord.passes(ackLimitMs + 1);
      expect([(await submission).error, modal.isOpen]).to.deep.equal([
        'The application did not respond',
        true,
      ]);
      expect(alice.modal?.values.Secret).to.equal('tulip');
      modal.close();
      expect([alice.modal, interactions.length]).to.deep.equal([undefined, 2]);
      expect(discord.takeComplaints()).to.have.length(1);
    });

    it('supports radio buttons, checkboxes, texts and the older action rows', async () => {
      const modal = {
        ...{ custom_id: 'all', title: 'All' },
        components: [
          { type: 10, content: 'Read this' },
          { type: 1, components: [{ type: 4, custom_id: 'old', style: 1, label: 'Old' }] },
          { type: 18, label: 'One', component: { type: 21, custom_id: 'one', options: options('a', 'b') } },
          { type: 18, label: 'Some', component: { type: 22, custom_id: 'some', options: options('a', 'b') } },
          { type: 18, label: 'Yes', component: { type: 23, custom_id: 'yes' } },
        ],
      };
      const { answer, nextInteraction } = await recordingBot();
      const act = discord.user('alice').runs('/push');
      await nextInteraction();
      await answer(9, modal);
      const shown = await act.modal();
      const submission = shown.fill({ Old: 'x', One: 'B', Some: ['A', 'B'], Yes: true }).submit();
      const interaction = await nextInteraction(2);
      if (!interaction.isModalSubmit()) throw new Error('no submission');
      const { fields } = interaction;
      expect([fields.getTextInputValue('old'), fields.getRadioGroup('one')]).to.deep.equal(['x', 'b']);
      expect([fields.getCheckboxGroup('some'), fields.getCheckbox('yes')]).to.deep.equal([['a', 'b'], true]);
      await answer(4, { content: 'x' });
      await submission;
    });

    const options = (...values: string[]) => values.map((value) => ({ label: value.toUpperCase(), value }));
  });

  describe('for direct messages', () => {
    let rest: REST;

    beforeEach(() => {
      rest = restOf(discord);
    });

    const open = async (recipient_id: string) =>
      (await rest.post('/users/@me/channels', { body: { recipient_id } })) as { id: string };

    it('sends, edits and deletes them with discord.js', async () => {
      const client = await bot(() => {});
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const person = await client.users.fetch(alice.id);
      const message = await person.send({ content: `See https://push.test, ${bob.mention}`, ...quiet });
      const seen = await alice.dms.next();
      expect([seen.text, seen.isUnfurled, seen.mentions]).to.deep.equal([
        'See https://push.test, @bob',
        false,
        [],
      ]);
      await message.edit({ content: 'Viewed', components: [row(button('Burn now', 'burn'))] });
      await seen.becomes('Viewed');
      expect([alice.dms.last().buttons, alice.dms.count, bob.dms.count]).to.deep.equal([['Burn now'], 1, 0]);
      await message.delete();
      await seen.vanishes();
      expect(() => alice.dms.last()).to.throw('alice has no direct message');
    });

    it('sends them only once with the same nonce', async () => {
      const alice = discord.user('alice');
      const { id } = await open(alice.id);
      expect((await open(alice.id)).id).to.equal(id);
      const send = (nonce: string) =>
        rest.post(`/channels/${id}/messages`, { body: { content: 'x', nonce, enforce_nonce: true } });
      const [first, second] = (await Promise.all([send('a'), send('a')])) as { id: string }[];
      expect(second?.id).to.equal(first?.id);
      await send('b');
      expect(alice.dms.count).to.equal(2);
      discord.passes(6 * 60_000);
      await send('a');
      expect(alice.dms.count).to.equal(3);
    });

    it('refuses them for users who closed them, without blaming the app', async () => {
      const alice = discord.user('alice');
      const { id } = await open(alice.id);
      const send = () => rest.post(`/channels/${id}/messages`, { body: { content: 'x' } });
      alice.closesDms();
      expect(await failure(send())).to.include({ code: 50007, status: 403 });
      alice.closesDms(50278);
      expect(await codeOf(send())).to.equal(50278);
      alice.opensDms();
      await send();
      expect(alice.dms.count).to.equal(1);
    });

    it('refuses empty ones, and those to an unknown user or in a channel without the bot', async () => {
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      expect(await codeOf(open('123456789012345678'))).to.equal(50033);
      expect(await codeOf(open(discord.applicationId))).to.equal(50033);
      const { id } = await open(alice.id);
      const post = (channel: string, body: object) =>
        codeOf(rest.post(`/channels/${channel}/messages`, { body }));
      expect(await post(id, { content: '' })).to.equal(50006);
      expect(await post('123456789012345678', { content: 'x' })).to.equal(10003);
      expect(await post(discord.dm(alice, bob).id, { content: 'x' })).to.equal(50001);
      const { id: message } = alice.says('mine', { in: alice.botDm });
      const edit = rest.patch(`/channels/${id}/messages/${message}`, { body: { content: 'x' } });
      expect(await codeOf(edit)).to.equal(50005);
      expect(await codeOf(rest.get(`/channels/${id}/messages/123456789012345678`))).to.equal(10008);
      expect(await codeOf(rest.get('/users/123456789012345678'))).to.equal(10013);
      expect(discord.takeComplaints()).to.have.length(8);
    });

    it('describes the bot itself', async () => {
      expect(await rest.get('/users/@me')).to.include({ id: discord.applicationId, bot: true });
      expect(await rest.get('/applications/@me')).to.include({ verify_key: discord.publicKey });
      const { id } = await open(discord.user('alice').id);
      expect(await rest.get(`/channels/${id}`)).to.include({ id, type: 1 });
    });
  });

  describe('for rate limits', () => {
    const post = async (rest: REST) => {
      const body = { recipient_id: discord.user('alice').id };
      return rest.post('/users/@me/channels', { body });
    };

    it('sends headers that discord.js obeys', async () => {
      discord.limit('create_dm', { limit: 2, perMs: 250 });
      const began = performance.now();
      const rest = restOf(discord);
      for (let count = 0; count < 5; count += 1) await post(rest);
      expect(performance.now() - began).to.be.above(450);
      expect(discord.calls('create_dm').map(({ status }) => status)).to.deep.equal(Array(5).fill(200));
    });

    it('refuses excess calls from any client', async () => {
      discord.limit('create_dm', { limit: 1, perMs: 60_000 });
      await post(restOf(discord));
      const error = await failure(post(restOf(discord, { rejectOnRateLimit: () => true })));
      expect(error).to.deep.include({ name: 'RateLimitError[/users/@me/channels]', global: false, limit: 1 });
      const [, second] = discord.calls('create_dm');
      expect(second?.status).to.equal(429);
      expect(second?.response).to.have.all.keys('message', 'retry_after', 'global');
    });

    it('counts all calls together, except responses to interactions', async () => {
      discord.settings.globalPerSecond = 2;
      const rest = restOf(discord, { rejectOnRateLimit: () => true });
      const follow = () =>
        codeOf(rest.post(`/webhooks/${discord.applicationId}/tulip`, { body: {}, auth: false }));
      await post(rest);
      await post(rest);
      expect(await follow()).to.equal(10015);
      expect(await failure(post(rest))).to.include({ global: true });
      discord.takeComplaints();
    });
  });

  describe('for faults', () => {
    const message = (options = {}) => {
      const rest = restOf(discord, options);
      const { id } = discord.user('alice').botDm;
      return rest.post(`/channels/${id}/messages`, { body: { content: 'x' } });
    };

    for (const [fault, how, isMade] of [
      [{ status: 500 }, /Internal Server Error/, false],
      [{ code: 50007 }, /Cannot send messages to this user/, false],
      [{ retryAfterSeconds: 7 }, /RateLimitError/, false],
      [{ retryAfterSeconds: 7, scope: 'global' }, /RateLimitError/, false],
      ['dropped before', /other side closed|ECONNRESET/, false],
      ['dropped after', /other side closed|ECONNRESET/, true],
      ['no answer', /AbortError/, false],
    ] as const) {
      it(`disturbs one call: ${JSON.stringify(fault)}`, async () => {
        discord.disturb('create_message', fault);
        const timeout = fault === 'no answer' ? 200 : 100_000;
        const error = await failure(message({ timeout, rejectOnRateLimit: () => true }));
        expect(String(error)).to.match(how);
        expect(discord.user('alice').dms.count).to.equal(isMade ? 1 : 0);
        await message();
        const met = discord.calls('create_message').map((call) => call.fault !== undefined);
        expect(met).to.deep.equal([true, false]);
      });
    }

    it('slows down or fails any call, as often as asked, until it is reset', async () => {
      discord.disturb('*', { slowMs: 80 }, { times: 2 });
      discord.disturb('*', { status: 503 }, { times: 9 });
      const began = performance.now();
      await message();
      await message();
      expect(performance.now() - began).to.be.above(150);
      await failure(message());
      discord.calm();
      await message();
    });

    it('refuses a token that was reset, after which discord.js sends nothing more', async () => {
      const rest = restOf(discord);
      discord.resetsToken();
      expect((await failure(rest.get('/users/@me'))).status).to.equal(401);
      expect((await failure(rest.get('/users/@me'))).message).to.match(/Expected token to be set/);
      expect(discord.calls('get_my_user')).to.have.length(1);
      expect(await restOf(discord).get('/users/@me')).to.include({ id: discord.applicationId });
    });
  });

  describe('as a validator', () => {
    const complaintsOf = async (doing: Promise<unknown>) => {
      await doing.catch(() => {});
      return discord.takeComplaints().join('\n');
    };
    const messageTo = (body: object) =>
      restOf(discord).post(`/channels/${discord.user('alice').botDm.id}/messages`, { body });

    it('complains about unknown routes, other versions, and clients without a User-Agent', async () => {
      const rest = restOf(discord);
      expect(await complaintsOf(rest.get('/tulips'))).to.match(/GET \/api\/v10\/tulips: nothing/);
      expect(await complaintsOf(restOf(discord, { version: '9' }).get('/users/@me'))).to.match(/v9.*nothing/);
      expect(await complaintsOf(fetch(`${discord.apiUrl}/v10/users/@me`))).to.match(/without a User-Agent/);
    });

    it('complains about unknown and missing tokens', async () => {
      const rest = restOf(discord).setToken('tulip');
      expect(await complaintsOf(rest.get('/users/@me'))).to.match(/a token that is not the app’s/);
      expect(await complaintsOf(restOf(discord).get('/users/@me', { auth: false }))).to.match(
        /without a token/,
      );
    });

    it('complains about bodies that are not JSON', async () => {
      const path = `/channels/${discord.user('alice').botDm.id}/messages` as const;
      const headers = { 'content-type': 'application/json' };
      const posted = restOf(discord).post(path, { body: '{tulip', passThroughBody: true, headers });
      expect(await codeOf(posted)).to.equal(50109);
      expect(discord.takeComplaints()).to.deep.equal(['create_message: a body that is no JSON']);
    });

    it('refuses a body with all of its faults and their places', async () => {
      const error = await failure(
        messageTo({
          content: 'x'.repeat(2001),
          components: [{ type: 1, components: [{ type: 2, style: 5, label: '', url: 'tulip' }] }],
        }),
      );
      expect(error.code).to.equal(50035);
      expect(error.message).to.match(/^Invalid Form Body\n/);
      const said = discord.takeComplaints().join();
      for (const place of ['content', 'components[0].components[0].label', 'components[0].components[0].url'])
        expect(said).to.contain(`${place}: `);
    });

    it('can require that no message shows previews or mentions anybody', async () => {
      const loud = () => discord.verify({ quiet: true });
      await messageTo({ content: 'x', flags: MessageFlags.SuppressEmbeds, allowed_mentions: { parse: [] } });
      loud();
      await messageTo({ content: 'x', flags: MessageFlags.SuppressEmbeds });
      expect(loud).to.throw('create_message: a message that may mention people');
      await messageTo({ content: 'x', allowed_mentions: { parse: [] } });
      expect(loud).to.throw('create_message: a message that may show previews');
      discord.verify();
    });

    const secret = 'tu&lip "é"\n<x>/+?';
    const forms: Record<string, string> = {
      'as it is': secret,
      'as JSON': JSON.stringify({ secret }),
      'as JSON in JSON': JSON.stringify({ metadata: JSON.stringify({ secret }) }),
      'as ASCII JSON': JSON.stringify({ secret }).replaceAll('é', '\\u00e9'),
      'in a URL': `https://x.test/?s=${encodeURIComponent(secret)}`,
      'in a form': new URLSearchParams({ s: secret }).toString(),
      'as HTML': 'tu&amp;lip "é"\n&lt;x&gt;/+?',
      'in hexadecimal': Buffer.from(secret).toString('hex'),
      'in base64': Buffer.from(secret).toString('base64'),
      'in base64 after a letter': Buffer.from(`x${secret}`).toString('base64'),
      'in base64 after two letters': Buffer.from(`xy${secret}`).toString('base64url'),
    };
    for (const [how, form] of Object.entries(forms)) {
      it(`finds a secret that was sent or logged ${how}`, async () => {
        await messageTo({ content: `x ${form} x` });
        expect(() => discord.verify({ secrets: ['other', secret] })).to.throw(
          'secret 1 is in create_message',
        );
        expect(() => discord.verify({ secrets: [secret], logs: [`x ${form} x`] })).to.throw(
          'secret 0 is in a log line',
        );
        expect(() => discord.verify({ secrets: [secret] })).to.not.throw(secret);
        discord.verify({ secrets: ['tulips'], logs: ['tulip'] });
      });
    }

    it('finds a short secret in base64, and in responses, custom ids and URLs', async () => {
      expect(() => discord.verify({ secrets: ['tulip'], logs: ['x dHVsaXA= x'] })).to.throw('a log line');
      await bot(async (interaction) => {
        if (!interaction.isChatInputCommand()) return;
        const components = [row(button('Burn', 'burn:daisy'), link('Open', 'https://push.test/?x=cm9zZXM'))];
        await interaction.reply({ content: 'x', components, flags: ephemeral });
      });
      await discord.user('alice').runs('/push');
      for (const leaked of ['daisy', 'roses'])
        expect(() => discord.verify({ secrets: [leaked] }), leaked).to.throw(
          'is in create_interaction_response',
        );
    });
  });
});
