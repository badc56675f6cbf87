import { expect } from 'chai';
import { times } from '../../harness/api.ts';
import { ann, api, auditOf, bob, unknownToken, useApi } from './api.ts';

describe('GET /p/TOKEN/audit.csv and audit.ndjson', () => {
  useApi();

  it('return the whole log, beyond a page, as the log in JSON', async () => {
    const created = await api.create({ expire_after_views: 100 }, ann);
    await times(60, () => api.get(created.json));
    const rows = [...(await auditOf(created)), ...(await auditOf(created, ann, 2))];
    const ndjson = await api.get(`${created.page}/audit.ndjson`, ann);
    expect(ndjson.headers['content-type']).to.equal('application/x-ndjson; charset=utf-8');
    const lines = ndjson.text.trimEnd().split('\n');
    const { url_token_sha256 } = created.push;
    expect(lines.map((line) => JSON.parse(line))).to.deep.equal(
      rows.map((row) => ({ ...row, url_token_sha256 })),
    );
    const csv = await api.get(`${created.page}/audit.csv`, ann);
    expect(csv.headers['content-type']).to.match(/^text\/csv; charset=utf-8/);
    expect(csv.text.trimEnd().split('\r\n')).to.have.length(rows.length + 1);
  });

  it('hold no formula that a spreadsheet would calculate, and keep quotes and commas', async () => {
    const created = await api.create({}, ann);
    await api.get(created.json, { 'user-agent': '=HYPERLINK("http://x","y")', referer: 'a,"b"' });
    const [header, , view = ''] = (await api.get(`${created.page}/audit.csv`, ann)).text.split('\r\n');
    expect(header).to.equal(
      'created_at,updated_at,kind,successful,ip,user_agent,referrer,times,opened_by,recipient,place,url_token_sha256',
    );
    expect(view).to.match(
      /,view,true,127\.0\.0\.1,"'=HYPERLINK\(""http:\/\/x"",""y""\)","a,""b""",,api,,,[0-9a-f]{64}$/,
    );
  });

  it('are for the owner alone', async () => {
    const { page } = await api.create({}, ann);
    for (const format of ['csv', 'ndjson']) {
      expect((await api.get(`${page}/audit.${format}`)).status).to.equal(401);
      expect((await api.get(`${page}/audit.${format}`, bob)).status).to.equal(403);
      expect((await api.get(`/p/${unknownToken}/audit.${format}`, ann)).status).to.equal(404);
    }
  });
});
