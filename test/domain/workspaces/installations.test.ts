import { expect } from 'chai';
import { domainSettings, readConfig } from '../../../src/config.ts';
import { createDomain, type Domain } from '../../../src/domain/index.ts';
import { times } from '../../harness/api.ts';
import { countRows, dumpDatabase, newChatUser, setRules } from '../../harness/chat.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { createAccount, newKeyring, startService, type TestService } from '../../harness/service.ts';
import { freshlySignedIn } from '../../harness/signedIn.ts';

let service: TestService;
let chat: Domain['chat'];
let places = 0;

/** A new workspace. */
const newPlace = () => {
  places += 1;
  return `P${places}`;
};

describe('A chat installation', () => {
  before(async () => {
    service = await startService();
    ({ chat } = service.domain);
  });

  after(() => service.stop());

  const store = (workspace: string, userId: string, data: object) =>
    chat.installations.store('slack', { workspace, userId }, data);
  const find = (workspace: string, userId?: string) =>
    chat.installations.maybeFind<{ token: string }>('slack', { workspace, userId });

  it('stores everything that the platform sent, for each installer and for the latest one', async () => {
    const place = newPlace();
    const data = {
      token: 'xoxb-1',
      team: { id: place, name: 'Ünïcode' },
      scopes: ['chat:write'],
      none: null,
    };
    expect(await find(place)).to.equal(undefined);
    await store(place, 'U1', data);
    expect(await find(place)).to.deep.equal(data);
    expect(await find(place, 'U1')).to.deep.equal(data);
    expect(await find(place, 'U2')).to.equal(undefined);
    expect(await find(newPlace())).to.equal(undefined);
    expect(await chat.installations.maybeFind('discord', { workspace: place })).to.equal(undefined);
  });

  it('is used for its whole workspace when it is the latest one', async () => {
    const place = newPlace();
    for (const userId of ['U3', 'U1', 'U2']) await store(place, userId, { token: userId });
    expect(await find(place)).to.deep.equal({ token: 'U2' });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await store(place, 'U3', { token: 'U3 again' });
    expect(await find(place)).to.deep.equal({ token: 'U3 again' });
    expect(await find(place, 'U1')).to.deep.equal({ token: 'U1' });
    const later =
      'UPDATE installations SET installed_at = installed_at + 1000 WHERE workspace = $place AND user_id = $userId';
    await service.database.execute(later, { place, userId: 'U1' });
    expect(await find(place)).to.deep.equal({ token: 'U1' });
    const [row] = (await chat.installations.list('slack', 'operator')).filter(
      ({ workspace }) => workspace === place,
    );
    expect(row?.installedAt).to.be.closeTo(await service.domain.clock(), 100_000);
    expect(await countRows(service, 'installations', 'workspace = $place', { place })).to.equal(3);
  });

  it('is listed for admins and operators alone, and removed by nobody else', async () => {
    const place = newPlace();
    await store(place, 'U1', { token: 'xoxb-1' });
    const { account } = await createAccount(service.domain);
    const { account: admin } = await createAccount(service.domain, undefined, { isAdmin: true });
    await service.domain.accounts.setAdmin(admin.email, false, 'operator');
    for (const stranger of [account, admin]) {
      expect((await refusalOf(chat.installations.list('slack', stranger))).code).to.equal('forbidden');
      expect((await refusalOf(chat.installations.uninstall('slack', place, stranger))).code).to.equal(
        'forbidden',
      );
    }
    expect(await find(place)).to.deep.equal({ token: 'xoxb-1' });
    await service.domain.accounts.setAdmin(admin.email, true, 'operator');
    await chat.installations.uninstall('slack', place, await freshlySignedIn(service.domain, admin));
    expect(await find(place)).to.equal(undefined);
  });

  it('can be read only with the keys', async () => {
    const place = newPlace();
    await store(place, 'U1', { token: 'xoxb-4711' });
    const dump = await dumpDatabase(service);
    expect(dump).to.not.contain('xoxb-4711');
    expect(dump).to.not.contain(Buffer.from('xoxb-4711').toString('hex'));
    const settings = domainSettings(readConfig({}));
    const stranger = createDomain({ database: service.database, keyring: newKeyring(), settings });
    const finding = stranger.chat.installations.maybeFind('slack', { workspace: place }).then(
      () => 'found',
      () => 'not found',
    );
    expect(await finding).to.equal('not found');
  });

  it('can be stored by several processes concurrently, and repeatedly', async () => {
    const place = newPlace();
    await times(20, (index) => store(place, 'U1', { token: `rotated ${index}` }));
    expect(await countRows(service, 'installations', 'workspace = $place', { place })).to.equal(1);
    expect((await find(place, 'U1'))?.token).to.match(/^rotated \d+$/);
  });

  it('can be removed for one user or as a whole, repeatedly', async () => {
    const [place, other] = [newPlace(), newPlace()];
    for (const userId of ['U1', 'U2', 'U3']) await store(place, userId, { token: userId });
    await store(other, 'U1', { token: 'other' });
    await chat.installations.remove('slack', place, []);
    await chat.installations.remove('slack', place, ['U4']);
    await chat.installations.remove('discord', place);
    expect(await find(place)).to.deep.equal({ token: 'U3' });
    for (const _ of [1, 2]) {
      await chat.installations.remove('slack', place, ['U3', 'U1']);
      expect(await find(place)).to.deep.equal({ token: 'U2' });
    }
    for (const _ of [1, 2]) {
      await times(5, () => chat.installations.remove('slack', place));
      expect(await find(place)).to.equal(undefined);
    }
    expect(await find(other)).to.deep.equal({ token: 'other' });
    await store(place, 'U1', { token: 'again' });
    expect(await find(place)).to.deep.equal({ token: 'again' });
  });

  it('keeps the name of its workspace and the time of its first installation when it is renewed', async () => {
    const place = newPlace();
    const listed = async () =>
      (await chat.installations.list('slack', 'operator')).find(({ workspace }) => workspace === place);
    await chat.installations.store('slack', { workspace: place, userId: 'U1', label: 'Acme 🌷' }, {});
    await service.database.execute(
      'UPDATE installations SET installed_at = 1000, first_at = 1000 WHERE workspace = $place',
      { place },
    );
    await store(place, 'U1', { token: 'renewed' });
    const renewed = await listed();
    expect(renewed).to.include({ platform: 'slack', label: 'Acme 🌷', userId: 'U1', since: 1_000 });
    expect(renewed?.installedAt).to.be.above(1_000);
    await chat.installations.store('slack', { workspace: place, userId: 'U1', label: 'Ä'.repeat(300) }, {});
    expect((await listed())?.label).to.equal('Ä'.repeat(100));
    expect(await chat.installations.labelOf('slack', place)).to.equal('Ä'.repeat(100));
    expect(await chat.installations.labelOf('discord', place)).to.equal(null);
    expect(await chat.installations.labelOf('slack', newPlace())).to.equal(null);
  });

  it('is listed once for each workspace', async () => {
    const [one, other] = [newPlace(), newPlace()];
    await store(one, 'U1', {});
    await store(one, 'U2', {});
    await chat.installations.store('discord', { workspace: other, userId: '' }, {});
    const listed = async (platform: 'slack' | 'discord') =>
      (await chat.installations.list(platform, 'operator')).map(({ workspace }) => workspace);
    expect((await listed('slack')).filter((place) => place === one || place === other)).to.deep.equal([one]);
    expect(await listed('discord')).to.deep.equal([other]);
  });
});

