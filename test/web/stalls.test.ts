import { expect } from 'chai';
import { type ApiResponse, type Client, createClient } from '../harness/api.ts';
import { createForms, type HtmlForm, payloadShown, sameOrigin, unescapeHtml } from '../harness/forms.ts';
import { startService, type TestService } from '../harness/service.ts';
import { type StallProbe, startStallProbe } from '../harness/stallProbe.ts';

/** Normalizing text takes time by the square of a run of these. */
const marks = '\u0300\u0316';
const kibibyte = 1_024;

describe('A page with a form', () => {
  let service: TestService;
  let api: Client;
  let probe: StallProbe;
  let forms: ReturnType<typeof createForms>;

  before(async () => {
    service = await startService();
    api = createClient(service.port);
    probe = await startStallProbe(service);
    forms = createForms(service.domain, api);
  });

  after(async () => {
    console.log(`    ${probe.report()}`);
    await probe.stop();
    api.close();
    await service.stop();
  });

  /** Submits a form with one field filled with a unit, up to a number of bytes. Only ASCII is percent-encoded. */
  function submitFilled(
    path: string,
    form: HtmlForm,
    { field, unit, bytes }: { field: string; unit: string; bytes: number },
  ): Promise<ApiResponse> {
    const encoded = unit === marks ? unit : encodeURIComponent(unit);
    const held = field === 'passphrase' && { held: 'yes' };
    const fields = { email: 'ann@example.com', password: 'correct horse battery', ...held, ...form.fields };
    const others = String(new URLSearchParams({ ...fields, [field]: '' }));
    const body = `${others}&${field}=a${encoded.repeat(Math.floor((bytes - others.length) / Buffer.byteLength(encoded)) - 3)}`;
    const headers = { ...form.headers, ...sameOrigin, 'content-type': 'application/x-www-form-urlencoded' };
    return probe.requireNoStall(`${field} on ${path.slice(0, 3)}`, () =>
      api.send('POST', path, { headers, body }),
    );
  }

  it('serves others while it reads a word or a passphrase of combining marks', async () => {
    const open = await api.create();
    const locked = await api.create({ passphrase: 'open sesame' });
    const word = { field: 'word', unit: marks, bytes: 60 * kibibyte };
    const passphrase = { field: 'passphrase', unit: marks, bytes: 60 * kibibyte };
    expect((await submitFilled(open.page, await forms.loadForm(open.page), word)).status).to.equal(422);
    const answer = await submitFilled(locked.page, await forms.loadForm(locked.page), passphrase);
    expect(answer.status).to.equal(401);
  });

  it('refuses more than 64 KiB at once, except in the form of a push', async () => {
    const { page } = await api.create();
    for (const field of ['word', 'passphrase', 'nonce', 'csrf', 'other']) {
      const fill = { field, unit: marks, bytes: 200 * kibibyte };
      expect((await submitFilled(page, await forms.loadForm(page), fill)).status, field).to.equal(413);
    }
    for (const [path, field] of [
      ['/sign-in', 'email'],
      ['/sign-in', 'password'],
      ['/sign-in', 'next'],
      ['/sign-up', 'password'],
    ] as const) {
      const fill = { field, unit: marks, bytes: 200 * kibibyte };
      expect((await submitFilled(path, await forms.loadForm(path), fill)).status, path).to.equal(413);
    }
  });

  it('shows a long text of any characters exactly, and quotation marks as they are', async () => {
    for (const unit of ['"', '&', '<', '&<"', '\0', 'a\r', '\ud83c\udf37', '&lt;']) {
      const payload = unit.repeat(150_000 / [...unit].length).replace(/^&/, 'a');
      const push = await api.create({ payload });
      const form = await forms.loadForm(push.page);
      const shown = await probe.requireNoStall(`a page of ${JSON.stringify(unit)}`, () =>
        forms.submit(push.page, form),
      );
      const exact = /<pre hidden[^>]*>([^<]*)<\/pre>/.exec(shown.text)?.[1];
      const text = exact === undefined ? payloadShown(shown) : JSON.parse(unescapeHtml(exact));
      expect(text === payload, unit).to.equal(true);
      if (unit === '"') expect(shown.bytes.length).to.be.below(2 * payload.length);
    }
  });

  it('shows what was entered again when another field is wrong', async () => {
    const form = await forms.loadForm('/');
    const payload = `</textarea>&amp;"${'&'.repeat(200_000)}`;
    const answer = await forms.submit('/', form, { payload, name: '<&"', views: '0' });
    expect(answer.status).to.equal(422);
    const shown = /<textarea[^>]*name="payload"[^>]*>\n([^<]*)<\/textarea>/.exec(answer.text)?.[1];
    expect(unescapeHtml(shown ?? '') === payload).to.equal(true);
  });

  it('serves others while it reads and shows a push of 6 MiB that breaks a rule', async () => {
    for (const [field, unit] of [
      ['payload', '"'],
      ['payload', '\r\n'],
      ['payload', marks],
      ['passphrase', marks],
      ['name', '<'],
      ['note', '&'],
      ['views', '9'],
      ['lifetime', '9'],
      ['kind', 'x'],
    ] as const) {
      const fill = { field, unit, bytes: 6_000 * kibibyte };
      const answer = await submitFilled('/', await forms.loadForm('/'), fill);
      expect(answer.status, field).to.be.oneOf([303, 422]);
      expect(answer.bytes.length, `${field} is not shown again`).to.be.below(100 * kibibyte);
    }
  });
});
