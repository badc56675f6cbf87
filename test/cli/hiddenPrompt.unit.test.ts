import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { readPassword } from '../../src/cli/hiddenPrompt.ts';

describe('A prompt for a password', () => {
  const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;

  /** What is read when somebody types these lines at a terminal, or sends them where there is none. */
  async function ask(typed: string, { isTTY = true, stdin = false } = {}) {
    const input = Object.assign(new PassThrough(), { isTTY });
    const output = new PassThrough();
    const reading = readPassword({ stdin }, { input, output });
    input.end(typed);
    const result = await reading.then(
      (password) => ({ password }),
      ({ message }: Error) => ({ message }),
    );
    return { ...result, shown: String(output.read() ?? '') };
  }

  it('asks twice at a terminal, and never shows what is typed', async () => {
    const shown = '\u001b[?2004hNew password: \nAgain: \n\u001b[?2004l';
    expect(await ask('correct horse\ncorrect horse\n')).to.deep.equal({ password: 'correct horse', shown });
    expect(await ask('correct horse\nbattery\n')).to.deep.equal({
      message: 'The two do not match. Nothing was changed.',
      shown,
    });
    expect(await ask('correct horse\n')).to.have.property('message', 'Cancelled.');
    expect((await ask('tulip\ntulip\n', { stdin: true })).shown).to.equal(shown);
  });

  it('takes a pasted text with several lines as one answer, and leaves none to the shell', async () => {
    const key = 'BEGIN\rkey\r\nEND\r';
    expect(await ask(`${pasted(key)}\r${pasted(key)}\r`)).to.have.property('password', 'BEGIN\nkey\nEND\n');
  });

  it('lets what is typed be corrected and cancelled, and ignores keys that move a cursor', async () => {
    const typed = 'wrong\u0015tulix\u007fp\u001b[D\u001b[A 🌷\u007f\r';
    expect(await ask(typed + typed)).to.have.property('password', 'tulip ');
    expect(await ask('tulip\rtul\u0003')).to.have.property('message', 'Cancelled.');
  });

  it('reads standard input where there is no terminal, if it is told to', async () => {
    expect(await ask('correct horse\r\n', { isTTY: false, stdin: true })).to.deep.equal({
      password: 'correct horse',
      shown: '',
    });
    expect(await ask('correct horse\n', { isTTY: false })).to.have.property(
      'message',
      'There is no terminal to ask for the password. Add --stdin to read it from standard input.',
    );
  });
});
