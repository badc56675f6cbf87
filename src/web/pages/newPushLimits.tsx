import type { PushSettings } from '../../domain/index.ts';
import { TextField } from '../components/fields.tsx';
import { LifetimeSelect } from '../components/lifetimeSelect.tsx';
import { type LifetimeChoice, lifetimeChoices } from '../lifetimes.ts';
import type { Draft } from '../newPushForm.ts';
import type { PageContext } from '../pageContext.ts';

type LimitFieldsProps = {
  page: PageContext;
  draft: Draft;
  settings: PushSettings;
  problems: Record<string, string>;
};

/** Limits that fit most secrets. Those that the settings do not allow are left out. */
const limitPresets = [
  { views: 1, lifetime: '1h' },
  { views: 1, lifetime: '7d' },
  { views: 5, lifetime: '7d' },
];

/** How long and how often a push opens. */
export function LimitFields({ page, draft, settings, problems }: LimitFieldsProps) {
  const { newPush } = page.messages;
  const { min, max } = settings.bounds.expireAfterViews;
  const days = problems.expireAfterDays ?? problems.expireAfterHours ?? problems.expireAfterMinutes;
  const lifetimes = lifetimeChoices(settings);
  const presets = limitPresets.flatMap((preset) => {
    const lifetime = lifetimes.find(({ value }) => value === preset.lifetime);
    return lifetime === undefined || preset.views < min || preset.views > max
      ? []
      : [{ ...preset, lifetime }];
  });
  return (
    <fieldset class="limits">
      <legend>{newPush.limits}</legend>
      <div class="row chips js-only">
        {presets.map(({ views, lifetime: { value, amount, unit } }) => (
          <button
            type="button"
            class="chip-button"
            aria-pressed={value === draft.lifetime && String(views) === draft.views}
            data-preset-lifetime={value}
            data-preset-views={views}
          >
            {newPush.preset(views, page.messages.amount(amount, unit))}
          </button>
        ))}
      </div>
      <div class="columns">
        <LifetimeSelect
          page={page}
          lifetimes={lifetimes}
          label={newPush.expires}
          value={draft.lifetime}
          problem={days}
        />
        <TextField
          name="views"
          label={newPush.views}
          type="number"
          inputMode="numeric"
          min={min}
          max={max}
          required
          value={draft.views}
          problem={problems.expireAfterViews}
        />
      </div>
      <Summary page={page} draft={draft} lifetimes={lifetimes} />
    </fieldset>
  );
}

type SummaryProps = Pick<LimitFieldsProps, 'page' | 'draft'> & { lifetimes: LifetimeChoice[] };

/** What both limits mean, in a sentence. newPush.js keeps it true; it is there before, so that nothing moves. */
function Summary({ page: { messages }, draft, lifetimes }: SummaryProps) {
  const { summaryOnce, summaryMany } = messages.newPush;
  const lifetime = lifetimes.find(({ value }) => value === draft.lifetime);
  const time = lifetime === undefined ? '' : messages.amount(lifetime.amount, lifetime.unit);
  return (
    <p
      id="limits-summary"
      class="hint js-only"
      role="status"
      data-once={summaryOnce('{time}')}
      data-many={summaryMany('{views}', '{time}')}
    >
      {draft.views === '1' ? summaryOnce(time) : summaryMany(draft.views, time)}
    </p>
  );
}
