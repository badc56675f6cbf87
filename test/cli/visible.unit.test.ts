import { expect } from 'chai';
import { safeName } from '../../src/cli/client/downloads.ts';
import { fitTable, relativeTime } from '../../src/cli/client/tables.ts';
import { visible } from '../../src/cli/client/terminal.ts';
import { formatTable } from '../../src/cli/output.ts';
import { safeFilename } from '../../src/client/client.ts';

describe('What the client shows of strangers', () => {
  it('cannot control the terminal', () => {
    expect(visible('tulip\u001b]52;c;eA==\u0007\u009b31m\u202e\tü\r\n東京\rrose\u200e')).to.equal(
      'tulip\\u001b]52;c;eA==\\u0007\\u009b31m\\u202e\tü\n東京\\u000drose\\u200e',
    );
  });

  it('does not choose where a file is saved', () => {
    const names = ['../../etc/passwd', 'C:\\windows\\a.txt', '.ssh', '..', '', 'a\u001b[2Jb', 'Grüße.pdf'];
    expect(names.map(safeName)).to.deep.equal([
      ...['passwd', 'a.txt', '_ssh', '_', 'file', 'a_[2Jb', 'Grüße.pdf'],
    ]);
  });

  it('does not name a file so that a reader or a system takes it for another', () => {
    const names: Record<string, string> = {
      'x\u202ecod.exe': 'x_cod.exe',
      '\u2066a\u2069\u200e\u200f\u061c.txt': '_a____.txt',
      'a\u2028b\u2029c\u0000d\u0085e': 'a_b_c_d_e',
      CON: '_CON',
      'nul.tar.gz': '_nul.tar.gz',
      com1: '_com1',
      'LPT9.txt': '_LPT9.txt',
      'console.log': 'console.log',
      'com10.txt': 'com10.txt',
      'dot. . ': 'dot',
      'con ': '_con',
      ' leading': ' leading',
      'Grüße 東京.pdf': 'Grüße 東京.pdf',
    };
    for (const harmless of [safeFilename, safeName])
      expect(Object.keys(names).map(harmless)).to.deep.equal(Object.values(names));
    expect(['a/b', 'a\\b', '...', '', '.env'].map(safeFilename)).to.deep.equal([
      'a_b',
      'a_b',
      '_',
      '_',
      '.env',
    ]);
  });

  it('fits a table of 80 columns, and only the flexible column is cut', () => {
    const table = fitTable([
      { title: 'TOKEN', cells: ['t'.repeat(26)] },
      { title: 'NAME', cells: ['n'.repeat(200)], isFlexible: true },
    ]);
    expect(table.split('\n').at(-1)).to.equal(`${'t'.repeat(26)}  ${'n'.repeat(51)}…`);
  });

  it('gives wide characters two columns of a table, and cuts none in half', () => {
    const lineOf = (name: string) => {
      const cells = [name, 'n'.repeat(200)];
      return fitTable([{ title: 'NAME', cells, isFlexible: true }]).split('\n')[1];
    };
    expect(lineOf('東京'.repeat(40))).to.equal(`${'東京'.repeat(19)}東…`);
    expect(lineOf('👩‍💻'.repeat(41))).to.equal(`${'👩‍💻'.repeat(39)}…`);
    const token = { title: 'KEY', cells: ['東', 'ab'] };
    expect(fitTable([token, { title: 'N', cells: ['1', '2'] }])).to.equal('KEY  N\n東   1\nab   2');
  });

  it('cannot control the terminal of an operator, nor add a row to a table', () => {
    const rows = [{ name: 'laptop\u001b]0;x\u0007\nadmin', used: true, last_used_at: null }];
    expect(formatTable(rows, 'none').split('\n')).to.deep.equal([
      'name                          used  last_used_at',
      'laptop\\u001b]0;x\\u0007 admin  yes   -',
    ]);
  });

  it('says how far away a time is', () => {
    const at = (seconds: number) => relativeTime(new Date(seconds * 1_000).toISOString(), 0);
    expect([3 * 86_400, 3_600, -7_200, 90].map(at)).to.deep.equal([
      ...['in 3 days', 'in 1 hour', '2 hours ago', 'in 2 minutes'],
    ]);
  });
});
