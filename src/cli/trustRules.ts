import { type Command, Option } from 'commander';
import type { TokenScope, TrustRule } from '../domain/index.ts';
import { isoTime, maybeIsoTime } from '../time.ts';
import type { Cli } from './cli.ts';
import { formatTable, type OutputOptions } from './output.ts';

type CreateOptions = OutputOptions & {
  name: string;
  issuer: string;
  claim: string[];
  audience?: string;
  scope: TokenScope;
  minutes: string;
};

const scopes: TokenScope[] = ['full', 'create', 'read'];

/** `hushpush admin rule …` */
export function trustRuleCommands(program: Command, { report }: Cli): void {
  const rule = program
    .command('rule')
    .description('Manage the trust rules of an account, by which programs elsewhere act for it.');

  rule
    .command('create <email>')
    .description(
      'Trust the tokens of an issuer that make these claims. Programs exchange them for API tokens.',
    )
    .requiredOption('--name <name>', 'what the rule is for, such as a repository')
    .requiredOption('--issuer <url>', 'who signs the tokens (iss)')
    .requiredOption('--claim <claims...>', 'what the tokens must say; a value that ends in * is a prefix')
    .option('--audience <audience>', 'for whom the tokens are (aud); without, the id of the rule says it')
    .addOption(new Option('--scope <scope>', 'what the API tokens may do').choices(scopes).default('create'))
    .option('--minutes <number>', 'how long an API token lasts, from 1 to 15', '15')
    .option('--json', 'print the rule')
    .addHelpText('after', createExample)
    .action((email: string, { json, claim, ...input }: CreateOptions) =>
      report(json, async ({ domain: { accounts, trustRules } }) => {
        const account = await accounts.find(email);
        const claims = claim.join('\n');
        const created = await trustRules.create(account, { ...input, claims }, { actor: 'operator' });
        return [rowOf(created), `Created the rule ${created.name}. Its audience is ${created.audience}`];
      }),
    );

  rule
    .command('list <email>')
    .description('List the trust rules of an account.')
    .option('--json', 'print an array')
    .action((email: string, { json }: OutputOptions) =>
      report(json, async ({ domain: { accounts, trustRules } }) => {
        const rows = (await trustRules.list(await accounts.find(email))).map(rowOf);
        const table = rows.map(({ claims, ...row }) => ({
          ...row,
          claims: Object.entries(claims)
            .map((claim) => claim.join('='))
            .join(' '),
        }));
        return [rows, formatTable(table, 'The account has no trust rules.')];
      }),
    );

  rule
    .command('remove <email>')
    .description('Remove a trust rule, with the API tokens that it gave.')
    .requiredOption('--id <id>', 'the id of the rule')
    .option('--json', 'print {"email","id","removed"}')
    .action((email: string, { id, json }: OutputOptions & { id: string }) =>
      report(json, async ({ domain: { accounts, trustRules } }) => {
        const account = await accounts.find(email);
        await trustRules.remove(account, id, { actor: 'operator' });
        return [{ email: account.email, id, removed: true }, `Removed the rule ${id} of ${account.email}.`];
      }),
    );
}

const rowOf = ({ id, name, issuer, audience, claims, scope, minutes, createdAt, lastUsedAt }: TrustRule) => ({
  ...{ id, name, issuer, audience, claims, scope, minutes },
  created_at: isoTime(createdAt),
  last_used_at: maybeIsoTime(lastUsedAt),
});

const createExample = `
Example:
  hushpush admin rule create you@example.com --name acme/app \\
    --issuer https://token.actions.githubusercontent.com --claim repository=acme/app ref=refs/heads/main`;
