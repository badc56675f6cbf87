import { expect } from 'chai';
import { expirePushIn } from '../../harness/api.ts';
import { ann, api, kindsOf, service, useApi } from './api.ts';

describe('GET /p/TOKEN.json from a link previewer', () => {
  useApi();

  const previewers: [string, Record<string, string>][] = [
    ['Slack', { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }],
    ['Discord', { 'user-agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' }],
    ['WhatsApp', { 'user-agent': 'WhatsApp/2.23.20.0' }],
    ['a prefetching browser', { 'sec-purpose': 'prefetch' }],
    ['a prerendering browser', { 'sec-purpose': 'prefetch;prerender' }],
    ['an older prefetcher', { purpose: 'prefetch' }],
    ['an old Firefox', { 'x-moz': 'prefetch' }],
  ];
  for (const [name, headers] of previewers) {
    it(`returns the push without its payload, and counts no view: ${name}`, async () => {
      const created = await api.create({ expire_after_views: 1 }, ann);
      const { status, body, text } = await api.get(created.json, headers);
      expect(status).to.equal(200);
      expect(body).to.include({ url_token: created.token, views_remaining: 1, expired: false });
      expect(body.payload ?? null).to.equal(null);
      expect(text).to.not.include('tulip');
      expect(await kindsOf(created)).to.deep.equal(['creation', 'preview']);
      expect((await api.get(created.json)).body.payload).to.equal('tulip');
    });
  }

  it('counts a view if the push has no retrieval step', async () => {
    const created = await api.create({ retrieval_step: false, expire_after_views: 2 }, ann);
    for (const headers of [{ 'user-agent': 'Slackbot-LinkExpanding 1.0' }, { 'sec-purpose': 'prefetch' }]) {
      expect((await api.get(created.json, headers)).body.payload).to.equal('tulip');
    }
    expect(await kindsOf(created)).to.deep.equal(['creation', 'view', 'view']);
  });

  it('reveals nothing about a push that has a passphrase, and evaluates no guess', async () => {
    const created = await api.create({ passphrase: 'open sesame' }, ann);
    const query = '?passphrase=open+sesame';
    const { text } = await api.get(created.json + query, { 'sec-purpose': 'prefetch' });
    expect(text).to.not.include('tulip');
    expect(await kindsOf(created)).to.deep.equal(['creation', 'preview']);
  });

  it('responds for an expired push as to anyone', async () => {
    const created = await api.create({}, ann);
    await expirePushIn(service, created.token, -1);
    const { status, body } = await api.get(created.json, { 'sec-purpose': 'prefetch' });
    expect(status).to.equal(200);
    expect(body).to.include({ expired: true, payload: null });
  });
});
