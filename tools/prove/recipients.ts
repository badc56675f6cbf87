import { isDeepStrictEqual } from 'node:util';
import { type Accident, accidents, accidentsToLinks, sufferAccident } from '../../test/browser/accidents.ts';
import { drivenBrowsers, imitators, programs } from '../../test/browser/linkVisitors.ts';
import { byMail, mailGateways } from '../../test/browser/mailVisitors.ts';
import {
  costOf,
  costOfMail,
  costOfRequest,
  limitsOfPassphrases,
  noAnswer,
  nothing,
  nothingOfMail,
} from '../../test/browser/visits.ts';
import { launchBrowser } from '../../test/harness/browser.ts';
import { startMailServer } from '../../test/harness/mailServer.ts';
import { openSite, type Site } from '../../test/harness/site.ts';
import { markdownTable } from '../bench/report.ts';
import type { Experiment } from './experiment.ts';
import { openTestedDatabase } from './history/databases.ts';

const scanners = { ...programs, ...drivenBrowsers };

/** Lets visitors meet a link before its recipient does, and then lets accidents happen. The service runs in this process. */
export const recipients: Experiment = {
  claim:
    'no scanner costs a view, an attempt or a notice, answers a request, or locks anybody out; no accident costs the secret',
  async run({ database, only }) {
    const tested = await openTestedDatabase(database);
    const server = await startMailServer();
    const settings = { ...limitsOfPassphrases, ...server.settings, DATABASE_URL: tested.urls[0] ?? '' };
    const site = await openSite(await launchBrowser(), settings);
    try {
      const parts: Record<string, () => Promise<string[]>> = {
        links: () => letVisit(site),
        requests: () => letAnswer(site),
        mails: () => letMeetMails(site, server),
        accidents: () => letHappen(site, accidents),
        mistyped: () => letHappen(site, accidentsToLinks),
      };
      const failures: string[] = [];
      for (const [name, part] of Object.entries(parts))
        if (only === undefined || name === only) failures.push(...(await part()));
      const visitors = Object.keys({ ...scanners, ...imitators, ...mailGateways }).length;
      const figures = { visitors, accidents: accidents.length, links: accidentsToLinks.length };
      return { figures, failures };
    } finally {
      await site.stop();
      await server.stop();
      await tested.close();
    }
  },
};

/** Prints what each visitor costs, and returns the scanners that cost something. */
async function letVisit(site: Site): Promise<string[]> {
  const rows: Record<string, string | number>[] = [];
  const failures: string[] = [];
  for (const [visitor, visit] of Object.entries({ ...scanners, ...imitators }))
    for (const passphrase of [undefined, 'open sesame']) {
      const cost = await costOf(site, visit, { passphrase });
      const push = passphrase === undefined ? 'open' : 'with a passphrase';
      rows.push({ visitor, push, ...cost });
      if (visitor in scanners && !isDeepStrictEqual(cost, nothing))
        failures.push(`${visitor}, a push ${push}: ${JSON.stringify(cost)}`);
    }
  console.log(`${markdownTable(rows)}\n`);
  return failures;
}

/** The same for the pages of request links, on which visitors could send something. */
async function letAnswer(site: Site): Promise<string[]> {
  const rows: Record<string, string | number>[] = [];
  const failures: string[] = [];
  const kinds = {
    'text or files': {},
    text: { accepts: 'text' },
    'with a passphrase': { passphrase: 'open sesame' },
  } as const;
  for (const [visitor, visit] of Object.entries({ ...scanners, ...imitators }))
    for (const [request, input] of Object.entries(kinds)) {
      const cost = await costOfRequest(site, visit, input);
      rows.push({ visitor, request, ...cost });
      if (visitor in scanners && !isDeepStrictEqual(cost, noAnswer))
        failures.push(`${visitor}, a request ${request}: ${JSON.stringify(cost)}`);
    }
  console.log(`${markdownTable(rows)}\n`);
  return failures;
}

/** The same for a mail with a link that opens with a code. Those who act like people get a code sent, and cannot read it. */
async function letMeetMails(
  site: Site,
  server: Awaited<ReturnType<typeof startMailServer>>,
): Promise<string[]> {
  const rows: Record<string, string | number>[] = [];
  const failures: string[] = [];
  const followers = Object.entries({ ...scanners, ...imitators }).map(
    ([visitor, visit]) => [visitor, byMail(visit)] as const,
  );
  for (const [visitor, visit] of [...followers, ...Object.entries(mailGateways)]) {
    const cost = await costOfMail(site, server, visit);
    rows.push({ visitor, ...cost });
    const allowed = visitor in imitators ? { ...nothingOfMail, codes: cost.codes } : nothingOfMail;
    if (!isDeepStrictEqual(cost, allowed)) failures.push(`${visitor}, a mail: ${JSON.stringify(cost)}`);
  }
  console.log(`${markdownTable(rows)}\n`);
  return failures;
}

/** Prints what people see after each accident, and returns what they should not see. */
async function letHappen(site: Site, accidents: Accident[]): Promise<string[]> {
  const rows: Record<string, string | number>[] = [];
  const failures: string[] = [];
  for (const accident of accidents) {
    const { views, sees } = await sufferAccident(site, accident);
    rows.push({ accident: accident.name, 'views used': views, 'the person sees': sees });
    if (views !== 1 || sees !== accident.sees) failures.push(`${accident.name}: ${views} views, ${sees}`);
  }
  console.log(`${markdownTable(rows)}\n`);
  return failures;
}
