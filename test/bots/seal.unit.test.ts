import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createSeal } from '../../src/bots/seal.ts';
import { newKey, parseKeyring } from '../../src/crypto/keyring.ts';
import { createSigning } from '../../src/crypto/signing.ts';

const newKeyring = () => parseKeyring(`1:${newKey()}`, newKey());

describe('What a chat without signatures gives back', () => {
  const signing = createSigning(newKeyring());
  const presses = createSeal<{ id: string }>(signing, { purpose: 'press' });

  it('is as it was sealed, for its purpose, its user and its service alone', () => {
    const sealed = presses.seal({ id: 'burn' }, 'alice');
    expect(presses.maybeOpen(sealed, 'alice')).to.eql({ id: 'burn' });
    const dialogs = createSeal(signing, { purpose: 'dialog' });
    const elsewhere = createSeal(createSigning(newKeyring()), { purpose: 'press' });
    const opened = [
      presses.maybeOpen(sealed, 'bob'),
      dialogs.maybeOpen(sealed, 'alice'),
      elsewhere.maybeOpen(sealed, 'alice'),
    ];
    expect(opened).to.eql([undefined, undefined, undefined]);
  });

  it('is refused where it was changed, cut, or made up', () => {
    const [text = '', signature = ''] = presses.seal({ id: 'burn' }).split('.');
    const changed = Buffer.from(Buffer.from(text, 'base64url').toString().replace('burn', 'show')).toString(
      'base64url',
    );
    for (const each of [
      `${changed}.${signature}`,
      `${text}.`,
      `${text}.${signature.slice(1)}`,
      '',
      '.',
      {},
      undefined,
      null,
    ])
      expect(presses.maybeOpen(each), String(each)).to.equal(undefined);
  });

  it('is refused when it is older than its purpose allows', async () => {
    const short = createSeal<{ id: string }>(signing, { purpose: 'dialog', lifetimeMs: 5 });
    const sealed = short.seal({ id: 'push' });
    await sleep(10); // it ages
    expect(short.maybeOpen(sealed)).to.equal(undefined);
  });
});
