import type { PushSettings } from '../../domain/index.ts';
import { TextField } from '../components/fields.tsx';
import { LifetimeSelect } from '../components/lifetimeSelect.tsx';
import { lifetimeChoices } from '../lifetimes.ts';
import type { PageContext } from '../pageContext.ts';
import type { Draft } from './draft.ts';

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
            aria-pressed="false"
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
          settings={settings}
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
      <p
        id="limits-summary"
        class="hint js-only"
        role="status"
        data-once={newPush.summaryOnce('{time}')}
        data-many={newPush.summaryMany('{views}', '{time}')}
      />
    </fieldset>
  );
}
