import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { asForm, type Client, createClient } from '../harness/api.ts';
import { parseForm, sameOrigin } from '../harness/forms.ts';
import { freePort } from '../harness/mariadb.ts';
import { startService } from '../harness/service.ts';

/** What somebody enters in the form of a push. */
export type PushEntries = { name?: string; to?: string[]; views?: number; passphrase?: string };

/** A message with a button that burns a push. */
export type Burnable = { press(label: string): Promise<unknown>; becomes(what: RegExp): Promise<unknown> };

type Service = Awaited<ReturnType<typeof startService>>;

/** Delivers the notices of a service as soon as they are written, one delivery at a time. */
function deliverImmediately({ domain: { notices }, deliver: deliverDue, database }: Service) {
  let delivering: Promise<unknown> = Promise.resolve();

  /** Delivers what is due after the current delivery. */
  function deliver(): Promise<unknown> {
    delivering = delivering.then(deliverDue);
    return delivering;
  }
  /** Delivers also what is held for a moment, so that a burst makes one line. */
  async function deliverHeld(): Promise<void> {
    await delivering;
    await database.execute('UPDATE notices SET due_at = 0 WHERE is_open = TRUE', {});
    await deliver();
  }

  notices.onWritten(() => void deliver());
  return { deliver, deliverHeld, settled: () => delivering };
}

/** A recipient of links, by the port of their service. */
export function recipientAt(port: number) {
  const client = createClient(port);
  return {
    client,
    /** Opens a push, with or without a passphrase. */
    async opens(link: string, passphrase?: string) {
      const query = passphrase === undefined ? '' : `?passphrase=${encodeURIComponent(passphrase)}`;
      return client.get(`${new URL(link).pathname}.json${query}`);
    },
  };
}

/** A stand-in that is stopped with its service, and then complains of what it was sent, and of secrets that leaked. */
type StandIn = { stop(): Promise<unknown>; verify(found: { secrets: string[]; logs: string[] }): void };

/** A whole service that is the app of a chat, by its settings. Its notices are delivered as soon as they are written. */
export async function startStaged(environment: Record<string, string>, chat: StandIn) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({ PORT: String(port), BASE_URL: url, ...environment });
  const { client, opens } = recipientAt(port);
  const { deliver, deliverHeld, settled } = deliverImmediately(service);

  return {
    ...{ service, url, client, opens, deliver, deliverHeld },
    /** Stops both. Throws where the chat has complaints. */
    async stop(secrets: string[] = []) {
      await sleep(20); // for calls that follow a response
      try {
        await settled();
      } finally {
        client.close();
        await service.stop().finally(chat.stop);
      }
      chat.verify({ secrets, logs: [service.logged()] });
    },
  };
}

/** Asks the sender of an expired push for a new one, on its page. */
export async function askAgain(client: Client, link: string): Promise<void> {
  const { pathname } = new URL(link);
  const { headers, fields } = parseForm(await client.get(pathname));
  const { status } = await client.send('POST', `${pathname}/ask`, {
    headers: { ...asForm, ...headers, ...sameOrigin },
    body: String(new URLSearchParams(fields)),
  });
  expect(status).to.equal(200);
}

/** A message of a chat, and what its buttons answer with. */
type Answer = { text: string; isPrivate: boolean; buttons: string[]; urlOf(label: string): unknown };
type Pressable = { press(label: string): { message(): Promise<Answer> } };

/** The link that a bound recipient gets by pressing Open in their message. */
export async function linkFor(message: Pressable, button = 'Open'): Promise<string> {
  return String((await message.press(button).message()).urlOf('Open'));
}

/** Expects a push that was shared in a channel to open once for each member, privately. `seen` is the message as they see it. */
export async function expectEachOpensOnce(
  shared: Omit<Answer, 'urlOf'>,
  members: { seen: Pressable; dms: { count: number } }[],
  { opens, secret }: { opens: ReturnType<typeof recipientAt>['opens']; secret: string },
): Promise<void> {
  expect(shared.isPrivate).to.equal(false);
  expect(shared.text).to.match(
    /^@alice shares a secret with this channel\.\nEach member can open it once, until [^\n]+$/,
  );
  expect(shared.buttons).to.eql(['Open']);
  for (const { seen, dms } of members) {
    const link = await linkFor(seen);
    expect((await opens(link)).body.payload).to.equal(secret);
    expect((await opens(link)).body.payload).to.equal(null);
    const again = await seen.press('Open').message();
    expect([again.isPrivate, again.text]).to.eql([true, 'You have opened this secret already.']);
    expect(dms.count).to.equal(0);
  }
}
