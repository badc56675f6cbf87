import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { Account, Push, TokenScope } from '../../../src/domain/index.ts';
import { slackOn } from '../../harness/chat.ts';
import {
  anonymous,
  createAccount,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';

describe('A caller with an API token that may not see links', () => {
  let service: TestService;
  let account: Account;
  /** Its name, its note, its file, a recipient and the reason of a request have the link of another push. */
  let push: Push;
  /** What none of them may see. */
  let tokens: string[];

  before(async () => {
    service = await startService({ ...slackOn, FILES: 'everyone' });
    const { pushes, chat } = service.domain;
    account = (await createAccount(service.domain)).account;
    const owner = { account, client: someClient };
    const { urlToken } = await pushes.create({ payload: 'tulip' }, owner);
    await using creation = await pushes.begin(owner);
    const stream = Readable.from([Buffer.from('tulip')]);
    await creation.addFile({ filename: `${urlToken}.txt`, contentType: 'text/plain', stream });
    push = await creation.create({
      ...{ kind: 'file', name: urlToken, note: `see ${urlToken}`, recipients: [`${urlToken}#Bob`, 'Eve'] },
    });
    const { recipients } = await pushes.previewOwned(push.urlToken, owner);
    const own = recipients.flatMap((recipient) => recipient.urlToken ?? []);
    tokens = [urlToken, push.urlToken, ...own];
    await pushes.reveal(own[0] ?? '', undefined, anonymous);
    const chatUser = { platform: 'slack', address: 'T1:U1' } as const;
    await chat.identities.link(chatUser, account);
    await chat.requests.create(chatUser, [{ platform: 'slack', address: 'T1:U2' }], { reason: urlToken });
  });
  after(() => service.stop());

  const callerWith = (scope?: TokenScope) => ({
    ...{ account, client: someClient },
    token: scope && { id: Buffer.alloc(16), scope },
  });
  type TestCaller = ReturnType<typeof callerWith>;

  const reads: Record<string, (caller: TestCaller) => Promise<unknown>> = {
    'a list': (caller) => service.domain.pushes.list(caller, 'active', 1),
    'a list of what was found': (caller) =>
      service.domain.pushes.list(caller, 'active', 1, { search: 'see' }),
    'a search': (caller) =>
      service.domain.pushes.search(caller, 'active', 1, { text: 'see', recipient: '', kind: undefined }),
    'a preview': (caller) => service.domain.pushes.preview(push.urlToken, caller),
    'an extension': (caller) =>
      service.domain.pushes.setExpiry(push.urlToken, { minutes: 15_000 + extended++ }, caller),
    'an audit log': (caller) => service.domain.pushes.auditLog(push.urlToken, 1, caller),
    'the newest of an audit log': (caller) => service.domain.pushes.recentAuditLog(push.urlToken, 9, caller),
    'a list of requests': (caller) => service.domain.chat.requests.listFor(caller),
  };
  let extended = 0;

  const seenBy = async (read: (caller: TestCaller) => Promise<unknown>, scope?: TokenScope) => {
    const found = JSON.stringify(await read(callerWith(scope)));
    return tokens.filter((token) => found.includes(token));
  };

  for (const [name, read] of Object.entries(reads))
    it(`gets no link from ${name}`, async () => {
      expect(await seenBy(read)).not.to.be.empty;
      expect(await seenBy(read, 'full')).to.deep.equal(await seenBy(read));
      expect(await seenBy(read, 'read')).to.be.empty;
      expect(await seenBy(read, 'create')).to.be.empty;
    });

  it('finds nothing by a part of a link', async () => {
    const search = push.urlToken.slice(0, 12);
    const found = (scope?: TokenScope) =>
      service.domain.pushes.list(callerWith(scope), 'active', 1, { search });
    expect([await found(), await found('read')].map(({ length }) => length)).to.deep.equal([1, 0]);
  });

  it('gets no link from the end of a push', async () => {
    const expire = async (caller: TestCaller) => {
      const { urlToken } = await service.domain.pushes.create(
        { payload: 'x', name: tokens[0] },
        callerWith(),
      );
      return service.domain.pushes.expire(urlToken, caller);
    };
    expect(await seenBy(expire)).to.deep.equal([tokens[0]]);
    expect(await seenBy(expire, 'read')).to.be.empty;
    const { urlToken, urlTokenSha256 } = await expire(callerWith('read'));
    expect([urlToken, urlTokenSha256?.length]).to.deep.equal([null, 64]);
  });
});
