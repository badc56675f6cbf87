import type { Schema } from '../src/database/schema.ts';

const newestLine = {
  line: 'VARCHAR(50)',
  line_event: 'VARCHAR(20)',
  line_times: 'INT',
  line_at: 'BIGINT',
};
/** Two people, and the workspace whose rules apply to the answer. */
const asked = {
  requester: 'VARCHAR(100) NOT NULL',
  provider: 'VARCHAR(100) NOT NULL',
  workspace: 'VARCHAR(100) NOT NULL',
};

const chatUser = { platform: 'VARCHAR(16) NOT NULL', address: 'VARCHAR(100) NOT NULL' };

/**
 * Identities: who people are in a chat, and their account; `unreachable_since` is set while their direct messages are closed;
 *   `locale` is the language tag that the chat gave for them last.
 * Link requests: a browser that waits for a chat user to confirm that it may sign in as them, or link them to an account;
 * `browser_digest` is the SHA-256 of a secret that only the browser has.
 * Settings: of a person, and of everybody in a workspace, as JSON. `installation` is where the app that serves it is installed:
 *   the workspace itself, or its organisation.
 * Command registrations: the SHA-256 of the commands that a platform was told of last.
 * Messages: the one message that somebody has about a push or a request (`subject_id`), to be edited instead of sending more;
 *   `line` is the newest line below it, and what that line says: `line_times` events, the last of them at `line_at`.
 * One-time links: `context` is sealed; `digest` is the SHA-256 of the token.
 * Processed events: what a chat has delivered already; platforms deliver again when they get no response in time.
 * Requests: one row for each person who is asked; those that were sent together have the same `group_id`, the id of the first.
 *   `state` is open, or how it ended; the reason is sealed. `due_at` is when a job has something to do with an open one: remind its
 *   provider, or end it.
 * Installations: where an app is installed, by whom (`user_id`); the tokens are sealed. `installed_at` moves with every renewal.
 * Workspace pushes: what was created in a workspace, and by whom, so that its admins can see what happens there.
 * Removed workspaces: where the app is no longer installed, and when what belongs to them is erased.
 */
export async function up({ createTable }: Schema): Promise<void> {
  await createTable('chat_identities', {
    columns: {
      ...chatUser,
      account_id: 'BINARY(16) NOT NULL',
      name: 'VARCHAR(100)',
      created_at: 'BIGINT NOT NULL',
      unreachable_since: 'BIGINT',
      locale: 'VARCHAR(35)',
    },
    constraints: [
      'PRIMARY KEY (platform, address)',
      'FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE',
    ],
    indexes: { chat_identities_by_account: 'account_id' },
  });
  await createTable('link_requests', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      ...chatUser,
      name: 'VARCHAR(100) NOT NULL',
      account_id: 'BINARY(16)',
      browser_digest: 'BINARY(32) NOT NULL UNIQUE',
      code: 'CHAR(6) NOT NULL',
      tries: 'SMALLINT NOT NULL DEFAULT 0',
      state: 'VARCHAR(10) NOT NULL',
      expires_at: 'BIGINT NOT NULL',
    },
    constraints: ['FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE'],
    indexes: {
      link_requests_by_user: 'platform, address',
      link_requests_by_account: 'account_id',
      link_requests_by_end: 'expires_at',
    },
  });
  await createTable('chat_user_settings', {
    columns: { ...chatUser, settings: 'TEXT NOT NULL' },
    constraints: ['PRIMARY KEY (platform, address)'],
  });
  await createTable('workspace_settings', {
    columns: {
      platform: 'VARCHAR(16) NOT NULL',
      workspace: 'VARCHAR(50) NOT NULL',
      installation: 'VARCHAR(50) NOT NULL',
      settings: 'TEXT NOT NULL',
    },
    constraints: ['PRIMARY KEY (platform, workspace)'],
  });
  await createTable('command_registrations', {
    columns: {
      platform: 'VARCHAR(16) NOT NULL PRIMARY KEY',
      definition_hash: 'CHAR(64) NOT NULL',
    },
  });
  await createTable('chat_messages', {
    columns: {
      subject_id: 'BINARY(16) NOT NULL',
      ...chatUser,
      channel: 'VARCHAR(50) NOT NULL',
      message: 'VARCHAR(50) NOT NULL',
      ...newestLine,
      created_at: 'BIGINT NOT NULL',
    },
    constraints: ['PRIMARY KEY (subject_id, platform, address)'],
    indexes: { chat_messages_by_age: 'created_at' },
  });
  await createTable('one_time_links', {
    columns: {
      digest: 'BINARY(32) NOT NULL PRIMARY KEY',
      id: 'BINARY(16) NOT NULL UNIQUE',
      purpose: 'VARCHAR(16) NOT NULL',
      context: 'MEDIUMBLOB NOT NULL',
      expires_at: 'BIGINT NOT NULL',
    },
    indexes: { one_time_links_by_end: 'expires_at' },
  });
  await createTable('processed_events', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      expires_at: 'BIGINT NOT NULL',
    },
    indexes: { processed_events_by_end: 'expires_at' },
  });
  await createRequests(createTable);
  await createInstallationTables(createTable);
}

