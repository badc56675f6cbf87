import { expect } from 'chai';
import { bearer } from '../../harness/api.ts';
import { ann, api, expectError, useApi } from './api.ts';

describe('The JSON API', () => {
  useApi();

  for (const path of ['/api/v1/version.json', '/api/v1/version']) {
    it(`returns its version at ${path}`, async () => {
      const { status, body } = await api.get(path);
      expect(status).to.equal(200);
      expect(body).to.have.all.keys('application_version', 'api_version', 'edition');
      expect(body.application_version).to.match(/^\d+\.\d+\.\d+/);
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
      expectError(await api.get(path, ann), 404, 'not-found');
      expect((await api.send('HEAD', path)).status).to.equal(404);
    });
  }
});
