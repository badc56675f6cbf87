import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { z } from 'zod';
import { ConfigError } from '../errors.ts';
import { paletteOf } from './colours.ts';
import { FileProblem, imageFiles, readWithin, textOf, toImage } from './images.ts';
import { defaultLook, type Look, type LookImage, schemes } from './look.ts';
import { lookFile } from './lookFile.ts';

const jsonBytesMax = 64 * 1024;
const jsonName = 'look.json';
const imageNames = Object.entries(imageFiles).flatMap(([name, { endings }]) =>
  endings.map((ending) => `${name}.${ending}`),
);

/**
 * Reads the folder of a look. Throws ConfigError, which names everything that is wrong in it. Pages load its images below
 * `path`.
 */
export async function readLook(folder: string, path = '/assets'): Promise<Look> {
  const names = await namesIn(folder);
  const problems = names
    .filter((name) => name !== jsonName && !imageNames.includes(name))
    .map((name) => `${name} has no meaning here; there may be ${[jsonName, ...imageNames].join(', ')}`);

  /** What `read` makes of a file; notes its problem. */
  async function use<Result>(name: string, read: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      problems.push(`${name} ${error.message}`);
      return undefined;
    }
  }

  async function image(kind: keyof typeof imageFiles): Promise<LookImage | undefined> {
    const { endings, bytesMax } = imageFiles[kind];
    const [name, second] = endings
      .map((ending) => `${kind}.${ending}`)
      .filter((each) => names.includes(each));
    if (second !== undefined) problems.push(`${second} is there beside ${name}; remove one of them`);
    return name === undefined
      ? undefined
      : use(name, async () => toImage(name, await readWithin(folder, name, bytesMax), path));
  }

  const text = await use(jsonName, async () => textOf(await readWithin(folder, jsonName, jsonBytesMax)));
  const parsed = text === undefined ? undefined : parse(text);
  problems.push(...(parsed?.problems ?? []));
  const own = parsed?.own ?? lookFile.parse({});
  const palettes = { ...defaultLook.palettes };
  for (const scheme of schemes) {
    const [other] = schemes.filter((each) => each !== scheme);
    const chosen = paletteOf(scheme, own[scheme], own[other ?? scheme]);
    palettes[scheme] = chosen.palette;
    problems.push(...chosen.problems);
  }
  const light = await image('logo');
  const dark = await image('logo-dark');
  if (light === undefined && dark !== undefined)
    problems.push('logo-dark needs a logo.svg or logo.png beside it');
  if (own.nameInLogo && light === undefined)
    problems.push(`${jsonName}: nameInLogo needs a logo.svg or logo.png`);
  const [icon, shareImage] = [await image('icon'), await image('share')];
  if (problems.length > 0)
    throw new ConfigError(
      `The look in ${folder} (LOOK_DIR) cannot be used:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
  const version = createHash('sha256').update(String(text));
  for (const each of [light, dark, icon, shareImage]) version.update(`${each?.name} ${each?.version}\n`);
  return {
    version: version.digest('hex').slice(0, 12),
    name: own.name ?? defaultLook.name,
    logo: light && { light, dark: dark ?? light },
    nameInLogo: own.nameInLogo,
    icon,
    shareImage,
    shareTitle: own.shareTitle,
    palettes,
    footer: own.footer,
    links: own.links.flatMap(({ text, url }) => (text === undefined ? [] : [{ text, url }])),
    welcome: own.welcome,
  };
}

/** What is in the folder, but for hidden files such as those of Kubernetes. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`The folder ${folder} of LOOK_DIR cannot be read (${code}).`);
  }
}

type Parsed = { own?: z.output<typeof lookFile>; problems: string[] };

function parse(text: string): Parsed {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return { problems: [`${jsonName} is not JSON: ${(error as Error).message}`] };
  }
  const { data, error } = lookFile.safeParse(json);
  if (data !== undefined) return { own: data, problems: [] };
  return {
    problems: error.issues.map(
      ({ path, message }) =>
        `${[`${jsonName}:`, path.join('.'), message].filter((part) => part !== '').join(' ')}`,
    ),
  };
}
