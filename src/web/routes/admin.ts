import { type Account, type AccountSummary, DomainError, pageSize } from '../../domain/index.ts';
import { one } from '../../http/params.ts';
import { refusalText } from '../../locales/wording.ts';
import type { WebDependencies } from '../dependencies.ts';
import { isInputError } from '../forms.ts';
import { pageNumberWithin, successText } from '../pageQuery.ts';
import type { SignedInPageRequest } from '../pageRequest.ts';
import { adminAccountPage, adminAccountPath, adminActions } from '../pages/admin/adminAccountPage.tsx';
import { adminPage } from '../pages/admin/adminPage.tsx';
import { installationsPage, workspaceLabel } from '../pages/admin/installations.tsx';
import { accountLabel } from '../pages/chatLabels.ts';
import { confirmationPage } from '../pages/confirmationPage.tsx';
import { problemsIn } from '../pages/errorPage.tsx';

const lastPage = 10_000;

/** What accounts with the admin role can do with other accounts. */
export function adminRoutes({ domain, pages, links }: WebDependencies): void {
  const { accounts, chat, factors, mailLinks, passwordLinks } = domain;
  const actions = {
    subscribe: (email: string, admin: Account) => accounts.setSubscribed(email, true, admin),
    unsubscribe: (email: string, admin: Account) => accounts.setSubscribed(email, false, admin),
    enable: (email: string, admin: Account) => accounts.setDisabled(email, false, admin),
    disable: (email: string, admin: Account) => accounts.setDisabled(email, true, admin),
    'remove-factors': (email: string, admin: Account) => factors.removeAll(email, admin),
  };

  pages.admin('/admin', (request) => list(request));

  pages.adminForm('/admin/invite', { onRefusal: showRefused }, async (request) => {
    if (mailLinks.isOn && request.fields.mail === 'on') return inviteByMail(request);
    const { account, link: token } = await passwordLinks.invite(request.fields.email ?? '', request.signedIn);
    const link = links.oneTime('invite', token);
    return show(
      request,
      { passwordLink: { link, purpose: 'invite' } },
      await accounts.summary(account.email),
    );
  });

  async function inviteByMail({ page, signedIn, fields: { email = '' } }: SignedInPageRequest) {
    const account = await passwordLinks.inviteByMail(email, page.locale, signedIn);
    return { to: `${adminAccountPath(account)}?done=invited` };
  }

  type Refused = { email: string; problem: string };

  async function list({ ctx, page, signedIn }: SignedInPageRequest, refused?: Refused) {
    const search = one(ctx.query.search)?.trim() ?? '';
    const listed = await accounts.listPage(signedIn, pageNumberWithin(ctx, lastPage), search);
    const names = await chat.identities.names(listed.accounts);
    const hasMore = listed.total > listed.pageNumber * pageSize;
    return adminPage(page, {
      ...{ ...listed, names, search, hasMore, sendsMail: mailLinks.isOn },
      ...(refused && { refused }),
    });
  }

  function showRefused(request: SignedInPageRequest, error: unknown) {
    if (!isInputError(error)) return undefined;
    const { email = '' } = request.fields;
    const problem = problemsIn(request.page, error).email ?? refusalText(request.page.messages, error);
    return list(request, { email, problem });
  }

  pages.admin('/admin/accounts/:id', (request) => {
    const { done } = request.page.messages.admin;
    return show(request, { success: successText(request.ctx, done) });
  });

  for (const action of ['disable', 'remove-factors'] as const) {
    pages.admin(`/admin/accounts/:id/${action}`, async (request) => {
      const account = await accountOf(request);
      const { actions, confirmations } = request.page.messages.admin;
      const { title, lead } = confirmations[action];
      return confirmationPage(request.page, {
        current: 'admin',
        title: title(await labelOf(request, account)),
        lead,
        action: `${adminAccountPath(account)}/${action}`,
        submit: actions[action],
        isDangerous: true,
        back: adminAccountPath(account),
      });
    });
  }

  for (const action of adminActions) {
    pages.adminForm(`/admin/accounts/:id/${action}`, { onRefusal: showConflict }, async (request) => {
      const account = await accountOf(request);
      await actions[action](account.email, request.signedIn);
      return { to: `${adminAccountPath(account)}?done=${action}` };
    });
  }

  pages.adminForm('/admin/accounts/:id/password-link', { onRefusal: showConflict }, async (request) => {
    const { email, hasPassword } = await accountOf(request);
    const purpose = hasPassword ? 'reset' : 'invite';
    const link = links.oneTime(purpose, await passwordLinks.create(email, purpose, request.signedIn));
    return show(request, { passwordLink: { link, purpose } });
  });

  const accountOf = ({ ctx, signedIn }: SignedInPageRequest) =>
    accounts.byId(signedIn, String(ctx.params.id));

  const labelOf = async ({ page }: SignedInPageRequest, account: Account) =>
    accountLabel(page.messages, account.email, await chat.identities.maybeNameOf(account));

  type Result = Pick<Parameters<typeof adminAccountPage>[1], 'success' | 'problem' | 'passwordLink'>;

  async function show(request: SignedInPageRequest, result: Result, invited?: AccountSummary) {
    const account = invited ?? (await accountOf(request));
    const { page, signedIn } = request;
    const [label, acts] = [await labelOf(request, account), await accounts.acts(signedIn, account.email)];
    const hasFactor = await factors.hasAny(account);
    return adminAccountPage(page, { account, label, signedIn, acts, hasFactor, ...result });
  }

  function showConflict(request: SignedInPageRequest, error: unknown) {
    if (!(error instanceof DomainError) || error.code !== 'conflict') return undefined;
    return show(request, { problem: refusalText(request.page.messages, error) });
  }
}

/** Where the chat apps of this server are installed, for admins. */
export function installationRoutes({ domain: { chat }, pages }: WebDependencies): void {
  const { installations, identities } = chat;

  pages.admin('/admin/installations', async ({ ctx, page, signedIn }) => {
    const [listed, names] = await Promise.all([installations.list('slack', signedIn), identities.names()]);
    const success = successText(ctx, { removed: page.messages.admin.removed });
    return installationsPage(page, { installations: listed, names, success });
  });

  pages.admin('/admin/installations/remove', async ({ ctx, page, signedIn }) => {
    const id = one(ctx.query.id);
    const found = (await installations.list('slack', signedIn)).find(({ workspace }) => workspace === id);
    if (found === undefined) throw new DomainError('not_found', 'chatNotFound');
    const { removeTitle, removeHint, removeNow } = page.messages.admin;
    return confirmationPage(page, {
      current: 'admin',
      title: removeTitle(workspaceLabel(found)),
      lead: removeHint,
      action: '/admin/installations/remove',
      fields: { id: found.workspace },
      submit: removeNow,
      isDangerous: true,
      back: '/admin/installations',
    });
  });

  pages.adminForm('/admin/installations/remove', async ({ fields: { id = '' }, signedIn }) => {
    await installations.uninstall('slack', id, signedIn);
    return { to: '/admin/installations?done=removed' };
  });
}
