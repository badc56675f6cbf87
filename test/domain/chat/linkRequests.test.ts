import { expect } from 'chai';
import { digestOf } from '../../../src/crypto/tokens.ts';
import type { Account, ChatUser, Domain } from '../../../src/domain/index.ts';
import { times } from '../../harness/api.ts';
import { countRows, deliverNotices, newChatUser, summarize } from '../../harness/chat.ts';
import { createAccount, refusal, startService, type TestService } from '../../harness/service.ts';
import { freshlySignedIn } from '../../harness/signedIn.ts';

const minuteMs = 60_000;
const ended = 'not_found: This request has ended, or is too old. Ask for a new link.';

describe('A request to link a chat user to an account', () => {
  let service: TestService;
  let domain: Domain;
  let chat: Domain['chat'];
  let chatUser: ChatUser;
  let account: Account;

  before(async () => {
    service = await startService();
    ({ domain } = service);
    ({ chat } = domain);
  });
  after(() => service.stop());

  beforeEach(async () => {
    chatUser = newChatUser();
    ({ account } = await createAccount(domain));
    await deliverNotices(domain);
  });

  /** Asks as a browser, and returns what it knows. */
  async function ask(to: Account | null = account) {
    const token = await chat.createConnectLink({ chatUser, name: '@ann' });
    const secret = await chat.requestLink(token, to && (await freshlySignedIn(domain, to)));
    const request = await chat.linkRequests.maybeOfBrowser(secret);
    if (request === undefined) throw new Error('there is no request');
    return { secret, ...request };
  }

  const age = (secret: string, ms: number) =>
    service.database.execute(
      'UPDATE link_requests SET expires_at = expires_at - $ms WHERE browser_digest = $digest',
      { ms, digest: digestOf(secret) },
    );
  const emailOf = async (user: ChatUser) => (await chat.identities.accountOf(user)).email;

  it('is found by its browser alone, and confirmed by its chat user alone', async () => {
    const { id, code, secret } = await ask();
    expect(code).to.match(/^\d{6}$/);
    expect(await chat.linkRequests.maybeOfBrowser(`${secret}x`)).to.equal(undefined);
    expect(await chat.linkRequests.maybeOpenOf(chatUser)).to.deep.equal({
      id,
      chatUser,
      name: '@ann',
      account: account.email,
      state: 'open',
    });
    for (const other of [newChatUser(), { ...chatUser, platform: 'discord' as const }])
      expect(await refusal(chat.linkRequests.confirm(other, id, code))).to.equal(ended);
    const stranger = newChatUser();
    expect(await refusal(chat.linkRequests.reject(stranger, id))).to.equal(ended);
    await chat.linkRequests.confirm(chatUser, id, ` ${code.slice(0, 3)} ${code.slice(3)} `);
    expect(await emailOf(chatUser)).to.equal(account.email);
    expect(await refusal(chat.linkRequests.redeem(secret))).to.equal(ended);
  });

  it('has a code of six digits, of which any may be the first', async () => {
    const codes: string[] = [];
    for (let count = 0; count < 10; count++) codes.push((await ask()).code);
    expect(codes.filter((code) => !/^\d{6}$/.test(code))).to.eql([]);
    expect(
      codes.some((code) => !code.startsWith('000')),
      codes.join(),
    ).to.equal(true);
  });

  it('can be confirmed for ten minutes, and is deleted then', async () => {
    const { id, code, secret } = await ask();
    await age(secret, 9 * minuteMs);
    expect(await chat.linkRequests.maybeOpenOf(chatUser)).to.not.equal(undefined);
    await age(secret, minuteMs);
    expect(await chat.linkRequests.maybeOpenOf(chatUser)).to.equal(undefined);
    expect(await refusal(chat.linkRequests.confirm(chatUser, id, code))).to.equal(ended);
    expect(await deliverNotices(domain)).to.be.empty;
    await age(secret, 1);
    await chat.purge();
    expect(await countRows(service, 'link_requests', 'id = $id', { id: Buffer.from(id, 'hex') })).to.equal(0);
  });

  it('replaces an earlier one, and ends at the third wrong code', async () => {
    const earlier = await ask();
    const { id, code } = await ask();
    expect(await refusal(chat.linkRequests.confirm(chatUser, earlier.id, earlier.code))).to.equal(ended);
    expect(summarize(await deliverNotices(domain))).to.deep.equal([`${chatUser.address} link_requested`]);
    const guesses = await times(10, (index) =>
      refusal(chat.linkRequests.confirm(chatUser, id, `${code}${index}`)),
    );
    expect(guesses.filter((each) => each.startsWith('invalid: code'))).to.have.length(3);
    expect(guesses.filter((each) => each === ended)).to.have.length(7);
    expect(await refusal(chat.linkRequests.confirm(chatUser, id, code))).to.equal(ended);
    expect(await emailOf(chatUser)).to.not.equal(account.email);
  });

  it('links once, and signs one browser in once, however often that is asked concurrently', async () => {
    const { id, code } = await ask();
    const friend = newChatUser();
    await chat.identities.link(friend, account);
    await deliverNotices(domain);
    const confirm = (request: { id: string; code: string }) => () =>
      chat.linkRequests.confirm(chatUser, request.id, request.code).then(
        () => 'confirmed',
        () => 'refused',
      );
    const results = await times(10, confirm({ id, code }));
    expect(results.filter((each) => each === 'confirmed')).to.have.length(1);
    expect(summarize(await deliverNotices(domain))).to.deep.equal([`${friend.address} linked`]);
    chatUser = newChatUser();
    const signIn = await ask(null);
    await times(10, confirm(signIn));
    const signedIn = await Promise.allSettled(
      Array.from({ length: 10 }, () => chat.linkRequests.redeem(signIn.secret)),
    );
    const [first, ...others] = signedIn.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(others).to.be.empty;
    expect(first?.email).to.equal(`slack:${chatUser.address}`);
  });

  it('signs no browser in before its chat user has confirmed it', async () => {
    const { id, code, secret } = await ask(null);
    expect(await refusal(chat.linkRequests.redeem(secret))).to.equal(ended);
    await chat.linkRequests.confirm(chatUser, id, code);
    expect((await chat.linkRequests.redeem(secret)).email).to.equal(await emailOf(chatUser));
  });

  it('signs no browser in to an account that somebody signs in to with a password', async () => {
    const { id, code, secret } = await ask(null);
    await chat.linkRequests.confirm(chatUser, id, code);
    await chat.identities.link(chatUser, account);
    expect(await chat.linkRequests.maySignIn(chatUser)).to.equal(false);
    expect(await refusal(chat.linkRequests.redeem(secret))).to.match(/^forbidden/);
  });

  it('ends with the account, or when the account is disabled', async () => {
    const { id, code } = await ask();
    await domain.accounts.setDisabled(account.email, true, 'operator');
    expect(await refusal(chat.linkRequests.confirm(chatUser, id, code))).to.match(/^forbidden/);
    await domain.accounts.erase(account.email, 'operator');
    expect(await refusal(chat.linkRequests.confirm(chatUser, id, code))).to.equal(ended);
    const own = await chat.identities.accountOf(chatUser);
    await ask(null);
    await domain.accounts.erase(own.email, 'operator');
    const { address } = chatUser;
    expect(await countRows(service, 'link_requests', 'address = $address', { address })).to.equal(0);
  });
});
