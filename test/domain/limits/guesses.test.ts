import { expect } from 'chai';
import { newId } from '../../../src/crypto/ids.ts';
import { createCounters } from '../../../src/domain/limits/counters.ts';
import { createGuessLimits, type Guess } from '../../../src/domain/limits/guesses.ts';
import { someClient, startService, type TestService } from '../../harness/service.ts';

describe('Wrong passphrases that are tried at once', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('lock the push with the last of them, so that its owner hears of the others first', async () => {
    const push = newId();
    const counterOf = (key: string, points: number) => ({
      key: `${key} ${push.toString('hex')}`,
      setting: 'LIMIT_PASSPHRASE_BY_PUSH',
      rate: { points, seconds: 900 },
    });
    const countersOf = () => [counterOf('network', 100), counterOf('push', 3)];
    const limits = createGuessLimits(createCounters(service.database), countersOf);
    const verified: (() => void)[] = [];
    const tries: Promise<Guess>[] = [];
    for (let counted = 1; counted <= 3; counted++) {
      const isWrong = new Promise<boolean>((resolve) => verified.push(() => resolve(false)));
      await new Promise<void>((hasStarted) => {
        const verify = () => {
          hasStarted();
          return isWrong;
        };
        tries.push(limits.guess(push, someClient, verify));
      });
    }
    const outcomes = [];
    for (const [index, end] of verified.entries()) {
      end();
      outcomes.push((await tries[index])?.outcome);
    }
    expect(outcomes).to.eql(['wrong', 'wrong', 'locked']);
  });
});
