import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../../../test/harness/debian.ts';
import { buildScanPaths, buildScanRequests, type ScanTarget } from './requests.ts';

/** One run of a tool, and how to read what it found. `output` is what it printed. */
export type ToolRun = {
  name: string;
  program: string;
  args: string[];
  findings(output: string): Promise<string[]>;
};

/** The names of the Debian packages, which are those of the programs. */
export const scanTools = ['ffuf', 'slowhttptest', 'sqlmap', 'wapiti'];

/** Runs one tool in a folder, and returns what it found. It is ended after a time that no run takes. */
export async function runTool({ name, program, args, findings }: ToolRun, folder: string): Promise<string[]> {
  const env = { ...process.env, HOME: folder };
  const output = await new Promise<string>((resolve) => {
    execFile(
      findProgram(program) ?? program,
      args,
      { cwd: folder, env, maxBuffer: 2 ** 28, timeout: 1_800_000 },
      (error, stdout, stderr) =>
        resolve(`${stdout}${stderr}${error?.killed ? '\nended by its time limit' : ''}`),
    );
  });
  await writeFile(join(folder, `${name.replaceAll(/\W+/g, '-')}.log`), output);
  const found = output.endsWith('ended by its time limit') ? ['ended by its time limit'] : [];
  const reported = await findings(output).catch(() => [`it wrote no report: ${output.trim().slice(-300)}`]);
  return [...found, ...reported];
}

/** All runs against a service, by tool. */
export async function buildRuns(target: ScanTarget, folder: string): Promise<ToolRun[]> {
  return [
    ...(await ffufRuns(target, folder)),
    ...wapitiRuns(target, folder),
    ...slowhttptestRuns(target),
    ...(await sqlmapRuns(target, folder)),
  ];
}

async function sqlmapRuns(target: ScanTarget, folder: string): Promise<ToolRun[]> {
  await mkdir(join(folder, 'requests'), { recursive: true });
  const runs = Object.entries(buildScanRequests(target)).map(async ([name, request], index) => {
    const file = join(folder, 'requests', `${index}.txt`);
    await writeFile(file, request.replaceAll('\n', '\r\n'));
    const options = `--batch --ignore-stdin --disable-coloring --flush-session --skip-waf --drop-set-cookie
      --ignore-code 401,403,404,409,422 --level 2 --risk 2 --technique BEUST --time-sec 3`;
    const args = ['-r', file, '--output-dir', join(folder, `sqlmap-${index}`), ...options.split(/\s+/)];
    return {
      name: `sqlmap: ${name}`,
      program: 'sqlmap',
      args,
      findings: async (output: string) => sqlmapFindings(output),
    };
  });
  return Promise.all(runs);
}

/** A run that attacked nothing is a finding as well. */
function sqlmapFindings(output: string): string[] {
  const places = output.match(/^Parameter: .*$/gm) ?? [];
  if (places.length > 0) return places;
  return /do(es)? not (appear|seem) to be injectable/.test(output)
    ? []
    : [output.trim().split('\n').slice(-3).join(' ')];
}

/** All but those that need the internet or an endpoint of their own, and those that guess from lists. */
const wapitiModules =
  'backup,blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss';

function wapitiRuns({ port, cookie, open }: ScanTarget, folder: string): ToolRun[] {
  const url = `http://127.0.0.1:${port}/`;
  const visitors = { 'signed in': ['-H', `Cookie: ${cookie}`], anonymous: [] };
  return Object.entries(visitors).map(([visitor, headers]) => {
    const report = join(folder, `wapiti-${visitor.replace(' ', '-')}.json`);
    const args = [
      '-u',
      url,
      '-s',
      `${url}p/${open}`,
      '-m',
      wapitiModules,
      '--scope',
      'folder',
      '--flush-session',
      '--no-bugreport',
    ];
    args.push('-H', 'Sec-Fetch-Site: same-origin', ...headers, '--endpoint', url, '--store-session', folder);
    args.push('--max-scan-time', '60', '--max-attack-time', '20', '-t', '30', '-f', 'json', '-o', report);
    return {
      name: `wapiti, ${visitor}`,
      program: 'wapiti',
      args,
      findings: async () => wapitiFindings(await readFile(report, 'utf8')),
    };
  });
}

