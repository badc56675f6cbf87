import type { Database } from '../../database/database.ts';
import type { OneTimeLinks } from '../base/index.ts';
import { bindingWorkspace, type ChatCaller, type Workspace } from '../people/index.ts';
import type { AuditEntry, Pushes } from '../pushes/index.ts';
import type { WorkspaceAccess } from '../workspaces/index.ts';
import type { Admit } from './admission.ts';

/** Something that happened to a push that was created in a workspace. The creator is an address in its chat. */
export type WorkspaceEvent = AuditEntry & { pushId: Buffer; creator: string };

type Dependencies = {
  database: Database;
  admit: Admit;
  access: Pick<WorkspaceAccess, 'requireManager'>;
  links: OneTimeLinks;
  pushes: Pick<Pushes, 'auditLogsOf'>;
};

/** So many logs of pushes are in memory at a time, with less than 2,000 rows each. */
const pushesOfBatch = 20;

/** What happens to the pushes of a workspace, for its admins, by a link that exports it once. Never a secret or a name. */
export function createWorkspaceActivity({
  database: { select },
  admit,
  access,
  links,
  pushes,
}: Dependencies) {
  /** Returns the token of a link. Throws `forbidden` for everybody but those who manage the workspace. */
  async function createExportLink(caller: ChatCaller): Promise<string> {
    await admit(caller);
    await access.requireManager(caller);
    const { platform } = caller.chatUser;
    return links.create('export', { platform, workspace: bindingWorkspace(caller) } satisfies Workspace);
  }

  /** Reads a link without using it up. Throws `not_found` once it is used or expired. */
  const previewExport = (token: string) => links.read<Workspace>('export', token);

  /** Uses a link up, and returns all events, push by push. Throws like `previewExport`. */
  async function exportActivity(token: string): Promise<AsyncIterable<WorkspaceEvent>> {
    return eventsOf(await links.redeem<Workspace>('export', token));
  }

  async function* eventsOf(workspace: Workspace): AsyncGenerator<WorkspaceEvent> {
    for (let last: Buffer = Buffer.alloc(16); ; ) {
      const found = await pushesAfter(last, workspace);
      const creators = new Map(found.map(({ pushId, address }) => [pushId.toString('hex'), address]));
      for (const event of await pushes.auditLogsOf(found.map(({ pushId }) => pushId)))
        yield { ...event, creator: creators.get(event.pushId.toString('hex')) ?? '' };
      if (found.length < pushesOfBatch) return;
      last = found.at(-1)?.pushId ?? last;
    }
  }

  const pushesAfter = (last: Buffer, { platform, workspace }: Workspace) =>
    select<{ pushId: Buffer; address: string }>(
      `SELECT push_id AS pushId, address FROM workspace_pushes
       WHERE platform = $platform AND workspace = $workspace AND push_id > $last
       ORDER BY push_id LIMIT ${pushesOfBatch}`,
      { platform, workspace, last },
    );

  return { createExportLink, previewExport, exportActivity };
}
