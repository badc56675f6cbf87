import { expect } from 'chai';
import { createClient as createPushClient, openAnswers } from '../../src/client/client.ts';
import type { SealedLinkObject } from '../../src/client/requestLinkObjects.ts';
import { sealAnswer } from '../../src/client/sealedAnswers.ts';
import { asJson, type Client, createClient, times } from '../harness/api.ts';
import { countRows } from '../harness/chat.ts';
import { createAccount, startService, type TestService } from '../harness/service.ts';

describe('An answer to a request link, over HTTP', () => {
  let service: TestService;
  let api: Client;
  let requests: ReturnType<typeof createPushClient>['requests'];
  let ids = 0;

  before(async () => {
    service = await startService();
    api = createClient(service.port);
    const { token } = await createAccount(service.domain);
    ({ requests } = createPushClient({ server: service.url, token }));
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  const createLink = (answers: number) => requests.createSealedLink({ title: 'the VPN', answers });

  /** A sealed answer to a link as it goes over the wire, and the id that it was sealed for. */
  async function sealedFor(link: SealedLinkObject) {
    const id = `an-answer-of-the-tests-${++ids}`;
    const place = { token: String(link.url_token), answerId: id };
    const keys = { public_keys: link.public_keys };
    const { params, receipt } = await sealAnswer(
      { payload: 'tulip' },
      { link: String(link.html_url), keys, place },
    );
    return { id, receipt, body: JSON.stringify({ answer: params }) };
  }

  type Sent = Pick<Awaited<ReturnType<typeof sealedFor>>, 'id' | 'body'>;

  const send = ({ url_token }: SealedLinkObject, { id, body }: Sent) =>
    api.send('POST', `/a/${url_token}.json`, { headers: { ...asJson, 'idempotency-key': id }, body });

  const opened = async (link: SealedLinkObject) =>
    openAnswers(link, await requests.listAnswers(link.id), { link: link.opening_url });

  it('is stored once, however often it is sent, and gets its receipt each time, also after the link is closed', async () => {
    const link = await createLink(5);
    const answer = await sealedFor(link);
    const responses = await times(6, () => send(link, answer));
    await requests.closeLink(link.id);
    responses.push(await send(link, answer));
    for (const { status, body } of responses)
      expect([status, body]).to.deep.equal([201, { receipt: answer.receipt }]);
    expect(await requests.listAnswers(link.id)).to.have.length(1);
  });

  it('opens nothing where it was not sealed for: under another id, or at another link', async () => {
    const link = await createLink(3);
    const withSameKeys = { title: 'the VPN', public_keys: link.public_keys };
    const other = { ...link, ...(await requests.createLink(withSameKeys)) };
    const answer = await sealedFor(link);
    const stolen = { ...answer, id: 'another-answer-of-the-tests' };
    for (const [to, sent] of [
      [link, answer],
      [link, stolen],
      [other, answer],
    ] as const)
      expect((await send(to, sent)).status).to.equal(201);
    const [good, replayed, ...none] = await opened(link);
    expect(none).to.deep.equal([]);
    expect(good).to.include({ receipt: answer.receipt }).and.not.have.property('problem');
    expect(good?.html_url).to.match(/#2[01][0-9a-v]{51}$/);
    for (const foreign of [replayed, ...(await opened(other))]) {
      expect(foreign).to.include({ problem: 'tampered', html_url: null });
      expect(foreign?.receipt).to.not.equal(answer.receipt);
    }
  });

  it('gets the last place of its link exactly once of fifty times, and leaves nothing the other times', async () => {
    const link = await createLink(2);
    expect((await send(link, await sealedFor(link))).status).to.equal(201);
    const before = await countRows(service, 'pushes');
    const answers = await times(50, () => sealedFor(link));
    const responses = await Promise.all(answers.map((answer) => send(link, answer)));
    const stored = answers.filter((_, at) => responses[at]?.status === 201);
    expect(stored).to.have.length(1);
    const refused = responses.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, text }) => `${status} ${text}`))).to.have.length(1);
    expect(refused[0]?.status).to.equal(404);
    expect(await countRows(service, 'pushes')).to.equal(before + 1);
    expect((await opened(link)).map(({ receipt }) => receipt)).to.include(stored[0]?.receipt);
    expect(await requests.listAnswers(link.id)).to.have.length(2);
  });
});
