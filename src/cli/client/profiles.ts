import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsFolder } from './environment.ts';

/** A server, and how to sign in there: with a token, or with a command that prints one. */
export type Profile = {
  server: string;
  token?: string | undefined;
  tokenCommand?: string | undefined;
  email?: string | undefined;
};

/** The profiles by name, and the name of the one that is used unless another is chosen. */
export type ProfileSettings = { current: string; profiles: Record<string, Profile> };

/** Where the profiles are stored. */
export const profilesFile = join(settingsFolder, 'profiles.json');

export async function readProfiles(): Promise<ProfileSettings> {
  try {
    const { current = 'default', profiles = {} } = JSON.parse(await readFile(profilesFile, 'utf8'));
    return { current, profiles };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: 'default', profiles: {} };
    const reason = error instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read';
    throw new Error(`${profilesFile} ${reason}. Correct it, or remove it and run hushpush sign-in.`);
  }
}

/** Replaces the file at once, readable for its owner alone. */
export async function writeProfiles(settings: ProfileSettings): Promise<void> {
  await mkdir(settingsFolder, { recursive: true, mode: 0o700 });
  const draft = `${profilesFile}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await chmod(draft, 0o600);
  await rename(draft, profilesFile);
}
