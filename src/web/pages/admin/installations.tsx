import { accountNameOf, type InstallationSummary } from '../../../domain/index.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { ButtonLink } from '../../components/form.tsx';
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
  const { workspacesLead, noWorkspaces, slackOff, installedSince, installedBy, ...admin } = messages.admin;
  const installer = ({ platform, workspace, userId }: InstallationSummary) =>
    names.get(accountNameOf({ platform, address: `${workspace}:${userId}` })) ?? userId;
  return accountPage(page, {
    section: 'workspaces',
    lead: workspacesLead,
    success,
    children: (
      <List
        emptyText={page.chats.includes('slack') ? noWorkspaces : slackOff}
        items={installations.map((entry) => ({
          title: <bdi>{workspaceLabel(entry)}</bdi>,
          details: [
            entry.label === null ? null : entry.workspace,
            <LabelledTime messages={messages} label={installedSince} at={entry.since} />,
            entry.userId === '' ? null : `${installedBy}: ${installer(entry)}`,
          ],
          actions: (
            <ButtonLink
              class="danger"
              href={path(`/admin/installations/remove?${new URLSearchParams({ id: entry.workspace })}`)}
              aria-label={admin.removeOf(workspaceLabel(entry))}
              text={admin.remove}
            />
          ),
        }))}
      />
    ),
  });
}

/** A workspace by name, or by id where the chat did not tell it. */
export const workspaceLabel = ({ label, workspace }: InstallationSummary): string => label ?? workspace;
