import { type AnonymousStatus, isExpired } from '../../domain/index.ts';
import { Activity } from '../components/activity.tsx';
import { SuccessMessage } from '../components/alerts.tsx';
import { cardPage } from '../components/cardPage.tsx';
import { ConfirmedAction } from '../components/confirmedAction.tsx';
import { LinkField } from '../components/copy.tsx';
import { Form, SubmitButton } from '../components/form.tsx';
import { PushStatus } from '../components/pushStatus.tsx';
import type { PageContext } from '../pageContext.ts';

type StatusPage = AnonymousStatus & {
  pageNumber: number;
  hasMore: boolean;
  /** The private link that leads here. */
  link: string;
  /** The path of this page. */
  path: string;
  success: string | undefined;
};

/** What happened to a push that was created without an account, for its creator. */
export function statusPage(
  page: PageContext,
  { push, log, pageNumber, hasMore, link, path, success }: StatusPage,
): string {
  const { status, pushes, secret } = page.messages;
  return cardPage(page, {
    title: status.title,
    scripts: ['copy.js'],
    children: (
      <>
        <SuccessMessage text={success} />
        <p class="muted">
          <PushStatus messages={page.messages} push={push} />
        </p>
        <LinkField
          page={page}
          label={status.link}
          hint={status.linkHint}
          link={link}
          copyText={secret.copy}
          class="secondary"
        />
        <Activity page={page} path={path} push={push} log={log} pageNumber={pageNumber} hasMore={hasMore} />
        {isExpired(push) ? null : (
          <section>
            <h2>{status.deleteTitle}</h2>
            <ConfirmedAction text={pushes.expire} hint={pushes.expireHint}>
              <Form page={page} action={`${path}/delete`}>
                <SubmitButton class="danger solid" text={secret.deleteForGood} />
              </Form>
            </ConfirmedAction>
          </section>
        )}
      </>
    ),
  });
}
