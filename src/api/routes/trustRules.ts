import type { Router } from '@koa/router';
import { requiredQuery } from '../../http/params.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { createInputReader, readRoot } from '../input.ts';
import { presentTrustRule } from '../presenters/trustRules.ts';

const path = '/api/v1/trust-rules.json';
const root = 'trust_rule';

/** The rules by which programs exchange tokens of others for API tokens of an account. */
export function trustRuleRoutes(router: Router, { domain: { trustRules }, auth }: ApiDependencies): void {
  const readInput = createInputReader(trustRules.schema);

  router.get(path, async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    ctx.body = (await trustRules.list(account)).map(presentTrustRule);
  });

  router.post(path, async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    const input = readInput(await readRoot(ctx, root));
    ctx.body = presentTrustRule(await trustRules.create(account, input));
    ctx.status = 201;
  });

  router.delete(path, async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    const id = requiredQuery(ctx, 'id');
    await trustRules.remove(account, id);
    ctx.body = { id, deleted: true };
  });
}
