import type { App } from '@slack/bolt';
import type { Commands } from '../commands.ts';
import { addressOf } from './caller.ts';
import { onComponents } from './components.ts';
import { createDirectory } from './directory.ts';
import type { FileAccess } from './files.ts';
import { createHome } from './home.ts';
import { workspaceOf } from './installations.ts';
import { createSlackModals } from './modals.ts';
import type { SlackReplies } from './replies.ts';
import { onShortcuts } from './shortcuts.ts';
import { onSlashCommands } from './slashCommands.ts';
import { onSubmissions } from './submissions.ts';
import { refuseUnauthorized } from './unauthorized.ts';
import type { UserGroups } from './userGroups.ts';
import type { UserProfiles } from './userProfiles.ts';

type Dependencies = {
  commands: Commands;
  replies: SlackReplies;
  profiles: UserProfiles;
  fileAccess: FileAccess;
  userGroups: UserGroups;
  /** Where the app can be installed; undefined where it has one workspace for good. */
  installUrl: string | undefined;
  onError: (error: unknown) => void;
};

/** Handles everything that users do in Slack, over HTTP or Socket Mode. */
export function onInteractions(
  app: App,
  { commands, replies, profiles, fileAccess, userGroups, installUrl, onError }: Dependencies,
): void {
  const modals = createSlackModals({ commands, fileAccess, userGroups, onError });
  const home = createHome({ commands, onError });
  app.error(async (error) => onError(error));
  app.use((args) => refuseUnauthorized(args, { replies, installUrl }));
  app.use(async ({ context, client, next }) => {
    const { userId } = context;
    if (userId !== undefined)
      context.profile = await profiles.maybeProfile(client, addressOf(workspaceOf(context), userId));
    await next();
  });
  onSlashCommands(app, { commands, modals, replies, directory: createDirectory(), installUrl, onError });
  onShortcuts(app, { modals, replies, onError });
  onSubmissions(app, { commands, replies, userGroups, onError });
  onComponents(app, { commands, modals, replies, userGroups, home, onError });
  home.onHomeOpened(app);
}
