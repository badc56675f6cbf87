import { expect } from 'chai';
import { examined } from '../harness/doctor.ts';
import { addPasskey, openDevice } from '../harness/passkeyDevice.ts';
import { newEmail, startService } from '../harness/service.ts';
import { freshlySignedIn } from '../harness/signedIn.ts';

describe('doctor, about passkeys', () => {
  it('says how many accounts have some that do not work at BASE_URL, before it is changed', async () => {
    const site = 'https://push.example.com';
    const service = await startService({ BASE_URL: site });
    try {
      const { domain, shared } = service;
      const found = async (url: string) => (await examined({ ...shared, BASE_URL: url })).passkeys;
      expect(await found(site)).to.equal(undefined);
      for (let at = 0; at < 2; at++) {
        const owner = await freshlySignedIn(domain, await domain.accounts.create({ email: newEmail() }));
        for (const name of ['Laptop', 'Key']) await addPasskey(domain, owner, openDevice(site), { name });
      }
      expect(await found(`${site}:8443/hush`)).to.include({
        state: 'ok',
        finding: '2 accounts have some, of push.example.com',
      });
      expect(await found('https://new.example.com')).to.include({
        code: 'passkeysElsewhere',
        state: 'warning',
        finding:
          'BASE_URL has the host new.example.com, and 2 accounts have passkeys of push.example.com, which do not work there',
      });
      expect(await found('http://push.example.com')).to.include({
        code: 'passkeysUnusable',
        finding: '2 accounts have some, but browsers know none at http://push.example.com',
      });
    } finally {
      await service.stop();
    }
  });
});
