import {
  type FormDefaults,
  type NoticePreferences,
  type NoticeSwitch,
  noticeSwitches,
  viewedOptions,
} from '../../domain/index.ts';
import type { Option } from '../form.ts';
import type { ChatMessages } from '../messages.ts';

/** The largest numbers that may be chosen. */
export type FormBounds = Pick<FormDefaults, 'maxViews' | 'maxDays'>;

/** The default numbers, and the largest allowed ones. */
export type SettingBounds = FormBounds & Pick<FormDefaults, 'views' | 'viewsForOne' | 'days'>;

/** What applies where no number of views is chosen. */
export function usualViewsLabel(
  { units, forms }: ChatMessages,
  { views, viewsForOne }: Pick<SettingBounds, 'views' | 'viewsForOne'>,
): string {
  return views === viewsForOne
    ? forms.byDefault(units.views(views))
    : forms.push.viewsByDefault(units.views(viewsForOne), units.views(views));
}

const viewNumbers = [1, 2, 3, 5, 10, 25, 100];
const dayNumbers = [1, 2, 3, 7, 14, 30, 60, 90];

/** The numbers of a list up to a bound, with the current one among them. */
function upTo(numbers: number[], max: number, current: number | undefined): number[] {
  const always = current ?? Math.min(max, 1);
  return [...new Set([...numbers.filter((each) => each <= max), always])].sort((a, b) => a - b);
}

export function viewOptions(messages: ChatMessages, { maxViews }: FormBounds, current?: number): Option[] {
  return upTo(viewNumbers, maxViews, current).map((each) => ({
    label: messages.units.views(each),
    value: String(each),
  }));
}

export function dayOptions(messages: ChatMessages, { maxDays }: FormBounds, current?: number): Option[] {
  return upTo(dayNumbers, maxDays, current).map((each) => ({
    label: messages.units.days(each),
    value: String(each),
  }));
}

/** How long a push may live, as a count with its unit (`7d`). */
export function lifetimeOptions(messages: ChatMessages, bounds: FormBounds, days: number): Option[] {
  const { minutes, hours } = messages.units;
  const short = [
    { label: minutes(10), value: '10m' },
    { label: hours(1), value: '1h' },
    { label: hours(8), value: '8h' },
  ];
  const long = dayOptions(messages, bounds, days).map(({ label, value }) => ({ label, value: `${value}d` }));
  return [...short, ...long];
}

export const noticeOptions = (labels: Record<NoticeSwitch, string>): Option[] =>
  noticeSwitches.map((kind) => ({ label: labels[kind], value: kind }));

export const enabledNotices = (preferences: NoticePreferences): NoticeSwitch[] =>
  noticeSwitches.filter((kind) => preferences[kind]);

export function toNoticePreferences(viewed: string | undefined, enabled: string[]): NoticePreferences {
  const switches = noticeSwitches.map((kind) => [kind, enabled.includes(kind)]);
  return {
    viewed: viewedOptions.find((each) => each === viewed) ?? 'every',
    ...(Object.fromEntries(switches) as Record<NoticeSwitch, boolean>),
  };
}
