import type { Keyring } from '../../crypto/keyring.ts';
import type { Signing } from '../../crypto/signing.ts';
import type { Database } from '../../database/database.ts';
import type { Audit } from '../audit/index.ts';
import type { FileSettings, Observer, OpenPlaces, PushSettings } from '../base/index.ts';
import type { BeginUpload, Downloads, FileList, Grants } from '../files/index.ts';
import type { Limits, PasswordHasher } from '../limits/index.ts';
import type { MailAddresses } from '../mail/index.ts';
import type { Outbox } from '../outbox/index.ts';
import type { PushFinder } from './find.ts';
import type { RecipientCodes } from './recipientCodes.ts';
import type { PushRecipients } from './recipients.ts';

/** What the use cases of pushes work with. */
export type PushDependencies = {
  database: Database;
  keyring: Keyring;
  signing: Signing;
  passphrases: PasswordHasher;
  limits: Limits;
  audit: Audit;
  outbox: Outbox;
  mailAddresses: MailAddresses;
  fileList: FileList;
  grants: Grants;
  downloads: Downloads;
  beginUpload: BeginUpload;
  settings: PushSettings;
  fileSettings: FileSettings;
  observer: Observer;
  openPlaces: OpenPlaces;
  finder: PushFinder;
  pushRecipients: PushRecipients;
  recipientCodes: RecipientCodes;
};
