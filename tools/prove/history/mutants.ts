import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyParts, type Edit, plant } from '../mutants/plant.ts';

const copied = [
  ...['src', 'migrations', 'scripts', 'package.json'],
  ...['tsconfig.json', 'tsconfig.build.json', 'tsconfig.client.json'],
];

const claim = 'src/domain/pushes/claim/claim.ts';
const lock = 'src/domain/pushes/claim/lock.ts';
const record = 'src/domain/pushes/claim/record.ts';

/** A defect that an experiment must find: how to plant it, a part of what the experiment then says, and the fault that it needs, if any. */
export type Mutant = { edits: Edit[]; symptom: string; fault?: string };

/** Defects that the history must find. */
export const mutants: Record<string, Mutant> = {
  /** Nothing serializes the claims of a push. SQLite does not show it: there, a transaction locks the database. */
  'no-lock': {
    symptom: 'times, allowed',
    edits: [
      {
        file: lock,
        find: 'const locks = { wait: dialect.forUpdate, skip: dialect.skipLocked };',
        replace: `const locks = { wait: '', skip: '' };`,
      },
      {
        file: record,
        find: 'id = $id AND views_used = $viewsUsed',
        replace: 'id = $id',
      },
      {
        file: record,
        find: `WHERE (\${pushes}) AND views_used + $views + views_reserved - $reserved <= views_max AND views_reserved >= $reserved
       AND \${isLive(dialect.now)}`,
        replace: `WHERE (\${pushes})`,
      },
    ],
  },
  /** Notices are written in a transaction of their own, before the one that counts the views. */
  'early-notice': {
    symptom: 'of them in notices',
    edits: [
      {
        file: claim,
        find: 'function claimTogether(requests: ViewRequest[]): Promise<Decision[]> {',
        replace: `async function claimTogether(requests: ViewRequest[]): Promise<Decision[]> {
    await transaction(async (tx) => {
      const locked = await lockLinks(requests, { whenLocked: 'wait', withPayloads: true }, tx);
      const { views } = await decideInOrder(locked, new Set(), open);
      for (const early of views) await dependencies.outbox.write('viewed', early.row.push, early.viewNumber, tx);
    });`,
      },
      {
        file: record,
        find: `await outbox.write('viewed', push, view.viewNumber, tx);`,
        replace: '',
      },
    ],
  },
  /** A view is counted for whoever asked for it, even if they have disconnected while the database was silent. */
  'gone-clients': {
    fault: 'freeze-database',
    symptom: 'was known to be gone',
    edits: [
      {
        file: 'src/domain/pushes/claim/decide.ts',
        find: 'client.isGone?.() === true',
        replace: 'client.isGone === undefined && client.ip === undefined',
      },
    ],
  },
  /** An `Idempotency-Key` of a retrieval is ignored. */
  'forgotten-key': {
    symptom: 'one request has two view rows',
    edits: [
      {
        file: 'src/domain/pushes/reveal.ts',
        find: 'if (idempotencyKey === undefined) return',
        replace: `if (idempotencyKey !== '') return`,
      },
    ],
  },
  /** The first view of one push in three keeps everybody else of its process waiting: of all, it would seem to hang. */
  stall: {
    symptom: 'an event loop stood still',
    edits: [
      {
        file: 'src/domain/pushes/reveal.ts',
        find: `case 'claimed':`,
        replace: `case 'claimed':
        for (const from = process.cpuUsage().user; claim.row.viewsUsed === 1 && from % 3 === 0 && process.cpuUsage().user < from + 120_000; );`,
      },
    ],
  },
};

/** Copies the sources of the program to a folder, and links what was installed. */
export const copySources = (folder: string) => copyParts(copied, folder);

/** Builds a copy of the program with a defect, in a temp folder. Returns its main file. */
export async function buildMutant(name: string, known = mutants) {
  const mutant = known[name];
  if (mutant === undefined)
    throw new Error(`no mutant is named ${name}, only ${Object.keys(known).join(', ')}`);
  const folder = await mkdtemp(join(tmpdir(), 'mutant-'));
  await copySources(folder);
  await plant(mutant.edits, folder);
  await promisify(execFile)(process.execPath, [join(folder, 'scripts/build-if-needed.mjs'), '--always']);
  return {
    main: join(folder, 'dist/src/main.js'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
