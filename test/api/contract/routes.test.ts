import { expect } from 'chai';
import { ann, api, expectError, service, unknownToken, useApi } from './api.ts';

describe('The JSON API', () => {
  useApi();

  const paths = ['/p', '/p/', '/q.json', '/p.xml', '/api', '/api/v1', '/api/v3/version.json', '/.env'];
  for (const path of paths) {
    it(`responds with 404 at ${path}`, async () => {
      expectError(await api.get(path), 404, 'not-found');
      expectError(await api.post(path, {}), 404, 'not-found');
    });
  }

  it('matches paths exactly: other case, slashes and suffixes are unknown', async () => {
    const { token } = await api.create();
    const before = await viewsUsed();
    for (const path of [
      `/P/${token}.json`,
      `/p/${token.toUpperCase()}.json`,
      `/p/${token}.JSON`,
      `/p/${token}.json/`,
      `/p//${token}.json`,
      `//p/${token}.json`,
      `/p/${token}/`,
      `/p/${token}.json.json`,
      `/p/${token}/preview`,
      `/p/${token}/preview.json/`,
      `/p/${token}/PREVIEW.json`,
      `/p/${token}/audit`,
      `/p/${token}/x.json`,
      '/P.json',
      '/p.JSON',
      '/p.json/',
      '/p/Active.json',
      '/p/active',
      '/p/active.json/',
      '/API/v1/version.json',
      '/api/v1/version/',
      '/api/V1/version',
      '/api/v1/version.xml',
    ]) {
      expect(await api.get(path), path).to.include({ status: 404 });
    }
    expect(await viewsUsed()).to.equal(before);
  });

  const known: [string, string[]][] = [
    ['/p.json', ['OPTIONS', 'POST']],
    ['/f.json', ['OPTIONS', 'POST']],
    ['/r.json', ['OPTIONS', 'POST']],
    ['/p/TOKEN/preview.json', ['GET', 'HEAD', 'OPTIONS']],
    ['/p/TOKEN/audit.json', ['GET', 'HEAD', 'OPTIONS']],
    ['/f/TOKEN.json', ['DELETE', 'GET', 'HEAD', 'OPTIONS']],
    ['/r/TOKEN.json', ['DELETE', 'GET', 'HEAD', 'OPTIONS']],
    ['/f/TOKEN', ['GET', 'HEAD']],
    ['/p/TOKEN', ['GET', 'HEAD', 'POST']],
    ['/api/v1/version.json', ['GET', 'HEAD', 'OPTIONS']],
    ['/api/v1/version', ['GET', 'HEAD', 'OPTIONS']],
    ['/api/v1/openapi.json', ['GET', 'HEAD', 'OPTIONS']],
  ];
  for (const [path, allowed] of known) {
    it(`responds with 405 to methods other than ${allowed.join(', ')} at ${path}`, async () => {
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND']) {
        if (allowed.includes(method)) continue;
        const answer = await api.send(method, path.replace('TOKEN', unknownToken));
        expect(answer, method).to.include({ status: 405 });
        if (method !== 'HEAD') expect(answer.body.error).to.be.a('string');
        expect(answer.headers.allow?.split(', ').toSorted()).to.deep.equal(allowed);
      }
    });
  }

  it('responds with 405 to PUT and PATCH on a push and on the lists', async () => {
    for (const path of [`/p/${unknownToken}.json`, '/p/active.json', '/p/expired.json']) {
      for (const method of ['PUT', 'PATCH']) {
        const answer = await api.send(method, path);
        expect(answer.status).to.equal(405);
        expect(answer.headers.allow?.split(', ')).to.include.members(['GET', 'HEAD']);
      }
    }
  });

  it('responds with 405, in JSON, to POST on a push and on the lists', async () => {
    for (const path of [`/p/${unknownToken}.json`, '/p/active.json', '/p/expired.json']) {
      const answer = await api.post(path, {});
      expect(answer, path).to.include({ status: 405 });
      expect(answer.body.error).to.be.a('string');
    }
  });

  it('lists no method of the page in the Allow header of a push', async () => {
    const { headers } = await api.send('PUT', `/p/${unknownToken}.json`);
    expect(headers.allow?.split(', ').toSorted()).to.deep.equal(['DELETE', 'GET', 'HEAD', 'OPTIONS']);
  });

  it('responds with 405 to DELETE on the lists', async () => {
    for (const path of ['/p/active.json', '/p/expired.json', '/f/active.json', '/r/expired.json']) {
      const answer = await api.send('DELETE', path, { headers: ann });
      expect(answer, path).to.include({ status: 405 });
      expect(answer.headers.allow).to.equal('GET, HEAD, OPTIONS');
    }
  });

  async function viewsUsed(): Promise<number> {
    const [row] = await service.database.select<{ used: number }>(
      'SELECT SUM(views_used) AS used FROM pushes',
      {},
    );
    return Number(row?.used);
  }
});
