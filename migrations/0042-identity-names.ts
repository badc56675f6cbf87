import type { Schema } from '../src/database/migrations.ts';

/** How a chat calls somebody, as far as they told us by connecting; their address where it is null. */
export const up = ({ addColumns }: Schema) => addColumns('chat_identities', { name: 'VARCHAR(100)' });

export const down = ({ dropColumns }: Schema) => dropColumns('chat_identities', ['name']);
