import { type AnonymousStatus, isExpired } from '../../domain/index.ts';
import { Activity } from '../components/activity.tsx';
import { cardPage } from '../components/cardPage.tsx';
import { LinkField } from '../components/copy.tsx';
import { ConfirmedAction, Form, SubmitButton } from '../components/form.tsx';
import type { Paging } from '../components/list.tsx';
import { PushStatus } from '../components/pushTitle.tsx';
import type { PageContext } from '../pageContext.ts';

type StatusPage = AnonymousStatus &
  Paging & {
    /** The private link that leads here. */
    link: string;
    /** The path of this page. */
    path: string;
    success: string | undefined;
  };

/** What happened to a push that was created without an account, for its creator. */
export function statusPage(
  page: PageContext,
  { push, link, path, success, ...activity }: StatusPage,
): string {
  const { status, pushes, secret } = page.messages;
  return cardPage(page, {
    title: status.title,
    success,
    scripts: ['copy.js'],
    children: (
      <>
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
        <Activity page={page} path={path} push={push} {...activity} />
        {isExpired(push) || (
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