describe('Chat settings', () => {
  before(async () => {
    service = await startService();
    ({ chat } = service.domain);
  });

  after(() => service.stop());

  it('are empty at first, and then what the person saved last', async () => {
    const chatUser = newChatUser();
    expect(await chat.settings.ofUser(chatUser)).to.deep.equal({});
    await chat.settings.setForUser(chatUser, { expireAfterViews: 3, expireAfterDays: 2 });
    expect(await chat.settings.ofUser(chatUser)).to.deep.equal({ expireAfterViews: 3, expireAfterDays: 2 });
    await chat.settings.setForUser(chatUser, { expireAfterDays: 4 });
    expect(await chat.settings.ofUser(chatUser)).to.deep.equal({ expireAfterDays: 4 });
    await chat.settings.setForUser(chatUser, { expireAfterDays: undefined });
    expect(await chat.settings.ofUser(chatUser)).to.deep.equal({});
    expect(await chat.settings.ofUser({ ...chatUser, platform: 'discord' })).to.deep.equal({});
  });

  it('of a workspace are separate from those of a person with the same id', async () => {
    const place = newPlace();
    const none = { requireRecipients: false, allowSlashText: true };
    expect(await chat.settings.ofWorkspace('slack', place)).to.deep.equal(none);
    const rules = {
      requireRecipients: true,
      allowSlashText: false,
      maxViews: 100,
      maxDays: 90,
      expireAfterViews: 1,
    };
    await setRules({ chat }, 'slack', place, rules);
    expect(await chat.settings.ofWorkspace('slack', place)).to.deep.equal(rules);
    expect(await chat.settings.ofWorkspace('discord', place)).to.deep.equal(none);
    expect(await chat.settings.ofUser({ platform: 'slack', address: place })).to.deep.equal({});
  });

  it('are refused as a whole when a number is out of bounds', async () => {
    const [chatUser, place] = [newChatUser(), newPlace()];
    await chat.settings.setForUser(chatUser, { expireAfterViews: 3 });
    for (const expireAfterViews of [0, 101, 1.5, Number.NaN, '3' as unknown as number]) {
      const refused = await refusalOf(
        chat.settings.setForUser(chatUser, { expireAfterViews, expireAfterDays: 91 }),
      );
      expect(refused.code).to.equal('invalid');
      expect(refused.problems).to.deep.equal({
        expireAfterViews: [{ code: 'between', min: 1, max: 100 }],
        expireAfterDays: [{ code: 'between', min: 1, max: 90 }],
      });
    }
    expect(await chat.settings.ofUser(chatUser)).to.deep.equal({ expireAfterViews: 3 });
    const rules = { requireRecipients: false, allowSlashText: true, maxViews: 101, maxDays: 91 };
    expect((await refusalOf(setRules({ chat }, 'slack', place, rules))).problems).to.have.all.keys(
      'maxViews',
      'maxDays',
    );
    expect(await chat.settings.ofWorkspace('slack', place)).to.not.have.property('maxViews');
  });

  it('can be saved twenty times concurrently', async () => {
    const chatUser = newChatUser();
    await times(20, (index) => chat.settings.setForUser(chatUser, { expireAfterViews: index + 1 }));
    expect((await chat.settings.ofUser(chatUser)).expireAfterViews).to.be.within(1, 20);
  });
});

