import { linkFor } from '../../../../test/bots/staging.ts';
import { type ApiResponse, createClient, times } from '../../../../test/harness/api.ts';
import type { Message, StoryStage } from './stages.ts';
import { secret } from './stages.ts';

/** What the scenes are played with. */
export type Play = StoryStage & {
  /** Heads what follows. */
  scene(title: string): void;
  /** Records what somebody read that is no message, such as a window. */
  note(name: string, text: string): void;
  /** Records a failure unless the claim holds. */
  check(claim: string, holds: boolean): void;
  /** Lets the push that was created first expire. */
  expireFirst(): Promise<void>;
};

const passphrase = 'open sesame';

/** The whole story, from a secret for two people to its end. */
export async function play(stage: Play): Promise<void> {
  const { bob, carol } = await sendToTwo(stage);
  await forwardLink(stage, bob);
  await remind(stage, carol);
  await shareInChannel(stage);
  await openTwentyTimes(stage);
  await guessPassphrase(stage);
  await request(stage);
  stage.scene('The VPN password expires before Carol has opened it.');
  await stage.expireFirst();
  await reads(stage, 'alice', /VPN\W* expired/);
  await reads(stage, 'carol', /It expired before you opened it/);
}

async function sendToTwo({ scene, alice, nextDm }: Play) {
  scene('Alice sends the VPN password to Bob and Carol.');
  await alice.pushes({ name: 'VPN', to: ['bob', 'carol'] });
  return { bob: await nextDm('bob'), carol: await nextDm('carol') };
}

async function forwardLink(stage: Play, received: Message): Promise<void> {
  stage.scene('Bob asks for his link twice, forwards the first to Mallory, and opens the second.');
  const [first, second] = [await linkFor(received), await linkFor(received)];
  stage.check('a forwarded link that was replaced opens nothing', (await open(stage, first)).status === 404);
  stage.check('the link opens', isOpened(await open(stage, second, { network: 2 })));
  stage.check('an opened link opens nothing', !isOpened(await open(stage, second, { network: 3 })));
  await reads(stage, 'alice', /VPN\W* was opened by @bob/);
  await reads(stage, 'bob', /You have opened it/);
}

async function remind(stage: Play, received: Message): Promise<void> {
  stage.scene('Carol wants to be reminded in an hour. Alice reminds her now, twice.');
  const question = await received.press('Remind me later').message();
  await question.press('In an hour');
  await question.becomes(/You get a reminder/);
  stage.note('alice', await stage.alice.nudges());
  await reads(stage, 'carol', /^Reminder: /);
  stage.note('alice', await stage.alice.nudges());
}

async function shareInChannel(stage: Play): Promise<void> {
  stage.scene('Alice shares the Wi-Fi password in #general. Bob opens it twice, and Dan once.');
  const sharedTo = await stage.shares({ name: 'Wi-Fi' });
  stage.check(
    'it opens for Bob',
    isOpened(await open(stage, await linkFor(sharedTo('bob')), { network: 2 })),
  );
  await sharedTo('bob').press('Open').message();
  stage.check(
    'it opens for Dan',
    isOpened(await open(stage, await linkFor(sharedTo('dan')), { network: 3 })),
  );
  await reads(stage, 'alice', /Opened by @bob and @dan/);
}

async function openTwentyTimes(stage: Play): Promise<void> {
  stage.scene(
    'Twenty people open the door code. The chat limits the rate, and hushpush is killed meanwhile.',
  );
  const [link = ''] =
    (await stage.alice.pushes({ name: 'Door code', views: 25 })).text.match(linkPattern) ?? [];
  stage.limitsRate(2, 3);
  const openFrom = (count: number, from: number) =>
    times(count, async (index) => {
      const response = await open(stage, link, { network: 10 + from + index });
      stage.check(`view ${from + index} opens`, isOpened(response));
    });
  await openFrom(10, 0);
  await reads(stage, 'alice', /Door code\W* was opened/);
  await openFrom(5, 10);
  await stage.restart();
  await openFrom(5, 15);
  await reads(stage, 'alice', /Door code\W* was opened 20 of 25 times/);
}

async function guessPassphrase(stage: Play): Promise<void> {
  stage.scene(
    'Alice sends Dan the root password with a passphrase. Dan’s link leaks, and 24 strangers guess.',
  );
  const answer = await stage.alice.pushes({ name: 'Root', to: ['dan'], passphrase });
  const received = await stage.nextDm('dan');
  const link = await linkFor(received);
  // One after the other: of guesses made at once, some are recorded after the lock that the first of them brings.
  for (let index = 0; index < 24; index++) {
    const guess = await open(stage, link, { network: 40 + index, passphrase: `guess ${index}` });
    stage.check(`guess ${index} does not open it`, !isOpened(guess));
  }
  stage.check(
    'it is locked for the one who knows',
    (await open(stage, link, { network: 70, passphrase })).status === 429,
  );
  await reads(stage, 'alice', /Root\W* .*locked/);
  stage.scene('Alice burns it.');
  await stage.alice.burns(answer);
  await reads(stage, 'dan', /withdrawn/);
}

async function request(stage: Play): Promise<void> {
  stage.scene('Alice asks Bob for the AWS key. Bob sends it, and Alice opens it.');
  await stage.alice.asks(['bob'], 'the AWS key');
  const asked = await stage.nextDm('bob');
  const form = await asked.press('Provide secret').modal();
  await form.fill({ Secret: secret }).submit();
  await asked.becomes(/You sent @alice the secret/);
  const given = await receivedFrom(stage, 'alice', /^@bob sent you a secret/);
  stage.check('the answer opens', isOpened(await open(stage, await linkFor(given), { network: 80 })));
  await reads(stage, 'bob', /was opened/);
}

const linkPattern = /http:\S+\w/;

const isOpened = ({ body }: ApiResponse): boolean => body.payload === secret;

type Visitor = { network?: number; passphrase?: string };

/** Opens a link from a network of its own, through a proxy. */
async function open({ service }: Play, link: string, { network = 1, passphrase: tried }: Visitor = {}) {
  const client = createClient(service.port);
  const query = tried === undefined ? '' : `?passphrase=${encodeURIComponent(tried)}`;
  const response = await client.get(`${new URL(link).pathname}.json${query}`, {
    'x-forwarded-for': `198.18.${network}.7`,
  });
  client.close();
  return response;
}

/** Waits until somebody has read something. */
async function reads({ until, timeline }: Play, name: string, what: RegExp): Promise<void> {
  await until(
    `${what} for ${name}`,
    () => timeline().some(({ readers, text }) => readers.includes(name) && what.test(text)) || undefined,
  );
}

/** The first of the next direct messages to somebody that says this. */
async function receivedFrom(stage: Play, name: string, what: RegExp): Promise<Message> {
  for (;;) {
    const message = await stage.nextDm(name);
    if (what.test(message.text)) return message;
  }
}
