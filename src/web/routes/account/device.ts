import { DomainError } from '../../../domain/index.ts';
import { one } from '../../../http/params.ts';
import type { WebDependencies } from '../../dependencies.ts';
import type { SignedInPageRequest } from '../../pageRequest.ts';
import { deviceCodePage, deviceRequestPage } from '../../pages/account/device.tsx';
import { messagePage } from '../../pages/messagePage.tsx';

/** Lets programs without a browser have API tokens, by the codes that they show. */
export function deviceRoutes({ domain: { deviceSignIn }, pages }: WebDependencies): void {
  /** Looks nothing up: a link must not say whether a code is one. */
  pages.own('/device', ({ ctx, page }) => deviceCodePage(page, { code: one(ctx.query.code) }));

  pages.ownForm(
    '/device',
    { onRefusal: showUnknown },
    async ({ page, signedIn, client, fields: { code = '' } }) =>
      deviceRequestPage(page, await deviceSignIn.find(signedIn, code, client)),
  );

  pages.ownForm(
    '/device/allow',
    { onRefusal: showUnknown },
    async ({ page, signedIn, client, fields: { code = '', ...fields } }) => {
      await deviceSignIn.allow(signedIn, code, fields, client);
      const { allowedTitle: title, allowed: text } = page.messages.device;
      return messagePage(page, { title, text });
    },
  );

  pages.ownForm(
    '/device/deny',
    { onRefusal: showUnknown },
    async ({ page, signedIn, client, fields: { code = '' } }) => {
      await deviceSignIn.deny(signedIn, code, client);
      const { deniedTitle: title, denied: text } = page.messages.device;
      return messagePage(page, { title, text });
    },
  );

  function showUnknown({ page, fields }: SignedInPageRequest, error: unknown) {
    if (!(error instanceof DomainError) || error.messageCode !== 'deviceCodeUnknown') return undefined;
    return deviceCodePage(page, { code: fields.code, problem: page.messages.refusals.deviceCodeUnknown });
  }
}
