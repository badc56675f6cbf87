import type { ListedPush } from '../../domain/index.ts';
import { cardPage } from '../components/cardPage.tsx';
import { ButtonLink } from '../components/form.tsx';
import { PushTitle } from '../components/pushTitle.tsx';
import type { PageContext } from '../pageContext.ts';
import {
  type PushListQuery,
  pushListPath,
  type SelectionAction,
  toChosenText,
  toQueryString,
} from '../pushListQuery.ts';
import { confirmationPage } from './confirmationPage.tsx';

type SelectedPushesPage = {
  action: SelectionAction;
  /** Those of the chosen pushes that are live. */
  pushes: ListedPush[];
  /** How many were chosen. */
  chosen: number;
  query: PushListQuery;
};

/** Asks before it extends or deletes pushes: it names their number, and each of them. */
export function selectedPushesPage(
  page: PageContext,
  { action, pushes, chosen, query }: SelectedPushesPage,
): string {
  const { several } = page.messages.pushes;
  const back = pushListPath(query);
  const changing = action === 'expire' ? pushes : pushes.filter(({ extensionMs }) => extensionMs > 0);
  const { length } = changing;
  if (length === 0)
    return nothingPage(page, pushes.length === 0 ? several.none : several.extend.longest, back);
  const { title, lead, submit } = several[action];
  return confirmationPage(page, {
    current: 'pushes',
    title: title(length),
    lead: lead(length),
    action: '/pushes/selected',
    fields: { action, pushes: changing.map(toChosenText).join(), list: toQueryString(query) },
    submit: submit(length),
    isDangerous: action === 'expire',
    back,
    children: (
      <>
        <ul class="chosen">
          {changing.map((push) => (
            <li>
              <span>
                <PushTitle messages={page.messages} push={push} />
              </span>
              <span class="muted small">{detailOf(page, action, push)}</span>
            </li>
          ))}
        </ul>
        {chosen > length && <p class="muted">{several.leftOut(chosen - length)}</p>}
      </>
    ),
  });
}

function detailOf({ messages }: PageContext, action: SelectionAction, push: ListedPush): string {
  const { ends, views, several } = messages.pushes;
  const { viewsUsed, viewsMax, expiresAt, extensionMs, now } = push;
  if (action === 'expire') return views(viewsUsed, viewsMax);
  return several.extend.longer(ends(expiresAt - now), messages.duration(extensionMs));
}

/** Says why there is nothing to ask. */
function nothingPage(page: PageContext, text: string, back: string): string {
  const { pushes } = page.messages;
  return cardPage(page, {
    title: pushes.title,
    current: 'pushes',
    children: (
      <>
        <p>{text}</p>
        <p>
          <ButtonLink class="secondary" href={page.path(back)} text={pushes.several.back} />
        </p>
      </>
    ),
  });
}
