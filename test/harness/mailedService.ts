import { createClient } from './api.ts';
import { type Reply, startMailServer } from './mailServer.ts';
import { startService } from './service.ts';

export type MailedService = Awaited<ReturnType<typeof startMailedService>>;

/** Starts a service whose mails go to a mail server of its own. */
export async function startMailedService(environment: Record<string, string> = {}) {
  let answer: Reply | undefined;
  const server = await startMailServer({ to: () => answer });
  const service = await startService({ ...server.settings, MAIL_RATE: '100000', ...environment });
  const api = createClient(service.port);
  return {
    ...service,
    api,
    /** What the mail server took. */
    mails: server.mails,
    mailSettings: server.settings,
    /** What the mail server answers to recipients from now on; undefined takes all. */
    answerMails(reply: Reply | undefined): void {
      answer = reply;
    },
    /** The mails that leave now. */
    async delivered() {
      await service.deliver();
      return server.mails.splice(0);
    },
    mailsTo: (address: string) => server.mails.filter(({ envelope }) => envelope.to.includes(address)),
    /** Lets the mail server take all again, and forget what it took. */
    forgetMails(): void {
      answer = undefined;
      server.mails.length = 0;
    },
    async stop(): Promise<void> {
      api.close();
      await service.stop();
      await server.stop();
    },
  };
}
