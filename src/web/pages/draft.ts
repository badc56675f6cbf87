import type { NoticePreferences } from '../../domain/index.ts';

/** A form as it was submitted; everything is shown again when something is wrong. */
export type Draft = {
  kind: string;
  payload: string;
  passphrase: string;
  lifetime: string;
  views: string;
  name: string;
  note: string;
  /** null where the creator cannot choose it. Where `notify` is null, the name and the note are left out too. */
  retrievalStep: boolean | null;
  deletableByViewer: boolean;
  notify: NoticePreferences | null;
};
