import { accountNameOf, type InstallationSummary } from '../../../domain/index.ts';
import { AccountArea } from '../../components/accountArea.tsx';
import { SuccessMessage } from '../../components/alerts.tsx';
import { renderPage } from '../../components/layout.tsx';
import { List } from '../../components/list.tsx';
import { LabelledTime } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';

type InstallationsPage = {
  installations: InstallationSummary[];
  /** The names of chat users, under the names of the accounts that are created for them. */
  names: Map<string, string>;
  success?: string | undefined;
};

/** The workspaces with the Slack app, and who installed it. */
export function installationsPage(
  page: PageContext,
  { installations, names, success }: InstallationsPage,
): string {
  const { messages, path } = page;
  const { workspaces, workspacesLead, noWorkspaces, installedSince, installedBy, ...admin } = messages.admin;
  const installer = ({ platform, workspace, userId }: InstallationSummary) =>
    names.get(accountNameOf({ platform, address: `${workspace}:${userId}` })) ?? userId;
  return renderPage(page, {
    title: workspaces,
    current: 'admin',
    isWide: true,
    children: (
      <AccountArea page={page} current="workspaces">
        <div class="card">
          <h1>{workspaces}</h1>
          <p class="muted">{workspacesLead}</p>
          <SuccessMessage text={success} />
          <List
            emptyText={noWorkspaces}
            items={installations.map((entry) => ({
              title: <bdi>{workspaceLabel(entry)}</bdi>,
              details: [
                entry.label === null ? null : entry.workspace,
                <LabelledTime messages={messages} label={installedSince} at={entry.since} />,
                entry.userId === '' ? null : `${installedBy}: ${installer(entry)}`,
              ],
              actions: (
                <a
                  class="button danger"
                  href={path(`/admin/installations/remove?${new URLSearchParams({ id: entry.workspace })}`)}
                  aria-label={admin.removeOf(workspaceLabel(entry))}
                >
                  {admin.remove}
                </a>
              ),
            }))}
          />
        </div>
      </AccountArea>
    ),
  });
}

/** A workspace by name, or by id where the chat did not tell it. */
export const workspaceLabel = ({ label, workspace }: InstallationSummary): string => label ?? workspace;
