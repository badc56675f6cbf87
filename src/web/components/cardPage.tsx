import type { ComponentChildren } from 'preact';
import type { PageContext } from '../pageContext.ts';
import { type LayoutProps, renderPage } from './layout.tsx';

export type CardPage = LayoutProps & {
  /** What stands for the title on the page. */
  heading?: ComponentChildren;
  /** How many entries there are, beside the heading. */
  count?: string;
  lead?: string | undefined;
  /** What was done, or went wrong. */
  success?: string | undefined;
  problem?: string | undefined;
  /** The page above this one. */
  back?: BackLinkProps;
  /** Another class of the card. */
  class?: string;
  /** The navigation between this page and others: beside the card where there is room, and above it elsewhere. */
  nav?: ComponentChildren;
};

/** A page of one card, with its title as the heading. */
export function cardPage(page: PageContext, { nav, children, ...options }: CardPage): string {
  const { heading, count, lead, success, problem, back, class: look, ...layout } = options;
  const title = <h1>{heading ?? layout.title}</h1>;
  const card = (
    <div class={look === undefined ? 'card' : `card ${look}`}>
      {back && <BackLink page={page} {...back} />}
      {count === undefined ? (
        title
      ) : (
        <div class="list-head">
          {title}
          <p class="muted small">{count}</p>
        </div>
      )}
      {lead !== undefined && <p class="muted">{lead}</p>}
      <SuccessMessage text={success} />
      <ErrorMessage text={problem} />
      {children}
    </div>
  );
  const beside = nav && (
    <div class="area">
      {nav}
      {card}
    </div>
  );
  return renderPage(page, { ...layout, children: beside ?? card });
}

/** What went wrong with a whole form, or nothing. */
export const ErrorMessage = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p class="error" role="alert">
      {text}
    </p>
  );

/** What was done, or nothing. */
export const SuccessMessage = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p class="success" role="status">
      {text}
    </p>
  );

type BackLinkProps = { path: string; text: string };

/** A link to the page above this one. */
export const BackLink = ({ page, path, text }: BackLinkProps & { page: PageContext }) => (
  <p>
    <a href={page.path(path)}>← {text}</a>
  </p>
);
