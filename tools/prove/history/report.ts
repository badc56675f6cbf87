import type { CheckedHistory, Violation } from './checker.ts';

const pushesShownMax = 3;

/** One text for each push that broke a rule: its rules, and for the first few also its whole history in time order. */
export function describeViolations(violations: readonly Violation[], history: CheckedHistory): string[] {
  const byPush = new Map<number, string[]>();
  for (const { push, rule } of violations) byPush.set(push, [...(byPush.get(push) ?? []), rule]);
  return [...byPush].map(([push, broken], index) => {
    const title = `push ${push}: ${broken.slice(0, 5).join('; ')}${broken.length > 5 ? '; …' : ''}`;
    return index < pushesShownMax ? `${title}\n${historyOf(push, history).join('\n')}` : title;
  });
}

type Line = { at: number; text: string };

/** What happened to a push, and the faults meanwhile. */
function historyOf(
  number: number,
  { operations, faults, pushes, stored, received }: CheckedHistory,
): string[] {
  const own = operations.filter(({ push }) => push === number);
  const startedAt = Math.min(...own.map(({ startedAt }) => startedAt));
  const endedAt = Math.max(...own.map(({ endedAt }) => endedAt));
  const lines: Line[] = own.flatMap(({ agent, process, outcome, status, ...operation }) => {
    const result = [
      outcome,
      status > 0 ? status : (operation.error ?? 'no response'),
      operation.payload === undefined ? '' : 'with the payload',
    ].join(' ');
    return [
      { at: operation.startedAt, text: `→ ${agent} at ${process}` },
      { at: operation.endedAt, text: `← ${agent}: ${result}` },
    ];
  });
  for (const { id, type, viewsUsed, times, at } of received.get(number) ?? [])
    lines.push({ at, text: `◇ webhook: ${id} ${type}, view ${viewsUsed}, times ${times}` });
  for (const fault of faults) {
    if (fault.endedAt < startedAt || fault.startedAt > endedAt) continue;
    lines.push({ at: fault.startedAt, text: `! ${fault.name} begins` });
    lines.push({ at: fault.endedAt, text: `! ${fault.name} is over: ${fault.detail}` });
  }
  const push = pushes.find((one) => one.number === number);
  const { viewAgents = [], viewTimes: _, viewNumbers: __, notices = [], ...row } = stored.get(number) ?? {};
  const ordered = lines
    .sort((a, b) => a.at - b.at)
    .map(({ at, text }) => `  ${String(Math.round(at - startedAt)).padStart(7)} ms ${text}`);
  return [
    `  allowed: ${push?.viewsMax} views`,
    ...ordered,
    `  stored: ${JSON.stringify(row)}`,
    `  view rows: ${viewAgents.join(', ')}`,
    ...notices.map((notice) => `  notice: ${JSON.stringify(notice)}`),
  ];
}

/** How often each fault was caused, such as `kill-web 3, cut-clients 2`. */
export function countByName(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'none';
}
