import { expect } from 'chai';
import { asForm, bearer, createClient } from '../../../test/harness/api.ts';
import { sameOrigin } from '../../../test/harness/forms.ts';
import { startIdentityProvider } from '../../../test/harness/identityProvider.ts';
import { createAccount, startService } from '../../../test/harness/service.ts';
import { startStallProbe } from '../../../test/harness/stallProbe.ts';
import { createRandom } from '../history/random.ts';
import { attack, signIn } from './attack.ts';
import { buildRequest, parserClasses } from './requests.ts';

/** Two batches of each class. `npm run prove -- fuzz` goes on for longer, with another seed each time. */
const requestsMax = 2 * 20 * parserClasses.length;

const site = 'http://localhost';

describe('Random requests over raw sockets', () => {
  it('are never answered with a server error, and keep nobody else waiting', async () => {
    const provider = await startIdentityProvider({ base: site, name: 'okta' });
    const service = await startService({ BASE_URL: site, FILES: 'everyone', ...provider.settings });
    const client = createClient(service.port);
    const probe = await startStallProbe(service);
    const { account, token } = await createAccount(service.domain, 'ann@example.com', { subscribed: true });
    const open = await client.create({ expire_after_views: 100 }, bearer(token));
    const target = {
      ...{ port: service.port, probe, open, credential: `Authorization: Bearer ${token}` },
      ...{ provider: provider.name, ...(await signIn(service.domain, account, client, site)) },
    };
    const { requests, failures } = await attack(
      target,
      createRandom(20_261_122),
      (sent) => sent >= requestsMax,
    );
    console.log(`    ${probe.report()}`);
    expect(failures).to.deep.equal([]);
    expect(requests).to.equal(requestsMax);
    expect((await client.get(`${open.page}/preview.json`)).status).to.equal(200);
    const { cookie, csrf } = target.signedIn;
    const form = { headers: { ...asForm, ...sameOrigin, cookie }, body: `csrf=${csrf}` };
    const saved = await client.send('POST', '/account/language', form);
    expect(saved.status, 'a form of its settings, afterwards').to.equal(303);
    await probe.stop();
    client.close();
    await service.stop();
    await provider.stop();
  });

  it('are the same for the same seed', () => {
    const open = { response: undefined as never, push: {}, token: 'x', json: '/p/x.json', page: '/p/x' };
    const answer = JSON.stringify({ id: 'x', type: 'public-key', response: { clientDataJSON: 'AAAA' } });
    const build = () => {
      const random = createRandom(1);
      return parserClasses.map((each) =>
        buildRequest(each, random, {
          open,
          credential: '',
          provider: 'x',
          signedIn: { cookie: '', csrf: '' },
          passkeys: { created: answer, answered: answer },
        }).toString('latin1'),
      );
    };
    expect(build()).to.deep.equal(build());
  });
});
