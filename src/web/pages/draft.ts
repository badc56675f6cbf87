import type { NoticePreferences, PushFlag } from '../../domain/index.ts';

/** A form as it was submitted; everything is shown again when something is wrong. A flag is null where the creator cannot choose it. */
export type Draft = Record<PushFlag, boolean | null> & {
  kind: string;
  payload: string;
  passphrase: string;
  lifetime: string;
  views: string;
  name: string;
  note: string;
  /** Where it is null, the name and the note are left out too. */
  notify: NoticePreferences | null;
};
