import { accountNameOf, type InstallationSummary } from '../../../domain/index.ts';
import { Form } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { Time } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';

type Props = {
  page: PageContext;
  installations: InstallationSummary[];
  /** The names of chat users, under the names of the accounts that are created for them. */
  names: Map<string, string>;
};

/** The workspaces with the Slack app, and who installed it. */
export function InstallationsSection({ page, installations, names }: Props) {
  const { messages } = page;
  const { installations: title, installedSince, installedBy } = messages.admin;
  const installer = ({ platform, workspace, userId }: InstallationSummary) =>
    names.get(accountNameOf({ platform, address: `${workspace}:${userId}` })) ?? userId;
  return (
    <section>
      <h2>{title}</h2>
      <List
        emptyText=""
        items={installations.map((entry) => ({
          title: <bdi>{entry.label ?? entry.workspace}</bdi>,
          details: [
            ...(entry.label === null ? [] : [entry.workspace]),
            <>
              {installedSince}: <Time messages={messages} at={entry.since} />
            </>,
            ...(entry.userId === '' ? [] : [`${installedBy}: ${installer(entry)}`]),
          ],
          actions: <RemoveInstallation page={page} entry={entry} />,
        }))}
      />
    </section>
  );
}

/** Explains the consequences before the button. */
function RemoveInstallation({ page, entry }: { page: PageContext; entry: InstallationSummary }) {
  const { remove, removeOf, removeHint, removeNow } = page.messages.admin;
  const { workspace, label } = entry;
  return (
    <details>
      <summary aria-label={removeOf(label ?? workspace)}>{remove}</summary>
      <p class="hint" id={`remove-${workspace}`}>
        {removeHint}
      </p>
      <Form page={page} action="/admin/installations/remove">
        <input type="hidden" name="id" value={workspace} />
        <button type="submit" class="danger" aria-describedby={`remove-${workspace}`}>
          {removeNow}
        </button>
      </Form>
    </details>
  );
}