async function createInstallationTables(createTable: Schema['createTable']): Promise<void> {
  await createTable('installations', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      platform: 'VARCHAR(16) NOT NULL',
      workspace: 'VARCHAR(50) NOT NULL',
      user_id: 'VARCHAR(50) NOT NULL',
      label: 'VARCHAR(100)',
      sealed: 'BLOB NOT NULL',
      first_at: 'BIGINT NOT NULL',
      installed_at: 'BIGINT NOT NULL',
    },
    constraints: ['UNIQUE (platform, workspace, user_id)'],
  });
  await createTable('workspace_pushes', {
    columns: {
      push_id: 'BINARY(16) NOT NULL PRIMARY KEY',
      platform: 'VARCHAR(16) NOT NULL',
      workspace: 'VARCHAR(50) NOT NULL',
      address: 'VARCHAR(100) NOT NULL',
    },
    constraints: ['FOREIGN KEY (push_id) REFERENCES pushes (id) ON DELETE CASCADE'],
    indexes: {
      workspace_pushes_by_workspace: 'platform, workspace, push_id',
      workspace_pushes_by_address: 'platform, address',
    },
  });
  await createTable('removed_workspaces', {
    columns: {
      platform: 'VARCHAR(16) NOT NULL',
      workspace: 'VARCHAR(50) NOT NULL',
      erase_at: 'BIGINT NOT NULL',
    },
    constraints: ['PRIMARY KEY (platform, workspace)'],
    indexes: { removed_workspaces_by_end: 'erase_at' },
  });
}

async function createRequests(createTable: Schema['createTable']): Promise<void> {
  await createTable('requests', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      platform: 'VARCHAR(16) NOT NULL',
      group_id: 'BINARY(16) NOT NULL',
      ...asked,
      reason: 'BLOB',
      state: 'VARCHAR(12) NOT NULL',
      created_at: 'BIGINT NOT NULL',
      expires_at: 'BIGINT NOT NULL',
      due_at: 'BIGINT',
    },
    indexes: {
      requests_by_requester: 'platform, requester, state, created_at',
      requests_by_provider: 'platform, provider, state, created_at',
      requests_by_end: 'expires_at',
      requests_by_due_at: 'due_at',
      requests_by_group: 'group_id',
    },
  });
}

export async function down({ dropTable }: Schema): Promise<void> {
  const tables = [
    'removed_workspaces',
    'workspace_pushes',
    'installations',
    'requests',
    'processed_events',
    'one_time_links',
    'chat_messages',
  ];
  const settings = ['command_registrations', 'workspace_settings', 'chat_user_settings'];
  for (const table of [...tables, ...settings, 'link_requests', 'chat_identities']) await dropTable(table);
}
