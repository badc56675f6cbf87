/** Where a messenger delivers a notice. */
export type NoticeAddress = { messenger: string; address: string };
