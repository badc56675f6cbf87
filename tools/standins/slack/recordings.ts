import type { Fields } from '../shared/json.ts';
import { holds } from '../shared/secrets.ts';

/** A call of the Web API with its response, which is undefined if the request was not processed. */
type Call = {
  method: string;
  args: Fields;
  token: string | undefined;
  status: number | undefined;
  response: Fields | undefined;
  /** The name of the fault that was injected. */
  fault: string | undefined;
  at: number;
};

/** What Slack sent to the app: events, commands and interactions, each by its type. */
type Delivered = { type: string; body: Fields };

/** What the app sent, by any route. */
type Sent = { where: string; text: string };

export type Checks = {
  /** Plaintexts that must not appear in anything that the app sent or logged. */
  secrets?: string[];
  logs?: string[];
};

/** Records everything that the app sent, and the complaints about it. */
export function createRecordings() {
  const calls: Call[] = [];
  const delivered: Delivered[] = [];
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
    delivered,
    sent,
    complain: (complaint: string) => void complaints.push(complaint),
    complaints: (): readonly string[] => complaints,
    /** Returns and clears the complaints, for a test that provokes some. */
    takeComplaints(): string[] {
      const collected = complaints;
      complaints = [];
      return collected;
    },
    /** Throws if there are complaints or leaked secrets. The error never contains a secret. */
    verify(checks: Checks = {}): void {
      const wrong = [...complaints, ...leaksOf(checks)];
      if (wrong.length > 0) throw new Error(`Slack has ${wrong.length} complaints:\n${wrong.join('\n')}`);
    },
  };
}
