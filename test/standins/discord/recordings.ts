import { holds } from '../shared/secrets.ts';

/** A call of the HTTP API, and its response; undefined where the request was not processed. */
export type Call = {
  /** What Discord's own OpenAPI document calls it, such as `create_message`. */
  operation: string;
  method: string;
  path: string;
  body: unknown;
  /** The names of the files that came with it. */
  files: string[];
  status: number | undefined;
  response: unknown;
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
  /** Whether messages must not show previews of links, nor be able to mention anybody. */
  quiet?: boolean;
  /** Whether every deferred response must have been completed. */
  complete?: boolean;
};

/** Remembers all that the app sent, and what was wrong with it. */
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
    /** Gives the complaints so far and forgets them: for a test that provokes some. */
    takeComplaints(): string[] {
      const taken = complaints;
      complaints = [];
      return taken;
    },
    /** Throws unless all was right. It never names a secret. */
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
