import type { Fields } from '../../shared/json.ts';
import { describeFault, type Fault, formError } from '../schema/fault.ts';

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json-json-error-codes */
const codes: Record<number, [status: number, message: string]> = {
  0: [401, '401: Unauthorized'],
  10002: [404, 'Unknown Application'],
  10003: [404, 'Unknown Channel'],
  10004: [404, 'Unknown Guild'],
  10007: [404, 'Unknown Member'],
  10008: [404, 'Unknown Message'],
  10013: [404, 'Unknown User'],
  10015: [404, 'Unknown Webhook'],
  10062: [404, 'Unknown interaction'],
  20012: [403, 'You are not authorized to perform this action on this application'],
  40001: [401, 'Unauthorized'],
  40005: [413, 'Request entity too large'],
  40060: [400, 'Interaction has already been acknowledged.'],
  40094: [400, 'This interaction has hit the maximum number of follow up messages'],
  50001: [403, 'Missing Access'],
  50005: [403, 'Cannot edit a message authored by another user'],
  50006: [400, 'Cannot send an empty message'],
  50007: [403, 'Cannot send messages to this user'],
  50027: [401, 'Invalid Webhook Token'],
  50033: [400, 'Invalid Recipient(s)'],
  50035: [400, 'Invalid Form Body'],
  50109: [400, 'The request body contains invalid JSON.'],
  50278: [403, 'Cannot send messages to this user due to having no mutual guilds'],
};

export function errorOf(code: number): { status: number; body: Fields } {
  const [status, message] = codes[code] ?? [400, `Error ${code}`];
  return { status, body: { message, code } };
}

/** A refusal in Discord's words. A `complaint` marks the request as the app's mistake. */
export class Refused extends Error {
  readonly status: number;
  readonly body: Fields;
  readonly complaint: string | undefined;

  constructor(code: number, complaint?: string) {
    const { status, body } = errorOf(code);
    super(String(body.message));
    this.status = status;
    this.body = body;
    this.complaint = complaint;
  }
}

/** A refusal of a body with all of its faults. */
export class Invalid extends Refused {
  override readonly body: Fields;

  constructor(where: string, faults: Fault[]) {
    super(50035, `${where}: ${faults.map(describeFault).join('; ')}`);
    this.body = formError(faults);
  }
}
