import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { newSealer, openLabel, openPayload, reseal, seal, sealWithSalt } from '../../src/crypto/cipher.ts';
import { newId } from '../../src/crypto/ids.ts';
import { type Keyring, newKey, parseKeyring } from '../../src/crypto/keyring.ts';
import { createRecordKeys, type RecordContext } from '../../src/crypto/recordKey.ts';
import { newUrlToken } from '../../src/crypto/tokens.ts';
import { DomainError } from '../../src/errors.ts';

const [first, second, pepper] = [newKey(), newKey(), newKey()];
const keyring = parseKeyring(`7:${first}`, pepper);
const place = { id: newId(), field: 'payload', secret: newUrlToken() };
const headBytes = 34;
const tagBytes = 16;

const open = (record: Buffer, { id, secret }: Omit<RecordContext, 'field'> = place, keys = keyring) =>
  openPayload(keys, record, secret === undefined ? { id } : { id, secret }).toString();

/** The parts of a sealed record by the offsets of its format. */
function partsOf(record: Buffer) {
  return {
    version: record[0],
    algorithm: record[1],
    keyId: record.readUInt32BE(2),
    salt: record.subarray(6, 22),
    iv: record.subarray(22, headBytes),
    body: record.subarray(headBytes, -tagBytes),
    tag: record.subarray(-tagBytes),
  };
}

/** The key of a record by node's own HKDF. */
function keyOf(salt: Buffer, { field, secret = '' }: RecordContext, master = first): Buffer {
  const material = Buffer.concat([Buffer.from(master, 'base64'), Buffer.from(secret)]);
  return Buffer.from(hkdfSync('sha256', material, salt, field, 32));
}

const contextOf = (record: Buffer, { id, field }: RecordContext) =>
  Buffer.concat([record.subarray(0, headBytes), id, Buffer.from(field)]);

