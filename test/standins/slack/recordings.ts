import type { Fields } from '../shared/json.ts';
import { holds } from '../shared/secrets.ts';

/** A call of the Web API, and its response; undefined where the request was not processed. */
type Call = {
  method: string;
  args: Fields;
  token: string | undefined;
  status: number | undefined;
  response: Fields | undefined;
  /** The name of the fault that it met. */
  fault: string | undefined;
  at: number;
};

/** What the app sent, whichever way. */
type Sent = { where: string; text: string };

export type Checks = {
  /** Plaintexts that must be in nothing that the app sent or logged. */
  secrets?: string[];
  logs?: string[];
};

/** Remembers all that the app sent, and what was wrong with it. */
export function createRecordings() {
  const calls: Call[] = [];
  const sent: Sent[] = [];
  let complaints: string[] = [];

  function leaksOf({ secrets = [], logs = [] }: Checks): string[] {
    const texts = [...sent, ...logs.map((text) => ({ where: 'a log line', text }))];
    return secrets.flatMap((secret, index) =>
      texts.filter(({ text }) => holds(text, secret)).map(({ where }) => `secret ${index} is in ${where}`),
    );
  }

  return {
    calls,
    sent,
    complain: (complaint: string) => void complaints.push(complaint),
    complaints: (): readonly string[] => complaints,
    /** Gives the complaints so far and forgets them: for a test that provokes some. */
    takeComplaints(): string[] {
      const taken = complaints;
      complaints = [];
      return taken;
    },
    /** Throws unless all was right. It never names a secret. */
    verify(checks: Checks = {}): void {
      const wrong = [...complaints, ...leaksOf(checks)];
      if (wrong.length > 0) throw new Error(`Slack has ${wrong.length} complaints:\n${wrong.join('\n')}`);
    },
  };
}
