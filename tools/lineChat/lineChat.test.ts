import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import type { ChatListener } from '../../src/bots/chatModule.ts';
import { createCommands } from '../../src/bots/commands.ts';
import { createInteractions } from '../../src/bots/interactions/interactions.ts';
import { createChatMessenger } from '../../src/bots/messenger.ts';
import { freePort } from '../../test/harness/mariadb.ts';
import { startService, type TestService } from '../../test/harness/service.ts';
import { until } from '../../test/harness/until.ts';
import { createLineChat } from './lineChat.ts';

const platform = 'mattermost'; // whose addresses it borrows
const linkTo = (urlToken: string) => `http://push.test/p/${urlToken}`;

/** Somebody at a terminal. */
async function meet(port: number, name: string) {
  const socket = connect(port, '127.0.0.1');
  const read: string[] = [];
  createInterface(socket).on('line', (line) => read.push(line));
  const types = (...lines: string[]) => void socket.write(`${lines.join('\n')}\n`);
  types(`hello ${name.padEnd(26, 'x')} ${name}`);
  return {
    types,
    leaves: () => socket.destroy(),
    /** Waits for a line, and returns what its pattern catches. */
    async reads(what: RegExp): Promise<string> {
      await until(() => read.some((line) => what.test(line)));
      return what.exec(read.find((line) => what.test(line)) ?? '')?.[1] ?? '';
    },
  };
}

describe('A chat of lines, as an example of an adapter', () => {
  let service: TestService;
  let listener: ChatListener;
  let port: number;
  let deliver: () => Promise<unknown>;

  beforeEach(async () => {
    service = await startService();
    port = await freePort();
    const { domain } = service;
    const commands = createCommands({
      ...{ domain, linkTo, requestLinkTo: linkTo },
      pageOf: (purpose) => `http://push.test/${purpose}`,
    });
    const failures: unknown[] = [];
    const onError = (error: unknown) => failures.push(error);
    const { listen, transport } = createLineChat({
      interactions: createInteractions({ commands, onError }),
      onError,
      platform,
      port,
    });
    listener = listen();
    await listener.start?.(Promise.resolve(true));
    const messenger = createChatMessenger({ platform, domain, linkTo, transport });
    deliver = () => domain.notices.deliverDue({ [platform]: messenger });
  });

  afterEach(async () => {
    await listener.stop?.();
    await service.stop();
  });

  it('takes secrets, gives them to others by a button, asks before it burns, and tells their sender', async () => {
    const [alice, bob] = [await meet(port, 'alice'), await meet(port, 'bob')];
    alice.types('/push', `payload=tulip`, `recipients=${'bob'.padEnd(26, 'x')}`, 'name=VPN', 'submit');
    await alice.reads(/^VPN is ready/);
    await deliver();
    await bob.reads(/^@alice sent you a secret/);
    const number = await bob.reads(/^\[(\d+)\] Open$/);
    bob.types(`press ${number}`);
    const path = await bob.reads(/^Open: http:\/\/push\.test(\S+)$/);
    const opened = await fetch(`${service.url}${path}.json`);
    expect(((await opened.json()) as { payload: string }).payload).to.equal('tulip');
    await deliver();
    await alice.reads(/opened by @bob/i);
    alice.types('/push another', '/push list');
    const burn = await alice.reads(/^\[(\d+)\] Burn now$/);
    alice.types(`press ${burn}`);
    await alice.reads(/^Burn this/);
    for (const person of [alice, bob]) person.leaves();
  });

  it('says at the field what is wrong, and keeps the form open', async () => {
    const alice = await meet(port, 'alice');
    alice.types('/push', 'submit');
    await alice.reads(/^payload: ./);
    alice.types('payload=tulip', 'submit');
    await alice.reads(/is ready/);
    alice.leaves();
  });
});