describe('A sealed record', () => {
  it('opens to exactly what was sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(open(seal(keyring, text, place))).to.equal(text);
      }),
    );
    for (const text of ['', '\0', '\r\n', 'ÿ', '🌷'.repeat(50_000), 'x'.repeat(1_048_576)]) {
      expect(open(seal(keyring, text, place)) === text).to.equal(true);
    }
    expect(open(seal(keyring, Buffer.from('tulip'), place))).to.equal('tulip');
  });

  it('consists of version, algorithm, key id, salt, IV, body and tag', () => {
    const record = seal(keyring, 'tulip', place);
    const { version, algorithm, keyId, salt, iv, body, tag } = partsOf(record);
    expect({ version, algorithm, keyId }).to.eql({ version: 1, algorithm: 1, keyId: 7 });
    expect([salt, iv, body, tag].map(({ length }) => length)).to.eql([16, 12, 5, 16]);
    expect(record).to.have.length(1 + 1 + 4 + 16 + 12 + 5 + 16);
  });

  it('is AES-256-GCM under a key that HKDF derives from master key and url token, bound to its header, push and field', () => {
    const record = seal(keyring, 'tulip', place);
    const { salt, iv, body, tag } = partsOf(record);
    const decipher = createDecipheriv('aes-256-gcm', keyOf(salt, place), iv, { authTagLength: 16 });
    decipher.setAAD(contextOf(record, place)).setAuthTag(tag);
    expect(Buffer.concat([decipher.update(body), decipher.final()]).toString()).to.equal('tulip');
  });

  it('opens when another program sealed it by the same rule, with or without a url token', () => {
    const id = newId();
    for (const where of [place, { id, field: 'push' }]) {
      const head = seal(keyring, '', where).subarray(0, headBytes);
      const { salt, iv } = partsOf(Buffer.concat([head, Buffer.alloc(tagBytes)]));
      const cipher = createCipheriv('aes-256-gcm', keyOf(salt, where), iv, { authTagLength: 16 });
      cipher.setAAD(contextOf(head, where));
      const record = Buffer.concat([head, cipher.update('tulip'), cipher.final(), cipher.getAuthTag()]);
      const opened = where === place ? open(record) : openLabel(keyring, record, { id, field: 'push' });
      expect(opened).to.equal('tulip');
    }
  });

  it('has its own salt and IV', () => {
    const records = Array.from({ length: 1_000 }, () => partsOf(seal(keyring, 'tulip', place)));
    for (const part of ['salt', 'iv', 'body', 'tag'] as const) {
      expect(new Set(records.map((record) => record[part].toString('hex'))).size, part).to.equal(1_000);
    }
  });

  it('alone has its key and IV, even if what encrypts it is kept', () => {
    const sealer = newSealer(keyring, place);
    seal(keyring, 'tulip', place, sealer);
    expect(() => seal(keyring, 'rose', place, sealer)).to.throw();
  });

  it('shares its key with those of the same salt, field and secret, if it was given a salt', () => {
    const salt = newId();
    const contexts = ['push', 'reason'].flatMap((field) =>
      [undefined, 'rose', 'lily'].flatMap((secret) =>
        Array.from({ length: 3 }, () => ({ id: newId(), field: field as 'push' | 'reason', secret })),
      ),
    );
    const records = contexts.map((context) => sealWithSalt(keyring, JSON.stringify(context), context, salt));
    expect(new Set(records.map((record) => partsOf(record).iv.toString('hex'))).size).to.equal(18);
    const derive = createRecordKeys();
    const keys = new Set<Buffer>();
    for (const [at, record] of records.entries()) {
      const context = contexts[at] ?? expect.fail();
      expect(partsOf(record).salt.equals(salt)).to.equal(true);
      const opened = openLabel(keyring, record, context, (...key) => {
        const derived = derive(...key);
        keys.add(derived);
        expect(derived.equals(keyOf(salt, context))).to.equal(true);
        return derived;
      });
      expect(opened).to.equal(JSON.stringify(context));
      const other = contexts[(at + 1) % contexts.length] ?? expect.fail();
      expect(() => openLabel(keyring, record, other, derive)).to.throw();
    }
    expect(keys.size, 'keys').to.equal(6);
  });

  it('keeps its salt when it is encrypted again', () => {
    const context = { id: newId(), field: 'push' } as const;
    const record = seal(keyring, 'garden', context);
    const keys = parseKeyring(`8:${second},7:${first}`, pepper);
    const again = partsOf(reseal(keys, record, context));
    expect(again.keyId).to.equal(8);
    expect(again.salt).to.deep.equal(partsOf(record).salt);
    expect(again.iv).not.to.deep.equal(partsOf(record).iv);
    expect(openLabel(keys, reseal(keys, record, context), context)).to.equal('garden');
  });

  it('is rejected when any single bit is flipped', () => {
    const record = seal(keyring, 'tulip', place);
    const opened = [];
    for (let at = 0; at < record.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = Buffer.from(record);
        changed.writeUInt8(changed.readUInt8(at) ^ (1 << bit), at);
        if (opens(() => open(changed))) opened.push({ at, bit });
      }
    }
    expect(opened).to.eql([]);
  });

  it('is rejected when it is truncated or extended', () => {
    const record = seal(keyring, 'tulip', place);
    for (let length = 0; length < record.length; length++) {
      expect(() => open(record.subarray(0, length)), `cut to ${length}`).to.throw();
      expect(() => open(record.subarray(record.length - length)), `the last ${length}`).to.throw();
    }
    expect(() => open(Buffer.concat([record, Buffer.alloc(1)]))).to.throw();
    expect(() => open(Buffer.alloc(0))).to.throw('recordDamaged');
  });

  it('is rejected for another push, another field, or another url token', () => {
    const { id, secret } = place;
    const payload = seal(keyring, 'tulip', place);
    expect(() => open(payload, { id: newId(), secret })).to.throw();
    expect(() => open(payload, { id, secret: newUrlToken() })).to.throw();
    expect(() => open(payload, { id })).to.throw();
    expect(() => openLabel(keyring, payload, { id, field: 'push', secret })).to.throw();
    const [label, reason] = [
      seal(keyring, 'garden', { id, field: 'push' }),
      seal(keyring, 'fence', { id, field: 'reason' }),
    ];
    expect(openLabel(keyring, label, { id, field: 'push' })).to.equal('garden');
    expect(() => openLabel(keyring, label, { id, field: 'reason' })).to.throw();
    expect(() => openLabel(keyring, reason, { id, field: 'push' })).to.throw();
    expect(() => open(label)).to.throw();
  });

  /** Expects a refusal that names the id of the key to the log alone, and asks to try again. */
  function expectMissing(keyId: number, work: () => unknown): void {
    expect(work)
      .to.throw(DomainError, 'keyMissing')
      .that.deep.includes({ code: 'unavailable', retryAfterSeconds: 10 })
      .and.has.nested.property('cause.message', `master key ${keyId} is not among MASTER_KEYS`);
  }

  it('is rejected with an error that contains neither a key nor a byte of the record', () => {
    const { id } = place;
    const stranger = parseKeyring(`8:${second}`, pepper);
    const record = seal(keyring, 'tulip', place);
    expectMissing(7, () => open(record, place, stranger));
    for (const refuse of [() => open(record, { id }), () => open(record.subarray(0, 40))]) {
      expect(refuse)
        .to.throw(Error)
        .with.property('message')
        .that.does.not.match(/tulip|[0-9a-f]{16}/);
    }
  });

  it('still opens after a new master key has taken over the sealing', () => {
    const old = seal(keyring, 'tulip', place);
    const rotated = parseKeyring(`8:${second},7:${first}`, pepper);
    expect(open(old, place, rotated)).to.equal('tulip');
    const fresh = seal(rotated, 'rose', place);
    expect(partsOf(fresh).keyId).to.equal(8);
    expect(open(fresh, place, rotated)).to.equal('rose');
    expectMissing(8, () => open(fresh));
    const without = parseKeyring(`8:${second}`, pepper);
    expectMissing(7, () => open(old, place, without));
    const impostor: Keyring = parseKeyring(`7:${second}`, pepper);
    expect(() => open(old, place, impostor)).to.throw();
  });

  it('supports key ids up to the highest', () => {
    const highest = parseKeyring(`4294967295:${first}`, pepper);
    const record = seal(highest, 'tulip', place);
    expect(partsOf(record).keyId).to.equal(4_294_967_295);
    expect(open(record, place, highest)).to.equal('tulip');
  });
});

function opens(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
