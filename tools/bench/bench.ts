import { cutLifelines } from '../../test/harness/lifeline.ts';
import { interruption } from '../../test/runner/interruption.ts';
import { account } from './modes/account.ts';
import { chats } from './modes/chats.ts';
import { mail } from './modes/mail.ts';
import { notices } from './modes/notices.ts';
import { overview } from './modes/overview.ts';
import { paint } from './modes/paint.ts';
import { scale } from './modes/scale.ts';
import { start } from './modes/start.ts';
import { throughputOf } from './modes/throughput.ts';
import { type BenchOptions, optionsHelp, parseBenchOptions } from './options.ts';

type Mode = { measures: string; run: (options: BenchOptions) => Promise<void> };

const modes: Record<string, Mode> = {
  throughput: {
    measures: 'creating and retrieving over the JSON API, beside what bounds it, and rivals; the default',
    run: throughputOf('json'),
  },
  overview: {
    measures: 'programs, people, large secrets, SQLite and memory in one run; --write docs/performance.md',
    run: overview,
  },
  passphrase: {
    measures: 'the same with a passphrase, which is hashed twice',
    run: throughputOf('passphrase'),
  },
  page: { measures: 'opening the page of a push and revealing on it', run: throughputOf('page') },
  paint: {
    measures: 'how soon Chromium paints pages on a slow phone, and secrets of a mebibyte; --rounds loads',
    run: paint,
  },
  chats: {
    measures: 'how soon a command of a chat is acknowledged; --pushes commands',
    run: chats,
  },
  notices: { measures: 'how soon a view is reported to a webhook; --pushes views', run: notices },
  mail: {
    measures: 'how soon a mail is with the mail server, and what 1,000 a minute cost; --pushes mails',
    run: mail,
  },
  start: {
    measures: 'the time and CPU until ready, and memory and CPU when idle; --rounds starts',
    run: start,
  },
  scale: {
    measures: 'the domain with more and more stored pushes, and with many of one account',
    run: scale,
  },
  account: {
    measures:
      'the dashboard, lists and searches of one account with many pushes, over HTTP; --account pushes',
    run: account,
  },
};

const usage = `npm run bench -- [MODE] [options]
Measures hushpush with real processes. Prints Markdown tables. CPU times are per request, and steadier than durations where
other programs share the machine.

Modes:
${Object.entries(modes)
  .map(([name, { measures }]) => `  ${name.padEnd(12)}${measures}`)
  .join('\n')}

Options:
${optionsHelp}`;

async function main(args: string[]): Promise<number> {
  const options = parseBenchOptions(args);
  if (options.help) {
    console.log(usage);
    return 0;
  }
  const mode = modes[options.mode];
  if (mode === undefined)
    throw new Error(`there is no mode ${options.mode}, only ${Object.keys(modes).join(', ')}`);
  await mode.run(options);
  return 0;
}

const exitCode = await Promise.race([
  interruption(),
  main(process.argv.slice(2)).catch((error) => {
    console.error(`bench: ${error instanceof Error ? error.message : error}`);
    return 1;
  }),
]);
await cutLifelines();
process.exit(exitCode);