/**
 * The service is attacked over plain HTTP, where neither secure cookies nor HSTS work. X-XSS-Protection is obsolete. The
 * form of a push has a nonce that is bound to a SameSite=Strict cookie, instead of a token.
 */
const mistaken =
  /X-XSS-Protection|Strict-Transport-Security|Secure flag is not set|POST \/p\/\w{26}: Lack of anti CSRF token/;

type WapitiReport = Record<
  'vulnerabilities' | 'anomalies',
  Record<string, { method: string; path: string; info: string }[]>
>;

function wapitiFindings(text: string): string[] {
  const { vulnerabilities, anomalies } = JSON.parse(text) as WapitiReport;
  return [vulnerabilities, anomalies]
    .flatMap((kinds) =>
      Object.entries(kinds).flatMap(([kind, found]) =>
        found.map(({ method, path, info }) => `${kind}: ${method} ${path}: ${info}`),
      ),
    )
    .filter((finding) => !mistaken.test(finding));
}

/** Anything but an error or a redirect is a finding, except for the routes that the list has on purpose. */
async function ffufRuns({ port, cookie, apiToken }: ScanTarget, folder: string): Promise<ToolRun[]> {
  const list = join(folder, 'paths.txt');
  await writeFile(list, `${[...new Set(buildScanPaths())].join('\n')}\n`);
  const visitors = {
    anonymous: [],
    'signed in': ['-H', `Cookie: ${cookie}`, '-H', 'Sec-Fetch-Site: same-origin'],
    'with a token': ['-H', `Authorization: Bearer ${apiToken}`],
  };
  const methods = ['GET', 'POST', 'DELETE'];
  return Object.entries(visitors).flatMap(([visitor, headers]) =>
    methods.map((method) => {
      const report = join(folder, `ffuf-${visitor.replaceAll(' ', '-')}-${method}.json`);
      const args = [
        '-w',
        list,
        '-u',
        `http://127.0.0.1:${port}/FUZZ`,
        '-X',
        method,
        ...headers,
        '-t',
        '8',
        '-s',
      ];
      args.push('-mc', '200-299,500-599', '-timeout', '30', '-o', report, '-of', 'json');
      return {
        name: `ffuf, ${visitor}, ${method}`,
        program: 'ffuf',
        args,
        findings: async () => ffufFindings(await readFile(report, 'utf8')),
      };
    }),
  );
}

const intended = /^\/?(p\/(active|expired)\.json|(sign-in|pushes)?\?.*|#|\/?)$/;

function ffufFindings(text: string): string[] {
  const { results } = JSON.parse(text) as {
    results: { input: { FUZZ: string }; status: number; length: number }[];
  };
  return results
    .map(({ input, status, length }) => ({ path: input.FUZZ, status, length }))
    .filter(({ path, status }) => status >= 500 || !intended.test(path))
    .map(({ path, status, length }) => `${status}, ${length} bytes: /${path.slice(0, 80)}`);
}

/**
 * Its own verdict counts for nothing: it asks from the address that it attacks from, and so shuts itself out. Whoever asks
 * from another address must be served.
 */
function slowhttptestRuns({ port }: ScanTarget): ToolRun[] {
  const url = `http://127.0.0.1:${port}`;
  const kinds: Record<string, string[]> = {
    'slow headers': ['-H', '-u', `${url}/`],
    'slow body': ['-B', '-u', `${url}/p.json`],
    'slow read': ['-X', '-k', '3', '-u', `${url}/api/v1/openapi.json`],
    ranges: ['-R', '-u', `${url}/`],
  };
  return Object.entries(kinds).map(([kind, flags]) => ({
    name: `slowhttptest, ${kind}`,
    program: 'slowhttptest',
    args: ['-c', '1000', '-r', '200', '-i', '3', '-l', '25', ...flags],
    findings: async (output) => (output.includes('Exit status') ? [] : ['it did not run']),
  }));
}
