import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readDotEnv } from '../../src/config/dotEnv.ts';
import { readConfig } from '../../src/config.ts';
import { ConfigError } from '../../src/errors.ts';

describe('.env', () => {
  let path: string;

  beforeEach(() => {
    path = join(mkdtempSync(join(tmpdir(), 'env-')), '.env');
    chmodSync(join(path, '..'), 0o755);
  });

  afterEach(() => rmSync(join(path, '..'), { recursive: true }));

  const isRoot = process.getuid?.() === 0;

  /** Why the file is refused. Read as a user whom file permissions restrict, as root is not. */
  function refused(): string {
    if (isRoot) process.seteuid?.(65_534);
    try {
      readDotEnv(path);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    return 'not refused';
  }

  function settingsIn(text: string): Record<string, string> | undefined {
    writeFileSync(path, text);
    return readDotEnv(path)?.settings;
  }

  it('may be missing', () => {
    expect(readDotEnv(path)).to.equal(undefined);
    expect(readConfig({}, readDotEnv(path))).to.deep.equal(readConfig({}));
  });

  it('is refused if it is there and cannot be read', () => {
    writeFileSync(path, 'ALLOW_ANONYMOUS=false\n', { mode: 0o000 });
    expect(refused()).to.equal(`The file ${path} cannot be read (EACCES).`);
    rmSync(path);
    chmodSync(join(path, '..'), 0o000);
    expect(refused()).to.equal(`The file ${path} cannot be read (EACCES).`);
    chmodSync(join(path, '..'), 0o755);
    mkdirSync(path);
    expect(refused()).to.equal(`The file ${path} cannot be read (EISDIR).`);
    rmSync(path, { recursive: true });
    symlinkSync('nowhere', path);
    expect(refused()).to.equal(`The file ${path} cannot be read (ENOENT).`);
    rmSync(path);
    symlinkSync('.env', path);
    expect(refused()).to.equal(`The file ${path} cannot be read (ELOOP).`);
  });

  it('sets what its lines say, in the usual spellings', () => {
    const expected = { HOST: 'a b', PORT: '5100' };
    for (const text of [
      'HOST="a b"\nPORT=5100',
      '\uFEFFHOST="a b"\r\n\r\nPORT=5100\r\n',
      "# c\n  # d\n HOST = 'a b' # e\nexport PORT=5100\n",
    ])
      expect(settingsIn(text), text).to.deep.equal(expected);
    expect(settingsIn('')).to.deep.equal({});
    expect(settingsIn('BASE_URL=https://push.test/#x')).to.have.keys('BASE_URL');
  });

  it('is refused for a line that sets nothing, without quoting it', () => {
    for (const line of [
      'ALLOW_ANONYMOUS: tulip',
      'ALLOW_ANONYMOUS tulip',
      'PORT',
      '=tulip',
      'PORT=1\rHOST=a',
    ]) {
      writeFileSync(path, `PORT=5100\n${line}\n`);
      expect(refused(), line).to.equal(`Line 2 of ${path} is not NAME=VALUE.`);
    }
  });

  it('yields to the environment, in which an empty variable is no setting', () => {
    const file = { path, settings: { PORT: '1', HOST: 'a', LOG_LEVEL: '' } };
    expect(readConfig({ PORT: '2', HOST: ' ' }, file)).to.include({
      PORT: 2,
      HOST: 'a',
      LOG_LEVEL: 'info',
      envFile: path,
    });
  });
});
