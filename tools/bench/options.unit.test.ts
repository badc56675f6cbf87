import { expect } from 'chai';
import { optionsHelp, parseBenchOptions } from './options.ts';
import { rivalServer } from './servers/rival.ts';

describe('The command line of the bench', () => {
  it('describes every option', () => {
    for (const name of [
      'database',
      'connections',
      'rounds',
      'warmup',
      'pushes',
      'pool',
      'processes',
      'stored',
    ])
      expect(optionsHelp).to.include(`--${name} `);
    for (const name of ['set', 'koa', 'compare', 'rival', 'sizes', 'account'])
      expect(optionsHelp).to.include(`--${name} `);
  });

  it('has limits off unless a setting turns them on', () => {
    expect(parseBenchOptions([]).settings.RATE_LIMITS).to.equal('off');
    expect(parseBenchOptions(['--set', 'RATE_LIMITS=on']).settings.RATE_LIMITS).to.equal('on');
  });

  it('takes lists of numbers, and repeated rivals', () => {
    const options = parseBenchOptions(['page', '--connections', '1,32', '--rival', 'a', '--rival', 'b']);
    expect(options).to.deep.include({ mode: 'page', connections: [1, 32], rivals: ['a', 'b'] });
  });

  it('refuses what it does not know', () => {
    expect(() => parseBenchOptions(['--rounds', 'many'])).to.throw('--rounds takes whole numbers: many');
    expect(() => parseBenchOptions(['--set', 'pool=3'])).to.throw('--set takes NAME=VALUE');
    expect(() => rivalServer('yopas=http://127.0.0.1:1337', ['yopass'])).to.throw('one of yopass');
  });
});
