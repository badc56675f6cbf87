import { holds } from '../shared/secrets.ts';

/** A call of the HTTP API with its response, which is undefined if the request was not processed. */
export type Call = {
  /** Its name in Discord's OpenAPI document, such as `create_message`. */
  operation: string;
  method: string;
  path: string;
  body: unknown;
  /** The names of the uploaded files. */
  files: string[];
  status: number | undefined;
  response: unknown;
  /** The name of the fault that was injected. */
  fault: string | undefined;
  at: number;
};

/** What the app sent, by any route. */
type Sent = { where: string; text: string };

export type Checks = {
  /** Plaintexts that must not appear in anything that the app sent or logged. */
  secrets?: string[];
  logs?: string[];
  /** Whether messages must neither show link previews nor mention anybody. */
  quiet?: boolean;
  /** Whether every deferred response must be complete. */
  complete?: boolean;
};

/** Records everything that the app sent, and the complaints about it. */
export function createRecordings() {
  const calls: Call[] = [];
  const sent: Sent[] = [];
  const noises: string[] = [];
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
    noises,
    complain: (complaint: string) => void complaints.push(complaint),
    complaints: (): readonly string[] => complaints,
    /** Returns and clears the complaints, for a test that provokes some. */
    takeComplaints(): string[] {
      const collected = complaints;
      complaints = [];
      return collected;
    },
    /** Throws if there are complaints or leaked secrets. The error never contains a secret. */
    verify(checks: Checks = {}, incomplete: string[] = []): void {
      const wrong = [
        ...complaints,
        ...(checks.complete ? incomplete : []),
        ...(checks.quiet ? noises : []),
        ...leaksOf(checks),
      ];
      if (wrong.length > 0) throw new Error(`Discord has ${wrong.length} complaints:\n${wrong.join('\n')}`);
    },
  };
}
