import type { PushForm } from '../../domain/index.ts';
import { type FormValues, listIn, numberIn, textIn } from '../form.ts';
import { toNoticePreferences } from './options.ts';

/** The push that was filled in, and the addresses of its recipients. */
export function readPushForm(values: FormValues): { form: PushForm; recipients: string[] } {
  const [rights, enabled] = [listIn(values, 'rights'), listIn(values, 'notify')];
  const viewed = (['first', 'every'] as const).find((choice) => enabled?.includes(choice)) ?? 'none';
  return {
    form: {
      payload: textIn(values, 'payload') ?? '',
      emails: textIn(values, 'emails'),
      expireAfterViews: numberIn(values, 'expireAfterViews'),
      ...lifetimeIn(textIn(values, 'expireAfterDays')),
      passphrase: textIn(values, 'passphrase'),
      name: textIn(values, 'name'),
      note: textIn(values, 'note'),
      isBound: rights?.includes('bound'),
      deletableByViewer: rights?.includes('deletable'),
      notify: enabled && toNoticePreferences(viewed, enabled),
    },
    recipients: listIn(values, 'recipients') ?? [],
  };
}

function lifetimeIn(lifetime = ''): Partial<PushForm> {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(lifetime) ?? [];
  const field = { m: 'expireAfterMinutes', h: 'expireAfterHours', d: 'expireAfterDays' }[unit ?? ''];
  return field === undefined ? {} : { [field]: Number(count) };
}
