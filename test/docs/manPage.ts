import { type Command, Help, type Option } from 'commander';
import { buildProgram } from '../../src/cli/program.ts';

const help = new Help();

/** The program as it is described; none of its commands can run. */
export function documentedProgram(): Command {
  const fail = () => Promise.reject(new Error('No command runs here.'));
  return buildProgram({ openService: fail, start: fail, work: fail });
}

/** docs/hushpush.1: the manual page, from the commands of the program and the exit codes in docs/client.md. */
export function manPage(program: Command, clientPage: string): string {
  return [
    '.\\" Written by npm run docs, from the commands in src/cli.',
    '.TH HUSHPUSH 1',
    '.SH NAME',
    `hushpush \\- ${roff(withoutStop(program.description()))}`,
    '.SH SYNOPSIS',
    '.B hushpush',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    roff(
      'hushpush shares passwords, keys and files through links that expire. Its commands push and open secrets on any server that speaks the API, and run a server of your own. What a command prints for people goes to standard output; errors and questions go to standard error. With --json, most commands print JSON.',
    ),
    ...groupsOf(program).flatMap(([heading, commands]) => [
      `.SH ${roff(heading.replace(/:$/, '').toUpperCase())}`,
      ...commands.flatMap(commandSection),
    ]),
    '.SH EXIT STATUS',
    ...exitCodesIn(clientPage),
    ending,
    '',
  ].join('\n');
}

/** The commands that somebody can run, by the heading that help gives them. */
function groupsOf(program: Command): [string, Command[]][] {
  const groups = new Map<string, Command[]>();
  for (const command of program.commands) {
    if (command.name() === 'help') continue;
    const heading = command.helpGroup() || 'Commands';
    groups.set(heading, [...(groups.get(heading) ?? []), ...leavesOf(command)]);
  }
  return [...groups];
}

/** The commands below one that only groups others. */
const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0
    ? [command]
    : command.commands.filter((one) => one.name() !== 'help').flatMap(leavesOf);

function commandSection(command: Command): string[] {
  return [
    `.SS ${roff(usageOf(command))}`,
    roff(command.description()),
    ...command.options.filter(({ hidden }) => !hidden).flatMap(optionLines),
    ...examplesOf(command),
  ];
}

const usageOf = (command: Command) =>
  help.commandUsage(command).replace(/\|\S+/, '').replace('[options] ', '');

const optionLines = (option: Option) => [
  '.TP',
  `.B ${roff(help.optionTerm(option))}`,
  roff(help.optionDescription(option)),
];

/** The text after the help of a command, as it is. */
function examplesOf(command: Command): string[] {
  let text = '';
  const writeOut = (more: string) => {
    text += more;
  };
  command.configureOutput({ writeOut }).outputHelp();
  text = text.slice(command.helpInformation().length);
  return text.trim() === '' ? [] : ['.PP', '.nf', roff(text.trim()), '.fi'];
}

/** Text in which roff sees no request and no escape. */
const roff = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

const withoutStop = (text: string) => text.replace(/\.$/, '');

/** The rows of the table of exit codes in docs/client.md. */
const exitCodesIn = (clientPage: string) =>
  [...clientPage.matchAll(/^\| (\d+) \| (.*?) \| .*\|$/gm)].flatMap(([, code, meaning = '']) => [
    '.TP',
    `.B ${code}`,
    roff(`${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`),
  ]);

const ending = `.TP
.B 78
The settings, the keys or the schema of the database cannot work.
.SH ENVIRONMENT
.TP
.B HUSHPUSH_SERVER, HUSHPUSH_TOKEN, HUSHPUSH_PROFILE
The server, the API token and the profile to use instead of those of
.BR "hushpush sign\\-in" .
.TP
.B HUSHPUSH_TRUST_RULE, HUSHPUSH_IDENTITY_TOKEN, HUSHPUSH_IDENTITY_TOKEN_FILE
The identity of a job or a pod, which is exchanged for an API token.
.TP
.B HTTPS_PROXY, HTTP_PROXY, NO_PROXY
The proxy that leads to the server.
.PP
Settings of the service come from the environment, too, and from the file
.I .env
in the working folder.
.B hushpush settings
lists those that are set.
.SH FILES
.TP
.I data/
The database, the files and the keys of a service, unless its settings say otherwise.
.SH SEE ALSO
The documentation comes with the package, in
.IR docs/ .`;
