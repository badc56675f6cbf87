import type { PushSettings } from '../../domain/index.ts';
import { Select } from '../components/choices.tsx';
import { LifetimeSelect } from '../components/lifetimeSelect.tsx';
import { lifetimeChoices } from '../lifetimes.ts';
import type { Draft } from '../newPushForm.ts';
import type { PageContext } from '../pageContext.ts';

type LimitFieldsProps = {
  page: PageContext;
  draft: Draft;
  settings: PushSettings;
  problems: Record<string, string>;
};

/** As often as people want links to open, and whatever else is set. */
const commonViews = [1, 2, 3, 5, 10, 20, 50, 100];

/** How often and how long a link opens, in a sentence with two choices. */
export function LimitFields({ page, draft, settings, problems }: LimitFieldsProps) {
  const { newPush, pushCreated } = page.messages;
  const { min, max } = settings.bounds.expireAfterViews;
  const views = new Set([...commonViews, settings.defaults.expireAfterViews, Number(draft.views), max]);
  const offered = [...views].filter((each) => Number.isInteger(each) && each >= min && each <= max);
  return (
    <div class="sentence">
      <Select
        name="views"
        label={newPush.opens}
        options={offered
          .sort((a, b) => a - b)
          .map((each) => ({ value: String(each), text: pushCreated.opens(each) }))}
        value={draft.views}
        problem={problems.expireAfterViews}
      />
      <LifetimeSelect
        page={page}
        lifetimes={lifetimeChoices(settings)}
        label={newPush.ends}
        value={draft.lifetime}
        problem={problems.expireAfterDays ?? problems.expireAfterHours ?? problems.expireAfterMinutes}
      />
    </div>
  );
}
