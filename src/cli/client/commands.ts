import { type Command, Option } from 'commander';
import { secretKinds } from '../../client/encryption.js';
import { lazily, serverCommand, toNumber } from './command.ts';
import { hushpushCommands } from './hushpushCommands.ts';
import { completionCommand, profileCommands } from './profileCommands.ts';

const defaultLimit = 50;
/** Kinds of secrets without files. */
const typedKinds = secretKinds.filter((kind) => kind !== 'file');
const listOrders = ['newest', 'oldest', 'ends_soonest', 'ends_latest'];

/** `hushpush push` and the other commands that work with any Password Pusher server. */
export function clientCommands(program: Command): void {
  pushCommand(program);
  getCommand(program);
  listCommands(program);
  hushpushCommands(program);
  profileCommands(program);
  serverCommand(program, 'mcp', 'report errors as JSON')
    .description(
      'Serve tools for AI assistants: create, list and expire pushes, show their activity, and request secrets, but never open one.',
    )
    .addHelpText('after', '\nIt speaks the Model Context Protocol on standard input and output.')
    .action(lazily(async () => (await import('./mcp.ts')).mcp));
  verifyPagesCommand(program);
  completionCommand(program);
}

function verifyPagesCommand(program: Command): void {
  program
    .command('verify-pages <server-or-links...>')
    .description(
      'Compare the scripts and style sheets that a server sends with those of its release. Links are opened like link previewers do, without a view.',
    )
    .option(
      '--hashes <file>',
      'the hashes of the release, such as docs/releases/1.0.0.json of the repository',
    )
    .option('--json', 'print what was compared')
    .action(lazily(async () => (await import('./verifyPages.ts')).verifyPages));
}

function pushCommand(program: Command): void {
  const step = new Option('--no-retrieval-step', 'let the page show the secret at once');
  const to = new Option('--to <addresses...>', 'send each of these e-mail addresses a link of its own');
  serverCommand(program, 'push [file]', 'print the push object of the API')
    .description('Push a secret, and print its link. Reads a file, standard input (-), or asks for it.')
    .option('--attach <files...>', 'files to attach')
    .addOption(new Option('--kind <kind>', 'what the secret is').choices(typedKinds))
    .addOption(to.conflicts(['encrypt', 'copy', 'qr']))
    .option('--no-code', 'send links that open without a code, which else goes to the same address')
    .option('--views <number>', 'how often it may be viewed; with --to, by each', toNumber)
    .option('--days <number>', 'how many days it lives', toNumber)
    .option('--hours <number>', 'how many hours it lives', toNumber)
    .option('--minutes <number>', 'how many minutes it lives', toNumber)
    .option('--encrypt', 'encrypt it here, under a key that only the link has')
    .option('--passphrase', 'ask for a passphrase that viewers must enter')
    .option('--passphrase-file <file>', 'read the passphrase from the first line of a file')
    .option('--name <text>', 'a name that only you see')
    .option('--note <text>', 'a note that only you see')
    .addOption(step)
    .option('--no-deletable-by-viewer', 'keep viewers from expiring it')
    .option('--copy', 'copy the link')
    .option('--qr', 'show the link as a QR code')
    .addHelpText('after', pushExamples)
    .action(lazily(async () => (await import('./push.ts')).push));
}

const pushExamples = `
Examples:
  hushpush push                                  asks for the secret
  hushpush push --views 1 --hours 2 < id_ed25519
  hushpush push --attach dump.sql.gz --passphrase
  hushpush push --to bob@example.com             sends him the link by mail, and a code when he opens it`;

function getCommand(program: Command): void {
  serverCommand(program, 'get <link>', 'print the push object of the API, with the secret and its files')
    .description('Open a push: show its secret, and save its files. This uses a view.')
    .option('--passphrase-file <file>', 'read the passphrase from the first line of a file')
    .option('--output <file>', 'write the secret to a new file that only you can read')
    .option('--folder <folder>', 'where to save attached files', '.')
    .option('--copy', 'copy the secret instead of printing it')
    .option('--yes', 'do not ask at a terminal before a view is used')
    .action(lazily(async () => (await import('./get.ts')).get));
}

function listCommands(program: Command): void {
  serverCommand(program, 'list', 'print an array of push objects')
    .description('List your pushes, newest first; on hushpush, filtered and sorted.')
    .option('--expired', 'list those that have expired')
    .option('--search <text>', 'only those with this in the name, the note or the link')
    .option('--recipient <name>', 'only those with a recipient of such a name')
    .addOption(new Option('--kind <kind>', 'only those of this kind').choices(secretKinds))
    .addOption(new Option('--sort <order>', 'the order').choices(listOrders))
    .option('--limit <number>', 'how many to list', toNumber, defaultLimit)
    .action(lazily(async () => (await import('./pushes.ts')).list));
  serverCommand(program, 'activity <push>', 'print an array of events')
    .description('Show who created, viewed and expired a push of yours.')
    .option('--limit <number>', 'how many events to show', toNumber, defaultLimit)
    .action(lazily(async () => (await import('./pushes.ts')).activity));
  serverCommand(program, 'extend <push>', 'print the push object of the API')
    .description('Let a push of yours live longer, counted from now; on hushpush only.')
    .option('--days <number>', 'how many days it lives', toNumber)
    .option('--hours <number>', 'how many hours it lives', toNumber)
    .option('--minutes <number>', 'how many minutes it lives', toNumber)
    .action(lazily(async () => (await import('./pushes.ts')).extend));
  serverCommand(program, 'send-again <link> <address>', 'print the push, or the request link, of the API')
    .description(
      'Mail the link of a push to one of its recipients again, or a request link to an address that it went to; on hushpush only.',
    )
    .action(lazily(async () => (await import('./pushes.ts')).sendAgain));
  serverCommand(program, 'withdraw <push> <address>', 'print the push object of the API')
    .description('End the link that was mailed to a recipient of a push; on hushpush only.')
    .action(lazily(async () => (await import('./pushes.ts')).withdraw));
  serverCommand(program, 'expire <push>', 'print the push object of the API')
    .description('Expire a push now, and erase its secret.')
    .action(lazily(async () => (await import('./pushes.ts')).expire));
}
