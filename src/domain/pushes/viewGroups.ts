import type { PushRow } from './push.ts';
import type { View } from './view.ts';

/** Pushes of which one statement counts as many views each, as many reserved ones among them, and ends all or none. */
type PushUpdate = { views: number; reserved: number; isLast: boolean; pushes: PushRow[] };
/** Recipients, as they were read, of which one statement counts as many views each. */
type RecipientUpdate = { views: number; recipients: { id: Buffer; viewsUsed: number }[] };

export function groupByPushUpdate(views: View[]): Iterable<PushUpdate> {
  const updates = new Map<string, PushUpdate>();
  for (const ofPush of grouped(views, ({ push }) => push.id.toString('hex'))) {
    const [{ push }] = ofPush;
    const reserved = ofPush.filter(({ link }) => link.recipient !== null).length;
    const isLast = push.viewsUsed + ofPush.length >= push.viewsMax;
    const key = `${ofPush.length} ${reserved} ${isLast}`;
    const update = updates.get(key) ?? { views: ofPush.length, reserved, isLast, pushes: [] };
    update.pushes.push(push);
    updates.set(key, update);
  }
  return updates.values();
}

export function groupByRecipientUpdate(views: View[]): Iterable<RecipientUpdate> {
  const recipients = views.flatMap(({ link }) => link.recipient ?? []);
  const updates = new Map<number, RecipientUpdate>();
  for (const ofOne of grouped(recipients, ({ recipientId }) => recipientId.toString('hex'))) {
    const [{ recipientId, linkViewsUsed }] = ofOne;
    const update = updates.get(ofOne.length) ?? { views: ofOne.length, recipients: [] };
    update.recipients.push({ id: recipientId, viewsUsed: linkViewsUsed });
    updates.set(ofOne.length, update);
  }
  return updates.values();
}

function grouped<Item>(items: Item[], keyOf: (item: Item) => string): Iterable<[Item, ...Item[]]> {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups.values();
}
