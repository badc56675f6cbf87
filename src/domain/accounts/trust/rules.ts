import { z } from 'zod';
import { maybeUrl } from '../../../client/url.ts';
import { newId, toId } from '../../../crypto/ids.ts';
import type { Database } from '../../../database/database.ts';
import { DomainError, type Problem } from '../../../errors.ts';
import { asMessage, integer, isPrivateHost, parseInput, type TrustSettings } from '../../base/index.ts';
import { type Account, tokenScopes } from '../../people/index.ts';
import type { Holder, StepUp } from '../factors/stepUp.ts';
import type { By } from '../security/events.ts';
import type { SecurityLog } from '../security/log.ts';
import { serializeAccount } from '../serialize.ts';
import { apiTokensTable, type TrustRuleRow, trustRulesTable } from '../tables.ts';
import { type Claims, parseClaims, problemOfClaims } from './claims.ts';

const rulesMax = 50;
const issuerMax = 255;
const audienceMax = 255;

/** Whose tokens an account trusts. `id` is hexadecimal, times are epoch milliseconds. */
export type TrustRule = Omit<TrustRuleRow, 'id' | 'accountId' | 'claims'> & { id: string; claims: Claims };

export type TrustRuleSchema = ReturnType<typeof buildTrustRuleSchema>;

/** The input of a rule. */
export function buildTrustRuleSchema(settings: TrustSettings) {
  const tooLong = (max: number) => asMessage({ code: 'maxLength', max, unit: 'characters' });
  const required = asMessage({ code: 'required' });
  return z
    .object({
      name: z.string(required).trim().min(1, required).max(100, tooLong(100)),
      issuer: z
        .string(required)
        .trim()
        .max(issuerMax, { error: tooLong(issuerMax), abort: true })
        .superRefine((text, { addIssue }) => {
          const problem = problemOfIssuer(text, settings);
          if (problem !== undefined) addIssue(asMessage(problem));
        })
        .meta({ description: 'Who signs the tokens (iss): an https address' }),
      audience: z
        .string(required)
        .trim()
        .max(audienceMax, tooLong(audienceMax))
        .optional()
        .meta({ description: 'For whom the tokens are (aud); hushpush: and the id of the rule if absent' }),
      claims: z.preprocess(
        parseClaims,
        z
          .record(z.string(), z.unknown(), asMessage({ code: 'claims' }))
          .refine(isClaims, { error: asMessage({ code: 'claims' }), abort: true })
          .transform((claims) => claims as Claims)
          .meta({
            description: 'What the tokens must say, such as sub; a value that ends in * is a prefix',
            additionalProperties: { type: 'string' },
          }),
      ),
      scope: z.enum(tokenScopes, asMessage({ code: 'oneOf', values: tokenScopes })).default('create'),
      minutes: integer({ min: 1, max: 15 }, 15).meta({ description: 'How long an API token lasts' }),
    })
    .superRefine(
      ({ claims, issuer }, { addIssue }) => {
        const problem = problemOfClaims(claims, issuer);
        if (problem !== undefined)
          addIssue({ code: 'custom', path: ['claims'], message: asMessage(problem) });
      },
      {
        when: ({ issues }) =>
          issues.every(({ path = [] }) => !['claims', 'issuer'].includes(String(path[0]))),
      },
    );
}

function problemOfIssuer(text: string, { privateIssuers }: TrustSettings): Problem | undefined {
  if (privateIssuers.includes(text)) return undefined;
  const url = maybeUrl(text);
  if (url === undefined || !text.startsWith('https://') || /[?#@]/.test(text)) return { code: 'issuer' };
  return isPrivateHost(url.hostname) ? { code: 'privateIssuer' } : undefined;
}

const isClaims = (values: Record<string, unknown>) =>
  Object.values(values).every((value) => typeof value === 'string' && value !== '');

type Dependencies = {
  database: Database;
  stepUp: StepUp;
  securityLog: Pick<SecurityLog, 'recordBy'>;
  settings: TrustSettings;
};

/** An account's trust rules: programs exchange tokens of an issuer for API tokens, so that nobody stores one. */
export function createTrustRules({ database, stepUp, securityLog, settings }: Dependencies) {
  const schema = buildTrustRuleSchema(settings);

  /**
   * Creates a rule. Throws `invalid` for one that strangers' tokens would match, and `conflict` for a name that the account uses
   * already, and beyond fifty rules, and
   * `forbidden` for whoever has not signed in just now.
   */
  async function create(
    account: Account & Holder,
    input: unknown,
    { actor = account, client }: By = {},
  ): Promise<TrustRule> {
    if (actor !== 'operator') await stepUp.requireFreshOrProgram(actor);
    const { audience, claims, ...rule } = parseInput(schema, input);
    const { id: accountId } = account;
    const id = newId();
    return database.transaction(async (tx) => {
      const createdAt = await serializeAccount(database, accountId, tx);
      const bound = tx.model(trustRulesTable);
      const others = await bound.findAll({ where: { accountId }, attributes: ['name'] });
      if (others.some(({ name }) => name === rule.name))
        throw new DomainError('conflict', 'ruleExists', { values: { name: rule.name } });
      if (others.length >= rulesMax)
        throw new DomainError('conflict', 'tooManyRules', { values: { max: rulesMax } });
      const row = {
        id,
        accountId,
        ...rule,
        audience: audience || ownAudience(id),
        claims: JSON.stringify(claims),
        createdAt,
        lastUsedAt: null,
      };
      await bound.create(row);
      await securityLog.recordBy(actor, { kind: 'rule_created', account, detail: rule.name, client }, tx);
      return toTrustRule(row);
    });
  }

  /** An account's rules by name. */
  async function list({ id: accountId }: Pick<Account, 'id'>): Promise<TrustRule[]> {
    const rows = await database
      .model(trustRulesTable)
      .findAll({ where: { accountId }, order: [['name', 'ASC']] });
    return rows.map((row) => toTrustRule(row.get()));
  }

  /** Removes a rule, by its id, with the API tokens that it made. Throws `not_found`. */
  async function remove(
    account: Account,
    given: string,
    { actor = account, client }: By = {},
  ): Promise<void> {
    const { id: accountId } = account;
    await database.transaction(async (tx) => {
      const bound = tx.model(trustRulesTable);
      const id = toId(given);
      const rule = await bound.findForUpdate({ id, accountId });
      if (rule === null) throw new DomainError('not_found', 'ruleNotFound');
      await bound.destroy({ id });
      await tx.model(apiTokensTable).destroy({ accountId, holderId: id });
      await securityLog.recordBy(actor, { kind: 'rule_removed', account, detail: rule.name, client }, tx);
    });
  }

  return { schema, create, list, remove };
}

const audiencePrefix = 'hushpush:';

/** The audience of a rule that has none of its own. It names the rule, so that the token says by itself whom it is for. */
const ownAudience = (id: Buffer): string => audiencePrefix + id.toString('hex');

/** The id of the rule that an audience names, if it names one. */
export const maybeRuleIn = (audience: string): string | undefined =>
  audience.startsWith(audiencePrefix) ? audience.slice(audiencePrefix.length) : undefined;

const toTrustRule = ({ id, accountId, claims, ...rule }: TrustRuleRow): TrustRule => ({
  ...rule,
  id: id.toString('hex'),
  claims: JSON.parse(claims) as Claims,
});
