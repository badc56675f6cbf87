import type { Account, AccountCaller, Caller } from '../people/index.ts';
import type { PushList } from './list.ts';
import { isExpired, type ListedPush, type Push } from './push.ts';

type Dependencies = {
  listByIds: PushList['listByIds'];
  expire: (urlToken: string, caller: Caller) => Promise<unknown>;
  extend: (urlToken: string, caller: Caller, endsAt: number) => Promise<Push & { extendedMs: number }>;
};

/** A push as it was when the user selected it. */
type ChosenPush = Pick<Push, 'id' | 'expiresAt'>;

/**
 * What an account does to several of its pushes at once. Each push is changed on its own, so that a repeated call goes on
 * where one failed, and changes nothing twice. Ids of others' pushes, and of those that have ended or cannot be decrypted,
 * are ignored.
 */
export function createBulkActions({ listByIds, expire, extend }: Dependencies) {
  /** The live pushes with these ids, the newest first. */
  async function listLive(account: Account, ids: string[]): Promise<(ListedPush & { urlToken: string })[]> {
    const pushes = await listByIds(account, ids);
    return pushes.flatMap((push) =>
      push.urlToken === null || isExpired(push) ? [] : [{ ...push, urlToken: push.urlToken }],
    );
  }

  /** Expires pushes now, and returns how many. */
  async function expireAll(chosen: ChosenPush[], owner: AccountCaller): Promise<number> {
    const live = await listLive(owner.account, idsOf(chosen));
    for (const { urlToken } of live) await expire(urlToken, owner);
    return live.length;
  }

  /** Extends pushes that still end when they did, each by its lifetime, and returns how many got more time. */
  async function extendAll(chosen: ChosenPush[], owner: AccountCaller): Promise<number> {
    const ends = new Map(chosen.map(({ id, expiresAt }) => [id, expiresAt]));
    let extended = 0;
    for (const { id, urlToken } of await listLive(owner.account, idsOf(chosen)))
      if ((await extend(urlToken, owner, ends.get(id) ?? 0)).extendedMs > 0) extended += 1;
    return extended;
  }

  return { listLive, expireAll, extendAll };
}

const idsOf = (chosen: ChosenPush[]): string[] => chosen.map(({ id }) => id);
