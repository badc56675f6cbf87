import type { NodemailerError } from 'nodemailer';
import type { MailSettings } from '../config.ts';
import { withinTime } from '../retry.ts';
import { attemptMsMax, connectionOptions, type MailOptions } from './connection.ts';
import { isAboutTls, reasonOf, senderCheck } from './results.ts';

/** A step of a check, each of which needs those before it, and why it did not work. */
export type FailedMailCheck = { step: 'connection' | 'tls' | 'credentials' | 'sender'; reason: string };

/** Connects to the mail server, signs in and names the sender, and sends nothing. Undefined if all of it works. Does not fail. */
export async function checkMailServer(
  { server, from }: Pick<MailSettings, 'server' | 'from'>,
  { attemptMs = attemptMsMax, ...options }: MailOptions = {},
): Promise<FailedMailCheck | undefined> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const connection = new SMTPConnection({
    ...connectionOptions(server, options),
    customAuth: { [senderCheck]: ({ sendCommand }) => nameSender(sendCommand, from.address) },
  });
  let step: FailedMailCheck['step'] = 'connection';

  /** Errors of the socket are events, and those of commands go to their callbacks. */
  const run = (start: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      connection.once('error', reject);
      start((error) => (error ? reject(error) : resolve()));
    });

  async function runAll(): Promise<void> {
    await run((done) => connection.connect(done));
    step = 'credentials';
    const { user, password: pass } = server.credentials ?? {};
    if (user !== undefined)
      await run((done) => connection.login({ user, ...(pass !== undefined && { pass }) }, done));
    step = 'sender';
    await run((done) => connection.login({ method: senderCheck }, done));
  }

  try {
    const isInTime = (await withinTime(runAll(), attemptMs)) !== undefined;
    return isInTime ? undefined : { step, reason: 'your mail server did not answer in time' };
  } catch (error) {
    const { failed, reason } = describe(error as NodemailerError);
    return { step: failed ?? step, reason };
  } finally {
    connection.close();
  }
}

const describe = (error: NodemailerError) => ({
  failed: isAboutTls(error) ? ('tls' as const) : undefined,
  reason: reasonOf(error),
});

type SendCommand = (command: string) => Promise<{ status: number }>;

/** Names the sender and takes it back. Some servers let anybody pass here, and refuse the sender with the first recipient. */
async function nameSender(sendCommand: SendCommand, address: string): Promise<void> {
  const { status } = await sendCommand(`MAIL FROM:<${address}>`);
  if (status !== 250) throw new Error('the sender is refused');
  await sendCommand('RSET');
}
