import { expect } from 'chai';
import { asForm, type Client, createClient } from '../harness/api.ts';
import { parseForm, sameOrigin } from '../harness/forms.ts';
import type { startService } from '../harness/service.ts';

type Service = Awaited<ReturnType<typeof startService>>;

/** Delivers the notices of a service as soon as they are written, one delivery at a time. */
export function deliverImmediately({ domain: { notices }, messengers, database }: Service) {
  let delivering: Promise<unknown> = Promise.resolve();

  /** Delivers what is due after the current delivery. */
  function deliver(): Promise<unknown> {
    delivering = delivering.then(() => notices.deliverDue(messengers));
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

/** A message of a chat with a button that answers privately. */
type Pressable = { press(label: string): { message(): Promise<{ urlOf(label: string): unknown }> } };

/** The link that a bound recipient gets by pressing Open in their message. */
export async function linkFor(message: Pressable, button = 'Open'): Promise<string> {
  return String((await message.press(button).message()).urlOf('Open'));
}