describe('Chat messages', () => {
  before(async () => {
    service = await startService();
    ({ chat } = service.domain);
  });

  after(() => service.stop());

  const about = '0123456789abcdef0123456789abcdef';

  it('are found by their subject and their reader', async () => {
    const [ann, ben] = [newChatUser(), newChatUser()];
    expect(await chat.messages.maybeFind(about, ann)).to.equal(undefined);
    await chat.messages.save(about, ann, { channel: 'D1', message: '1700000000.000100' });
    expect(await chat.messages.maybeFind(about, ann)).to.deep.equal({
      channel: 'D1',
      message: '1700000000.000100',
    });
    expect(await chat.messages.maybeFind(about, ben)).to.equal(undefined);
    expect(await chat.messages.maybeFind(about, { ...ann, platform: 'discord' })).to.equal(undefined);
    expect(await chat.messages.maybeFind(`f${about.slice(1)}`, ann)).to.equal(undefined);
  });

  it('are replaced by the one saved last', async () => {
    const ann = newChatUser();
    await chat.messages.save(about, ann, { channel: 'D1', message: '1' });
    await chat.messages.save(about, ann, { channel: 'D2', message: '2' });
    expect(await chat.messages.maybeFind(about, ann)).to.deep.equal({ channel: 'D2', message: '2' });
  });

  it('are purged after 400 days, with other expired rows', async () => {
    const [ann, ben] = [newChatUser(), newChatUser()];
    await chat.messages.save(about, ann, { channel: 'D1', message: '1' });
    await chat.messages.save(about, ben, { channel: 'D2', message: '2' });
    const ms = 400 * 86_400_000 + 1_000;
    const { address } = ann;
    await service.database.execute(
      'UPDATE chat_messages SET created_at = created_at - $ms WHERE address = $address',
      {
        ms,
        address,
      },
    );
    await chat.purge();
    expect(await chat.messages.maybeFind(about, ann)).to.equal(undefined);
    expect(await chat.messages.maybeFind(about, ben)).to.deep.equal({ channel: 'D2', message: '2' });
  });
});
