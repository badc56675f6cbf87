import { type Command, Option } from 'commander';
import type { TokenScope } from '../domain/index.ts';
import { isoTime, maybeIsoTime } from '../time.ts';
import type { Cli } from './cli.ts';
import { formatTable, type OutputOptions } from './output.ts';

/** What a token of each scope may do. */
const scopes: Record<TokenScope, string> = {
  full: 'everything that the account may do',
  create: 'create pushes, and expire those that it created',
  read: 'read lists and audit logs, without links',
};

type CreateOptions = OutputOptions & { name: string; scope: TokenScope; days?: string };

type ReplaceOptions = OutputOptions & { name: string; hours: string };

/** `hushpush admin token …` */
export function tokenCommands(program: Command, { report }: Cli): void {
  const token = program.command('token').description('Manage the API tokens of an account.');

  token
    .command('create <email>')
    .description('Create another token for an account; it is shown only once.')
    .requiredOption('--name <name>', 'what the token is for, such as the machine that uses it')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(Object.keys(scopes)).default('full'))
    .option('--days <number>', 'how many days it works; without, until it is revoked')
    .option('--json', 'print {"email","name","token"}')
    .addHelpText('after', createExamples)
    .action((email: string, { name, scope, days, json }: CreateOptions) =>
      report(json, async ({ domain: { accounts, apiTokens } }) => {
        const account = await accounts.find(email);
        const created = await apiTokens.create(account, { name, scope, days }, { actor: 'operator' });
        return [
          { email: account.email, name, token: created },
          `Token ${name} of ${account.email}, shown only once:\n${created}`,
        ];
      }),
    );

  token
    .command('replace <email>')
    .description(
      'Make a new token in the place of one, which works on for a while; the new one is shown only once.',
    )
    .requiredOption('--name <name>', 'the name of the token')
    .option('--hours <number>', 'how many hours the one before works on, from 0 to 168', '1')
    .option('--json', 'print {"email","name","token","previous_until"}')
    .action((email: string, { name, hours, json }: ReplaceOptions) =>
      report(json, async ({ domain: { accounts, apiTokens } }) => {
        const account = await accounts.find(email);
        const { token: created, previousUntil } = await apiTokens.replace(
          account,
          name,
          { hours },
          { actor: 'operator' },
        );
        const until = isoTime(previousUntil);
        return [
          { email: account.email, name, token: created, previous_until: until },
          `Token ${name} of ${account.email}, shown only once; the one before works until ${until}:\n${created}`,
        ];
      }),
    );

  token
    .command('list <email>')
    .description('List the tokens of an account by name and last four characters.')
    .option('--json', 'print an array')
    .action((email: string, { json }: OutputOptions) =>
      report(json, async ({ domain: { accounts, apiTokens } }) => {
        const tokens = await apiTokens.list(await accounts.find(email));
        const rows = tokens.map((token) => ({
          name: token.name,
          ends_in: token.hint,
          scope: token.scope,
          created_at: isoTime(token.createdAt),
          last_used_at: maybeIsoTime(token.lastUsedAt),
          last_used_from: token.lastUsedIp,
          expires_at: maybeIsoTime(token.expiresAt),
          expired: token.isExpired,
          previous_until: maybeIsoTime(token.previousUntil),
        }));
        return [rows, formatTable(rows, 'The account has no tokens.')];
      }),
    );

  token
    .command('revoke <email>')
    .description('Revoke a token, immediately and on every process.')
    .requiredOption('--name <name>', 'the name of the token')
    .option('--json', 'print {"email","name","revoked"}')
    .action((email: string, { name, json }: OutputOptions & { name: string }) =>
      report(json, async ({ domain: { accounts, apiTokens } }) => {
        const account = await accounts.find(email);
        await apiTokens.revoke(account, name, { actor: 'operator' });
        return [{ email: account.email, name, revoked: true }, `Revoked token ${name} of ${account.email}.`];
      }),
    );
}

const createExamples = `
Scopes:
${Object.entries(scopes)
  .map(([scope, rights]) => `  ${scope.padEnd(6)}  ${rights}`)
  .join('\n')}

Examples:
  hushpush admin token create you@example.com --name laptop
  hushpush admin token create you@example.com --name ci --scope create --days 90`;
