import { type Account, type Domain, SecondFactorRequired } from '../../../src/domain/index.ts';
import { type ApiResponse, type Client, sendRaw } from '../../../test/harness/api.ts';
import { createForms } from '../../../test/harness/forms.ts';
import { password } from '../../../test/harness/pages.ts';
import { addPasskey, openDevice } from '../../../test/harness/passkeyDevice.ts';
import { refusalOf } from '../../../test/harness/refusal.ts';
import { byPassword, someClient } from '../../../test/harness/service.ts';
import { holderOf } from '../../../test/harness/signedIn.ts';
import type { StallProbe } from '../../../test/harness/stallProbe.ts';
import type { Random } from '../history/random.ts';
import { buildRequest, type FuzzFixture, parserClasses } from './requests.ts';

/** A running service. */
export type FuzzTarget = FuzzFixture & { port: number; probe: StallProbe };

export type FuzzReport = { requests: number; statuses: Record<number, number>; failures: string[] };

const batchSize = 20;

/**
 * Sends hostile requests of each class in turn, over a socket for each, until `isOver`. Reports every stall, every response
 * of 500 or more, and every error that is neither JSON nor a page. Status 0 stands for a connection that was closed without
 * a response, as a request that was cut short may be.
 */
export async function attack(
  target: FuzzTarget,
  random: Random,
  isOver: (requests: number) => boolean,
): Promise<FuzzReport> {
  const report: FuzzReport = { requests: 0, statuses: {}, failures: [] };
  for (let turn = 0; !isOver(report.requests); turn++) {
    const parserClass = parserClasses[turn % parserClasses.length] ?? 'JSON';
    const batch = Array.from({ length: batchSize }, () => buildRequest(parserClass, random, target));
    const sendBatch = async () => {
      for (const bytes of batch) await sendOne(target.port, bytes, report);
    };
    await target.probe.requireNoStall(`batch ${turn}, ${parserClass}`, sendBatch).catch((error: unknown) => {
      report.failures.push(error instanceof Error ? error.message : String(error));
    });
  }
  return report;
}

async function sendOne(port: number, bytes: Buffer, report: FuzzReport): Promise<void> {
  const response = await sendRaw(port, bytes, { closesAfterSending: true }).catch(() => undefined);
  const status = response?.status ?? 0;
  report.requests += 1;
  report.statuses[status] = (report.statuses[status] ?? 0) + 1;
  if (response === undefined || (status < 500 && !isUnexplained(response))) return;
  const start = JSON.stringify(bytes.subarray(0, 300).toString('latin1'));
  report.failures.push(`${status} ${response.text.slice(0, 100)}\n  for ${start}`);
}

/** Whether an error says nothing. A response to HEAD has no content. */
function isUnexplained({ status, headers, bytes, body }: ApiResponse): boolean {
  const isPage = headers['content-type']?.startsWith('text/html') === true;
  return status >= 400 && bytes.length > 0 && !isPage && typeof body.error !== 'string';
}

/** Signs a browser in that has a passkey, for the forms of its settings. Browsers must know passkeys at `site`. */
export async function signIn(
  domain: Domain,
  account: Account,
  client: Client,
  site: string,
): Promise<Pick<FuzzFixture, 'signedIn' | 'passkeys'>> {
  const session = await domain.sessions.create(account, someClient, byPassword);
  const holder = await holderOf(domain, session);
  const device = openDevice(site);
  await addPasskey(domain, holder, device);
  const created = await domain.factors.beginPasskey(await holderOf(domain, session));
  const asked = await domain.passkeys.optionsOf();
  const form = await createForms(domain, client).loadForm('/account/tokens', {
    cookie: `hushpush-session=${session}; hushpush-second-factor=${await beginSecondStep(domain, site)}`,
  });
  return {
    signedIn: { cookie: form.headers.cookie ?? '', csrf: form.fields.csrf ?? '' },
    passkeys: {
      created: openDevice(site).create(created, await domain.passkeys.challenge(session)),
      answered: device.get(asked, await domain.passkeys.challenge(session)),
    },
  };
}

/** Somebody with a second factor, who has entered their password. */
async function beginSecondStep(domain: Domain, site: string): Promise<string> {
  const email = 'second.step@example.com';
  const account = await domain.accounts.create({ email, password });
  const session = await domain.sessions.create(account, someClient, byPassword);
  await addPasskey(domain, await holderOf(domain, session), openDevice(site));
  const refused = await refusalOf(domain.signIn.signIn({ email, password }, someClient));
  if (refused instanceof SecondFactorRequired) return refused.step;
  throw refused;
}
