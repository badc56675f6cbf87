import type { Schema } from '../src/database/schema.ts';

/** Finds the mails with a request link, whose id is their `subject_id`. */
export async function up({ createUniqueIndex }: Schema): Promise<void> {
  await createUniqueIndex('notices_by_subject', 'notices', 'subject_id, id');
}

export async function down({ dropIndex }: Schema): Promise<void> {
  await dropIndex('notices_by_subject', 'notices');
}
