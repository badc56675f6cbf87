import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import type { Account } from '../accounts/account.ts';
import type { Audit } from '../audit/audit.ts';
import type { Limits } from '../limits/limits.ts';
import type { AdmitCreation } from '../pushes/admission.ts';
import type { FileSettings } from '../settings.ts';
import { createAttachedFiles } from './attached.ts';
import { createDownloads } from './downloads.ts';
import { createFileList } from './fileList.ts';
import { canAttachFiles } from './fileRules.ts';
import { createGrants } from './grants.ts';
import { createReconciliation } from './reconcile.ts';
import { createRepeatableUploads } from './repeatableUpload.ts';
import { createShredding } from './shred.ts';
import type { FileStore } from './store.ts';
import { createUploads } from './uploads.ts';

type Dependencies = {
  database: Database;
  keyring: Keyring;
  store: FileStore;
  audit: Audit;
  limits: Limits;
  admitCreation: AdmitCreation;
  settings: FileSettings;
};

/** The use cases of files, one file each. Adapters call `files`; the rest is for pushes and chats. */
export function createFiles(dependencies: Dependencies) {
  const { database, keyring, store, settings } = dependencies;
  const fileList = createFileList(database, keyring);
  const downloads = createDownloads(dependencies);
  const shredding = createShredding(database, store);
  const beginUpload = createUploads({ ...dependencies, shredding });
  return {
    fileList,
    grants: createGrants({ database, keyring, fileList }),
    downloads,
    beginUpload,
    files: {
      beginUpload: createRepeatableUploads(beginUpload),
      download: downloads.find,
      shredDue: shredding.shredDue,
      overdue: shredding.overdue,
      ...createReconciliation({ database, keyring, store }),
      attached: createAttachedFiles(database),
      location: store.location,
      settings,
      /** Whether an account, or an anonymous caller, may attach files. */
      canAttach: (account: Account | null) => canAttachFiles(account, settings),
    },
  };
}
