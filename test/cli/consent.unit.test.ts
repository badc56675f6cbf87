import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { CancelledError } from '../../src/cli/cancelled.ts';
import { requireConsent } from '../../src/cli/consent.ts';

describe('Consent', () => {
  /** What happens when somebody types a line at a terminal, or where there is none. */
  async function ask({ typed, isTTY = true, yes }: { typed?: string; isTTY?: boolean; yes?: true }) {
    const input = Object.assign(new PassThrough(), { isTTY });
    const output = new PassThrough();
    const consent = requireConsent('This deletes all tulips.', yes ? { yes } : {}, { input, output });
    if (typed !== undefined) input.write(`${typed}\n`);
    const result = await consent.then(
      () => 'agreed',
      (error: Error) => error.message,
    );
    return { result, asked: String(output.read() ?? '') };
  }

  it('is asked for at a terminal, and only “y” or “yes” gives it', async () => {
    expect(await ask({ typed: 'y' })).to.deep.equal({
      result: 'agreed',
      asked: 'This deletes all tulips. Go on? [y/N] ',
    });
    expect((await ask({ typed: ' YES ' })).result).to.equal('agreed');
    for (const typed of ['', 'n', 'yesterday']) {
      expect((await ask({ typed })).result, typed).to.equal('Nothing was changed.');
    }
  });

  it('ends the command, as Ctrl-C does, when somebody presses it or Ctrl-D instead', async () => {
    for (const key of ['\u0003', '\u0004']) {
      const terminal = () => Object.assign(new PassThrough(), { isTTY: true });
      const [input, output] = [terminal(), terminal()];
      const consent = requireConsent('This deletes all tulips.', {}, { input, output });
      input.write(key);
      const error = await consent.catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(CancelledError);
      expect(String(output.read())).to.contain('Go on? [y/N] ');
    }
  });

  it('needs --yes where nobody can be asked', async () => {
    const withoutTerminal = 'This deletes all tulips. Add --yes to agree.';
    expect(await ask({ isTTY: false, typed: 'y' })).to.deep.equal({ result: withoutTerminal, asked: '' });
    expect(await ask({ isTTY: false, yes: true })).to.deep.equal({ result: 'agreed', asked: '' });
  });
});
