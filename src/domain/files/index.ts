export type { Download, Downloads } from './downloads.ts';
export type { FileList, ListedFiles, PushFile } from './fileList.ts';
export { canAttachFiles, type IncomingFile, invalidFiles, requireFileAccess } from './fileRules.ts';
export { createFiles } from './files.ts';
export { inParts } from './frames.ts';
export type { Grants } from './grants.ts';
export { type FileStore, noStore } from './store.ts';
export { downloadsTable, filesTable, grantsTable } from './tables.ts';
export type { BeginUpload, Uploaded } from './uploads.ts';
