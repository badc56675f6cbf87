import type { Appearance } from '../../../standins/shared/timeline.ts';

/** A heading, or what somebody read in a window, before the message with this number. */
export type Remark = { before: number; text: string };

/** What people read, in order, as a text to be read aloud. */
export function transcriptOf(timeline: Appearance[], remarks: Remark[]): string {
  const remarkLines = (at: number) => remarks.filter(({ before }) => before === at).map(({ text }) => text);
  return [
    ...timeline.flatMap((appearance, at) => [...remarkLines(at), appearanceText(appearance)]),
    ...remarkLines(timeline.length),
  ].join('\n');
}

export const heading = (title: string): string => `\n## ${title}\n`;

export const windowText = (reader: string, text: string): string => entry(`${reader}, in a window`, text);

function appearanceText(appearance: Appearance): string {
  const { how, readers, channel, text, buttons, banner } = appearance;
  if (how === 'deleted') return entry(`${whoReads(appearance)}: deleted`, text);
  const shown = [text, ...(buttons.length === 0 ? [] : [buttons.map((label) => `[${label}]`).join(' ')])];
  const isNotified = how === 'posted' && (readers.length === 0 || channel === 'direct message');
  const bell = isNotified && !text.startsWith(banner) ? [`🔔 ${banner}`] : [];
  return entry(whoReads(appearance), [...bell, ...shown].join('\n'));
}

function whoReads({ how, readers, channel, isReply }: Appearance): string {
  const isPrivateAnswer = readers.length === 1 && channel !== 'direct message';
  const who = readers.length === 0 ? `everybody, ${channel}` : `${readers.join(', ')}, ${channel}`;
  return [
    who,
    ...(isPrivateAnswer ? ['only they see it'] : []),
    ...(isReply ? ['in the thread'] : []),
    ...(how === 'edited' ? ['now reads'] : []),
  ].join(', ');
}

const entry = (head: string, text: string): string => `${head}:\n${text.replaceAll(/^/gm, '    ')}\n`;
