import type { ChatCaller } from '../people/index.ts';
import type { RequestLink, RequestLinks } from '../requests/index.ts';
import type { WorkspaceAccess } from '../workspaces/index.ts';
import type { Admit } from './admission.ts';
import type { FormDefaultsReader } from './formDefaults.ts';

type Dependencies = {
  admit: Admit;
  access: Pick<WorkspaceAccess, 'requireMayOpen'>;
  formDefaults: FormDefaultsReader['formDefaults'];
  requestLinks: Pick<RequestLinks, 'create'>;
};

/** Creates request links from a chat. */
export function createRequestLinking({ admit, access, formDefaults, requestLinks }: Dependencies) {
  /**
   * Creates a request link for the caller's account. Its answers wait as long as the caller's pushes live. Throws like
   * `admit` and `requestLinks.create`, and `forbidden` where the rules of the workspace do not let the caller open secrets.
   */
  return async function createRequestLink(caller: ChatCaller, input: object): Promise<RequestLink> {
    const [admitted, defaults] = await Promise.all([admit(caller), formDefaults(caller)]);
    await access.requireMayOpen(caller);
    return requestLinks.create(admitted, { ...input, answersExpireAfterDays: defaults.days });
  };
}
