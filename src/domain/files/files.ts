import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import type { Audit } from '../audit/index.ts';
import type { FileSettings } from '../base/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Account } from '../people/index.ts';
import { createDownloads } from './downloads.ts';
import { createFileList } from './fileList.ts';
import { canAttachFiles } from './fileRules.ts';
import { createGrants } from './grants.ts';
import { createAttachedFiles, createReconciliation } from './reconcile.ts';
import { createShredding } from './shred.ts';
import type { FileStore } from './store.ts';
import { createUploads } from './uploads.ts';

type Dependencies = {
  database: Database;
  keyring: Keyring;
  store: FileStore;
  audit: Audit;
  limits: Limits;
  settings: FileSettings;
};

/** The use cases of files, one file each. Adapters call `files`; the rest is for pushes and chats. */
export function createFiles(dependencies: Dependencies) {
  const { database, keyring, store, settings } = dependencies;
  const fileList = createFileList({ database, keyring });
  const downloads = createDownloads(dependencies);
  const shredding = createShredding({ database, store });
  return {
    fileList,
    grants: createGrants({ database, keyring, fileList }),
    downloads,
    beginUpload: createUploads({ ...dependencies, shredding }),
    files: {
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
