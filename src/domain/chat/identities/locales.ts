import type { Database } from '../../../database/database.ts';
import { accountNameOf, type ChatCaller, type ChatUser } from '../chatUser.ts';
import { identitiesTable } from '../tables.ts';

const cacheMax = 50_000;
/** The longest tag that has to be expected (RFC 5646, section 4.4.1). */
const tagMax = 35;

/** The languages of chat users, for messages that answer no command. Known for those who have used a command. */
export function createIdentityLocales({ model, execute }: Database) {
  const IdentityModel = model(identitiesTable);
  const saved = new Map<string, string>();

  /** Saves the language of a caller who has an account, once for each change that this process sees. */
  async function saveLocale({ chatUser, locale }: ChatCaller): Promise<void> {
    if (locale === undefined || locale.length > tagMax) return;
    const key = accountNameOf(chatUser);
    if (saved.get(key) === locale) return;
    await execute(
      'UPDATE chat_identities SET locale = $locale WHERE platform = $platform AND address = $address',
      { platform: chatUser.platform, address: chatUser.address, locale },
    );
    if (saved.size >= cacheMax) saved.clear();
    saved.set(key, locale);
  }

  async function maybeLocale({ platform, address }: ChatUser): Promise<string | undefined> {
    const identity = await IdentityModel.findOne({ where: { platform, address } });
    return identity?.locale ?? undefined;
  }

  return { saveLocale, maybeLocale };
}
