import { z } from 'zod';
import { optionalTextOf, parseInput } from '../base/index.ts';
import type { Caller } from '../people/index.ts';
import { pushTextMax } from './create/schema.ts';
import type { PushDependencies } from './dependencies.ts';
import { openPushLabel, sealPushLabel } from './label.ts';

/** Gives a push of the caller another name, or none. Throws `forbidden` for all others, and `invalid` for a name that is too long. */
export function createRenaming({ database, keyring, finder }: PushDependencies) {
  const schema = z.object({ name: optionalTextOf(pushTextMax.name) });

  return async function rename(urlToken: string, input: unknown, caller: Caller): Promise<void> {
    const { id, accountId, label } = await finder.requireOwned(urlToken, caller);
    const { name } = parseInput(schema, input);
    if (accountId === null) return; // nobody owns it
    const renamed = sealPushLabel(
      keyring,
      { id, accountId },
      { ...openPushLabel(keyring, { id, label }), name },
    );
    await database.execute('UPDATE pushes SET label = $renamed WHERE id = $id AND label IS NOT NULL', {
      id,
      renamed,
    });
  };
}
