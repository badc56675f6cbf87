import { expect } from 'chai';
import { packageVersion } from '../../../src/runtime/package.ts';
import { bearer } from '../../harness/api.ts';
import { ann, api, expectError, useApi } from './api.ts';

describe('The JSON API', () => {
  useApi();

  for (const path of ['/api/v1/version.json', '/api/v1/version']) {
    it(`returns its version at ${path}`, async () => {
      const { status, body } = await api.get(path);
      expect(status).to.equal(200);
      expect(body).to.have.all.keys('application_version', 'api_version', 'edition', 'features');
      expect(body.features).to.deep.equal([
        'device-sign-in',
        'idempotency-key',
        'list-filters',
        'repeatable-retrieval',
        'request-links',
        'sealed-answers',
        'x-passphrase',
      ]);
      expect(body.application_version).to.equal(packageVersion());
      expect(Number(body.api_version)).to.be.above(1);
      expect(body.edition).to.be.a('string').that.is.not.empty;
    });

    it(`ignores credentials at ${path}`, async () => {
      for (const headers of [
        bearer('nonsense'),
        { 'x-user-email': 'a@b.c', 'x-user-token': 'x' },
        { authorization: 'Basic YTpi' },
        ann,
      ]) {
        expect((await api.get(path, headers)).status).to.equal(200);
      }
    });
  }

  for (const path of ['/api/v2/version', '/api/v2/version.json']) {
    it(`responds with 404 at ${path}`, async () => {
      const answer = await api.get(path, ann);
      expectError(answer, 404, 'not-found');
      expect(answer.body.message).to.match(/^This server speaks version 1 of the API/);
      expect((await api.send('HEAD', path)).status).to.equal(404);
    });
  }

  it('says which version it speaks to who creates with version 2', async () => {
    for (const path of ['/api/v2/pushes', '/api/v2/pushes.json', '/de/api/v2/pushes.json']) {
      const answer = await api.post(path, { push: { payload: 'tulip' } }, ann);
      expectError(answer, 404, 'not-found');
    }
    const { body } = await api.post('/api/v2/pushes', { push: { payload: 'tulip' } }, ann);
    expect(body.message).to.match(/^This server speaks version 1 of the API: create with POST \/p\.json/);
    expect((await api.get('/api/v3/version')).body).to.not.have.property('message');
  });
});
