import { expect } from 'chai';
import fc from 'fast-check';
import { sealSecret } from '../../../../src/client/encryption.js';
import { createKey } from '../../../../src/client/linkKey.js';
import { domainSettings, readConfig } from '../../../../src/config.ts';
import { buildPushSchema } from '../../../../src/domain/pushes/create/schema.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/time.ts';

const settings = domainSettings(readConfig({})).pushes;
const schema = buildPushSchema(settings);

/** The fields that the schema rejects. */
function refusedFields(input: object): string[] {
  const { error } = schema.safeParse(input);
  return [...new Set(error?.issues.map(({ path }) => String(path[0])))].sort();
}

describe('The schema of a push', () => {
  it('fills in the defaults of the settings', () => {
    expect(schema.parse({ payload: 'tulip' })).to.deep.equal({
      payload: 'tulip',
      kind: 'text',
      encrypted: false,
      passphrase: null,
      sender: null,
      name: null,
      note: null,
      recipients: [],
      recipientCode: true,
      viewsPerRecipient: 1,
      viewsMax: 5,
      lifetimeMs: 7 * dayMs,
      deletableByViewer: true,
      retrievalStep: true,
      notify: {},
    });
  });

  it('converts each duration to milliseconds', () => {
    const lifetimeOf = (input: object) => schema.parse({ payload: 'tulip', ...input }).lifetimeMs;
    expect(lifetimeOf({ expireAfterDays: 2 })).to.equal(2 * dayMs);
    expect(lifetimeOf({ expireAfterHours: '3' })).to.equal(3 * hourMs);
    expect(lifetimeOf({ expireAfterMinutes: 5 })).to.equal(5 * minuteMs);
  });

  it('refuses two durations', () => {
    const durations = { expireAfterDays: 1, expireAfterMinutes: 5 };
    expect(refusedFields({ payload: 'tulip', ...durations })).to.deep.equal(['expireAfterMinutes']);
  });

  it('reports all invalid fields at once', () => {
    const input = {
      payload: '',
      kind: 'image',
      expireAfterDays: 91,
      expireAfterViews: 0,
      retrievalStep: 'maybe',
    };
    expect(refusedFields(input)).to.deep.equal(Object.keys(input).sort());
  });

  it('validates the payload by its kind', () => {
    expect(refusedFields({ payload: 'x'.repeat(1_024), kind: 'qr' })).to.deep.equal([]);
    expect(refusedFields({ payload: 'x'.repeat(1_025), kind: 'qr' })).to.deep.equal(['payload']);
    expect(refusedFields({ payload: 'https://example.com', kind: 'url' })).to.deep.equal([]);
    for (const payload of ['tulip', 'javascript:alert(1)', 'data:text/html,tulip', 'ftp://example.com'])
      expect(refusedFields({ payload, kind: 'url' }), payload).to.deep.equal(['payload']);
  });

  it('takes nothing for encrypted that is not', async () => {
    const key = createKey();
    const payload = await sealSecret(key, { kind: 'text', text: 'tulip', files: [] });
    const refused = (input: object) => refusedFields({ payload, encrypted: true, ...input });
    expect(refused({})).to.deep.equal([]);
    expect(refused({ kind: 'file' })).to.deep.equal([]);
    const ofVersion = (version: number) =>
      Buffer.concat([Buffer.of(version), Buffer.from(payload, 'base64url').subarray(1)]).toString(
        'base64url',
      );
    expect(
      [0, 1, 2, 3].filter((version) => refused({ payload: ofVersion(version) }).length === 0),
    ).to.deep.equal([1, 2]);
    for (const plain of ['tulip', '', `${payload} `, `B${payload.slice(1)}`, payload.slice(0, 40)])
      expect(refused({ payload: plain }), plain).to.deep.equal(['payload']);
    expect(refused({ payload: payload.padEnd(4_194_304, 'A') })).to.deep.equal([]);
    expect(refused({ payload: payload.padEnd(4_194_305, 'A') })).to.deep.equal(['payload']);
    for (const kind of ['url', 'qr']) expect(refused({ kind }), kind).to.deep.equal(['kind']);
  });

  it('limits a passphrase by its bytes, not by its characters', () => {
    expect(refusedFields({ payload: 'tulip', passphrase: 'ä'.repeat(512) })).to.deep.equal([]);
    expect(refusedFields({ payload: 'tulip', passphrase: 'ä'.repeat(513) })).to.deep.equal(['passphrase']);
  });

  describe('for random input', () => {
    const viewsOf = (expireAfterViews: unknown) => {
      const { success, data } = schema.safeParse({ payload: 'tulip', expireAfterViews });
      return success ? data.viewsMax : 'refused';
    };

    it('reads a whole number in its range, however it is written, and refuses every other', () => {
      const spelling = fc.constantFrom(
        (number: number): unknown => number,
        String,
        (number: number) => ` ${number}\t`,
        (number: number) => (number < 0 ? `${number}` : `+${number}`),
        (number: number) => (number < 0 ? `${number}` : `000${number}`),
      );
      const number = fc.oneof(fc.integer(), fc.integer({ min: -5, max: 110 }));
      fc.assert(
        fc.property(number, spelling, (views, spelled) => {
          expect(viewsOf(spelled(views))).to.equal(views >= 1 && views <= 100 ? views : 'refused');
        }),
      );
    });

    it('reads a number or refuses it, and never makes up another', () => {
      fc.assert(
        fc.property(fc.oneof(fc.double(), fc.string(), fc.bigInt(), fc.anything()), (views) => {
          const read = viewsOf(views);
          if (read === 'refused') return;
          if (views == null || views === 'None' || String(views).trim() === '') expect(read).to.equal(5);
          else expect(read).to.equal(Number(views));
        }),
      );
    });

    it('reads the documented spellings of a boolean, and refuses all others', () => {
      const yes = [true, 'true', 'True', 'on', 'yes', 'checked', '1', 1];
      const no = [false, 'false', 'False', 'off', 'no', '0', 0, ''];
      const value = fc.oneof(fc.constantFrom(...yes, ...no), fc.string(), fc.anything());
      fc.assert(
        fc.property(value, (retrievalStep) => {
          const { success, data } = schema.safeParse({ payload: 'tulip', retrievalStep });
          const expected =
            retrievalStep == null || yes.includes(retrievalStep as never)
              ? true
              : no.includes(retrievalStep as never)
                ? false
                : 'refused';
          expect(success ? data.retrievalStep : 'refused').to.equal(expected);
        }),
      );
    });

    it('parses the same with generated code as without, whoever it is for', async () => {
      const valid = fc.constantFrom('tulip', 'url', 'file', true, '7', 3, null);
      const recipient = fc.constantFrom('Ana', 'Ana@example.com', 'a@b@c', 'ana@example.org');
      const fields = fc.dictionary(
        fc.constantFrom(
          'payload',
          'kind',
          'encrypted',
          'note',
          'expireAfterHours',
          'expireAfterViews',
          'notify',
        ),
        fc.oneof(valid, fc.anything()),
      );
      const recipients = fc.oneof(fc.array(recipient), fc.anything());
      for (const mailDomains of [null, [], ['example.com']]) {
        const push = buildPushSchema({ ...settings, mailDomains });
        await fc.assert(
          fc.asyncProperty(fields, recipients, async (some, recipients) => {
            const input = { ...some, recipients };
            const withoutCode = await push.safeParseAsync(input); // generated code is synchronous
            expect(push.safeParse(input)).to.deep.equal(withoutCode);
          }),
        );
      }
    });

    it('never throws, whatever an input holds', () => {
      fc.assert(
        fc.property(
          fc.anything(),
          fc.dictionary(fc.constantFrom('payload', 'kind', 'name'), fc.anything()),
          (a, b) => {
            schema.safeParse(a);
            schema.safeParse(b);
          },
        ),
      );
    });
  });
});
