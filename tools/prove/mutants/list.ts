import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Edit } from './plant.ts';

/** What a mistake would do. No test may miss one of the first five kinds. */
export const graveKinds = ['secret', 'right', 'data', 'loss', 'untruth'] as const;
const kinds = [...graveKinds, 'outage', 'nuisance'] as const;

const mutantSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  find: z.string().min(1),
  replace: z.string().default(''),
  kind: z.enum(kinds),
  /** What would happen to somebody, in a few words. */
  harm: z.string().min(10),
  /** The test files that should notice it, by default those of its source file, and the words of their titles after `-g`. */
  tests: z.string().optional(),
  /** How it shows, if the test that notices it never ends. */
  hangs: z.string().optional(),
});

const roomSchema = z.array(
  z.strictObject({ file: z.string(), tests: z.string(), mutants: z.array(mutantSchema).min(1) }),
);

/** One plausible mistake, and the tests that should notice it. */
export type Mutant = Edit & {
  id: string;
  /** The file of the list that holds it. */
  room: string;
  kind: (typeof kinds)[number];
  harm: string;
  testFiles: string[];
  /** A part of the titles of the tests; all tests of the files by default. */
  grep: string | undefined;
  hangs: string | undefined;
};

const folder = join(import.meta.dirname, 'list');

/** Reads all mutants, the most harmful first. Throws for an entry that is not complete. */
export function readMutants(): Mutant[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readRoom(name))
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

function readRoom(name: string): Mutant[] {
  const sources = roomSchema.parse(parse(readFileSync(join(folder, name), 'utf8')));
  return sources.flatMap(({ file, tests, mutants }) =>
    mutants.map(({ tests: own = tests, hangs, ...mutant }) => ({
      ...mutant,
      ...readTests(own),
      file,
      hangs,
      room: name.replace('.yaml', ''),
    })),
  );
}

/** Splits `FILE… [-g WORDS]`. Files are below test/, without `.test.ts`. */
function readTests(tests: string) {
  const [files = '', grep] = tests.split(' -g ');
  return { testFiles: files.split(' ').map((file) => `test/${file}.test.ts`), grep };
}
