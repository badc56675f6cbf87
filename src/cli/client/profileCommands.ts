import { Argument, type Command } from 'commander';
import { lazily, serverCommand } from './command.ts';

/** `hushpush sign-in` and what else decides as whom the commands act. */
export function profileCommands(program: Command): void {
  program
    .command('sign-in <server>')
    .alias('login')
    .description(
      'Sign in to a server by a browser, here or elsewhere, and store the API token in a file that only you can read.',
    )
    .option('--profile <name>', 'the name to store it under', 'default')
    .option('--email <address>', 'the address of the account, for old versions of Password Pusher')
    .option('--paste-token', 'ask for an API token, instead of signing in by a browser')
    .option('--token-stdin', 'read the token from standard input')
    .option('--token-command <command>', 'a command that prints the token; it runs each time')
    .option('--quiet', 'print only the result')
    .option('--json', 'print {"server","profile"}')
    .addHelpText('after', '\nExample:\n  hushpush sign-in https://push.example.com')
    .action(lazily(async () => (await import('./signIn.ts')).signIn));
  program
    .command('sign-out')
    .alias('logout')
    .description('Remove a stored token from this computer.')
    .option('--profile <name>', 'the name that it is stored under', 'default')
    .option('--json', 'print {"profile","removed"}')
    .action(lazily(async () => (await import('./signIn.ts')).signOut));
  serverCommand(program, 'exchange', 'print {"token","scope","expires_in"}')
    .description('Exchange the identity of this job or pod for an API token of some minutes, and print it.')
    .addHelpText('after', '\nExample:\n  export HUSHPUSH_TOKEN=$(hushpush exchange)')
    .action(lazily(async () => (await import('./connect.ts')).exchange));
  serverCommand(program, 'whoami', 'print {"server","software","signed_in","scope","source"}')
    .description('Say which server is used, and whether it accepts the token.')
    .action(lazily(async () => (await import('./signIn.ts')).whoami));
}

/** `hushpush completion` */
export function completionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print a script that lets a shell complete commands and options.')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .option('--json', 'report errors as JSON')
    .addHelpText('after', '\nExample:\n  source <(hushpush completion bash)')
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('./completion.ts');
      process.stdout.write(completionScript(program, shell));
    });
}
