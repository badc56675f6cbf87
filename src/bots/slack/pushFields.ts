import type { Option } from '../form.ts';
import type { PushFieldName } from '../forms/pushFields.ts';

/** A message to push, with its files. */
export type PushedMessage = { text: string; files: Option[] };

type Possibilities = { canFetch: boolean; hasGroups: boolean };

/** The fields of a push that every form has. `canFetch` says whether files can be pushed from Slack. */
export function pushFieldsOf(
  message: PushedMessage | undefined,
  { canFetch, hasGroups }: Possibilities,
): PushFieldName[] {
  const { text = '', files = [] } = message ?? {};
  const filesOfMessage: PushFieldName[] = canFetch ? ['messageFiles'] : ['messageFilesHint'];
  return [
    'payload',
    ...(files.length > 0 ? filesOfMessage : []),
    ...(canFetch ? (['files'] as const) : []),
    ...(text === '' || files.length > 0 ? (['compose'] as const) : []),
    'recipients',
    ...(hasGroups ? (['groups'] as const) : []),
    'expireAfterDays',
  ];
}
