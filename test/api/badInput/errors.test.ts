import { expect } from 'chai';
import { api, service, useTwoPushes } from './rows.ts';

describe('The JSON API', () => {
  useTwoPushes();

  it('reports a bad payload and conflicting durations along with other mistakes', async () => {
    const durations = { expire_after_days: 1, expire_after_hours: 1 };
    const password = { payload: '', ...durations, expire_after_views: 0, retrieval_step: 'maybe' };
    const { body } = await api.post('/p.json', { password });
    expect(Object.keys(Object(body.fields))).to.have.members([
      'payload',
      'expire_after_hours',
      'expire_after_views',
      'retrieval_step',
    ]);
  });

  it('reports each broken rule under the name of the field that was sent', async () => {
    const { body } = await api.post('/p.json', {
      password: {
        payload: 'x',
        expire_after_days: 91,
        expire_after_views: 0,
        deletable_by_viewer: 'maybe',
      },
    });
    expect(body).to.deep.equal({
      error: 'expire_after_days must be between 1 and 90',
      errors: [
        'expire_after_days must be between 1 and 90',
        'expire_after_views must be between 1 and 100',
        'deletable_by_viewer must be true or false',
      ],
      fields: {
        expire_after_days: ['must be between 1 and 90'],
        expire_after_views: ['must be between 1 and 100'],
        deletable_by_viewer: ['must be true or false'],
      },
    });
  });

  it('writes no url token to its log', async () => {
    const { token, json: path } = await api.create();
    await api.get(path);
    await api.get(`/p/${token}`);
    await api.get(`/p/${token}/nowhere`);
    await api.send('DELETE', path);
    await api.send('PUT', path);
    expect(service.logged()).to.not.include(token);
  });
});
