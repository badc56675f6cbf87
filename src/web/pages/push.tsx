import { type AuditEntry, isExpired, type Push, type PushSettings } from '../../domain/index.ts';
import { Activity } from '../components/activity.tsx';
import { BackLink, ErrorMessage, SuccessMessage } from '../components/cardPage.tsx';
import { LifetimeSelect } from '../components/choices.tsx';
import { LinkField } from '../components/copy.tsx';
import { ConfirmedAction, Form, SubmitButton } from '../components/form.tsx';
import { renderPage } from '../components/layout.tsx';
import { PushFiles } from '../components/pushFiles.tsx';
import { PushLimits } from '../components/pushLimits.tsx';
import { PushStateChip, PushTitle, plainPushTitle } from '../components/pushTitle.tsx';
import { Recipients } from '../components/recipients.tsx';
import { extensionChoices } from '../lifetimes.ts';
import type { PageContext } from '../pageContext.ts';

type PushPage = {
  push: Push;
  /** The id of the request link whose sealed answer it is. */
  answered: string | undefined;
  link: string;
  linkTo: (link: { urlToken: string }) => string;
  log: AuditEntry[];
  pageNumber: number;
  hasMore: boolean;
  settings: PushSettings;
  success?: string | undefined;
  problem?: string | undefined;
};

/** A push as its owner sees it: its link, its recipients, its limits, what can be done with it, and its audit log. */
export function pushPage(page: PageContext, details: PushPage): string {
  const { messages } = page;
  const { push, answered, link, linkTo, success, problem } = details;
  return renderPage(page, {
    title: plainPushTitle(messages, push),
    current: 'pushes',
    isWide: true,
    scripts: ['copy.js'],
    children: (
      <div class="push-page">
        <div class="card">
          <BackLink page={page} path="/pushes" text={messages.pushes.title} />
          <h1>
            <PushTitle messages={messages} push={push} />
          </h1>
          <p class="muted">
            {messages.newPush.kinds[push.kind]} · <PushStateChip messages={messages} push={push} />
          </p>
          {push.encrypted && !isExpired(push) ? <WhatOpens page={page} answered={answered} /> : null}
          <SuccessMessage text={success} />
          <ErrorMessage text={problem} />
          {isExpired(push) || push.isReserved || answered !== undefined ? null : (
            <LinkField page={page} label={messages.pushes.link} link={link} class="secondary" />
          )}
          <Recipients page={page} push={push} linkTo={linkTo} />
          {push.files.length === 0 ? null : (
            <section>
              <h2>{messages.secret.files}</h2>
              <PushFiles page={page} files={push.files} />
            </section>
          )}
        </div>
        <div class="card push-side">
          <PushLimits page={page} push={push} />
          {isExpired(push) ? null : <PushActions page={page} details={details} />}
        </div>
        <div class="card">
          <Activity page={page} path={`/pushes/${push.urlToken}`} {...details} />
        </div>
      </div>
    ),
  });
}

/** Where the key of an encrypted push is: with its link, or with whoever asked for it by a request link. */
function WhatOpens({ page, answered }: Pick<PushPage, 'answered'> & { page: PageContext }) {
  const { pushes, requestLinks } = page.messages;
  if (answered === undefined) return <p>{pushes.encrypted}</p>;
  return (
    <p>
      {requestLinks.sealedAnswer.text}{' '}
      <a href={page.path(`/requests/links/${answered}`)}>{requestLinks.sealedAnswer.link}</a>
    </p>
  );
}

type SectionProps = { page: PageContext; details: PushPage };

/** What can be done with a live push, the most dangerous last. */
function PushActions({ page, details: { push, settings } }: SectionProps) {
  const { pushes } = page.messages;
  const path = `/pushes/${push.urlToken}`;
  const lifetimes = extensionChoices(settings, push);
  const longest = lifetimes.at(-1);
  const usual = `${settings.defaults.expireAfterDays}d`;
  return (
    <>
      {longest === undefined ? null : (
        <section>
          <h2>{pushes.extend}</h2>
          <Form page={page} action={`${path}/extend`}>
            <LifetimeSelect
              page={page}
              lifetimes={lifetimes}
              label={pushes.extendFrom}
              value={(lifetimes.find(({ value }) => value === usual) ?? longest).value}
            />
            <SubmitButton class="secondary" text={pushes.extendSubmit} />
          </Form>
        </section>
      )}
      <section>
        <h2>{pushes.expireTitle}</h2>
        <ConfirmedAction text={pushes.expire} hint={pushes.expireHint}>
          <Form page={page} action={`${path}/expire`}>
            <SubmitButton class="danger solid" text={page.messages.secret.deleteForGood} />
          </Form>
        </ConfirmedAction>
      </section>
    </>
  );
}
