import type { Platform } from './platform.ts';
import type { Place } from './things.ts';
import type { EntryResolvers, UserFile } from './values.ts';
import { store } from './writing.ts';

/** Resolves what users enter: users and places by their ids, files by their content. */
export function resolversIn(platform: Platform, place: Place): EntryResolvers {
  const { world } = platform;
  return {
    requireUser: (id) => requireOf(world.users, id),
    requirePlace: (id) => requireOf(world.places, id),
    upload({ name, content, type = 'application/octet-stream' }: UserFile) {
      const file = { filename: name, contentType: type, bytes: Buffer.from(content) };
      return store(platform, place, { ...file, isEphemeral: true });
    },
  };
}

export function requireOf<T extends { id: string }>(things: T[], id: string): T {
  const found = things.find((one) => one.id === id);
  if (!found) throw new Error(`there is nothing with the id ${id}`);
  return found;
}
