import type { PushSettings } from '../base/index.ts';
import type { ChatCaller } from '../people/index.ts';
import type { MailedAddress, RequestLink, RequestLinks } from '../requests/index.ts';
import type { WorkspaceAccess } from '../workspaces/index.ts';
import type { Admit } from './admission.ts';
import { readEmails } from './emails.ts';
import type { FormDefaultsReader } from './formDefaults.ts';

type Dependencies = {
  admit: Admit;
  access: Pick<WorkspaceAccess, 'requireMayOpen'>;
  formDefaults: FormDefaultsReader['formDefaults'];
  requestLinks: Pick<RequestLinks, 'create' | 'mailedTo'>;
  settings: PushSettings;
};

/** The input of a request link. `to` are e-mail addresses, as they were typed. */
type RequestLinkForm = { to?: string | undefined; [field: string]: unknown };

/** A request link, and what became of the mails with it. */
type CreatedRequestLink = { link: RequestLink; mailed: MailedAddress[] };

/** Creates request links from a chat. */
export function createRequestLinking({ admit, access, formDefaults, requestLinks, settings }: Dependencies) {
  /**
   * Creates a request link for the caller's account, and mails it to addresses. Its answers wait as long as the caller's
   * pushes live. Throws like `admit`, `readEmails` (field `to`) and `requestLinks.create`, and `forbidden` where the rules
   * of the workspace do not let the caller open secrets.
   */
  return async function createRequestLink(
    caller: ChatCaller,
    input: RequestLinkForm,
  ): Promise<CreatedRequestLink> {
    const [admitted, defaults] = await Promise.all([admit(caller), formDefaults(caller)]);
    await access.requireMayOpen(caller);
    const to = readEmails(input.to, settings, defaults, 'to');
    const locale = caller.locale ?? null;
    const fields = { ...input, to, answersExpireAfterDays: defaults.days };
    const link = await requestLinks.create(admitted, fields, { locale });
    return { link, mailed: await requestLinks.mailedTo(admitted, link.id) };
  };
}
