import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findProgram, installPackages, mayInstall } from '../../../test/harness/debian.ts';
import { createLifeline } from '../../../test/harness/lifeline.ts';
import { freePort } from '../../../test/harness/mariadb.ts';
import { until } from '../../../test/harness/until.ts';

/** Addresses of this domain are forwarded to the mailbox. */
export const forwardedDomain = 'acme.example';

const master = '/usr/lib/postfix/sbin/master';
/** The account `nobody` of Debian, to which the mailbox belongs. */
const nobody = 65_534;

export type Postfix = Awaited<ReturnType<typeof preparePostfix>>;

/** Installs Postfix where it is missing and may be installed. Throws an error that says what to do. */
async function ensurePostfix(): Promise<void> {
  if (findProgram('postfix', ['/usr/sbin']) === undefined && mayInstall) await installPackages(['postfix']);
  if (findProgram('postfix', ['/usr/sbin']) === undefined)
    throw new Error('run apt-get install postfix first');
  if (process.getuid?.() !== 0) throw new Error('only root can start Postfix');
}

/**
 * Postfix on a free loopback port, with a configuration, a queue and a mailbox of its own: that of the system is left alone,
 * and nothing leaves the machine. It is not running yet. It is killed when this process ends, even by SIGKILL.
 */
export async function preparePostfix() {
  await ensurePostfix();
  // Postfix drops its rights, so it needs a folder whose parents everybody may enter.
  const folder = await mkdtemp('/tmp/postfix-');
  const lifeline = createLifeline(folder);
  const port = await freePort();
  const [mailbox, queue] = [join(folder, 'mailboxes', 'all'), join(folder, 'queue')];
  await writeConfiguration(folder, port);
  let isRunning = false;
  let pid = 0;

  async function start(): Promise<void> {
    const child = spawn(master, ['-c', folder, '-s'], { detached: true, stdio: 'ignore' });
    await once(child, 'spawn');
    pid = Number(child.pid);
    lifeline.hold(-pid);
    isRunning = true;
    child.once('exit', () => {
      isRunning = false;
    });
    await until(() => greets(port).then((greets) => greets || !isRunning));
    if (!isRunning) throw new Error(`Postfix did not start:\n${await log()}`);
  }

  const log = () => readFile(join(folder, 'log'), 'utf8');

  /** Kills all its processes at once with SIGKILL. */
  async function kill9(): Promise<void> {
    process.kill(-pid, 'SIGKILL');
    await until(() => !isRunning);
  }

  return {
    port,
    start,
    kill9,
    /** What it has logged. */
    log,
    /** The files of its queue: mails that it is taking, or has taken and not put into the mailbox yet. */
    queued: () => filesIn(queue, queues),
    /** Whether all mails that it has taken are in the mailbox. Those that it was killed over are not executable. */
    isIdle: async () => (await filesIn(queue, queues, 0o100)).length === 0,
    /** The mails in the mailbox. */
    mails: () => filesIn(mailbox, ['new']),
    stop: lifeline.cut,
  };
}

const queues = ['maildrop', 'incoming', 'active', 'deferred', 'hold'];

/** The files that have these bits in their mode. */
async function filesIn(folder: string, parts: string[], mode = 0): Promise<Buffer[]> {
  const files: Buffer[] = [];
  for (const part of parts) {
    const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    for (const entry of entries.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      const file = await readFile(path).catch(() => undefined); // it may just go on
      const stats = await stat(path).catch(() => undefined);
      if (file !== undefined && ((stats?.mode ?? mode) & mode) === mode) files.push(file);
    }
  }
  return files;
}

/** Whether a mail server greets. */
async function greets(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    const [text] = await once(socket, 'data', { signal: AbortSignal.timeout(1_000) });
    return String(text).startsWith('220');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function writeConfiguration(folder: string, port: number): Promise<void> {
  execFileSync('chmod', ['755', folder]);
  for (const name of ['queue', 'data', 'mailboxes']) await mkdir(join(folder, name));
  await chown(join(folder, 'mailboxes'), nobody, nobody);
  execFileSync('chown', ['postfix', join(folder, 'data')]);
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(folder, 'queue'),
    data_directory: join(folder, 'data'),
    maillog_file_prefixes: folder,
    maillog_file: join(folder, 'log'),
    myhostname: 'mail.test',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    mynetworks: '127.0.0.0/8',
    mydestination: '',
    alias_maps: '',
    // forwards to one mailbox, and sends nothing anywhere else
    virtual_alias_domains: forwardedDomain,
    virtual_alias_maps: `regexp:${join(folder, 'forward')}`,
    virtual_mailbox_domains: 'mailbox.example',
    virtual_mailbox_maps: 'static:all/',
    virtual_mailbox_base: join(folder, 'mailboxes'),
    virtual_mailbox_limit: '0',
    virtual_minimum_uid: '100',
    virtual_uid_maps: `static:${nobody}`,
    virtual_gid_maps: `static:${nobody}`,
    default_transport: 'error:nothing leaves this machine',
    relay_transport: 'error:nothing leaves this machine',
    notify_classes: '',
    // its ids sort by the time when it began to take a mail
    enable_long_queue_ids: 'yes',
    in_flow_delay: '0',
    queue_run_delay: '5s',
    minimal_backoff_time: '5s',
    smtpd_client_connection_count_limit: '0',
    smtpd_client_connection_rate_limit: '0',
    smtpd_peername_lookup: 'no',
    smtputf8_enable: 'yes',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  await writeFile(join(folder, 'main.cf'), `${lines.join('\n')}\n`);
  await writeFile(
    join(folder, 'forward'),
    `/^(.*)@${forwardedDomain.replace('.', '\\.')}$/ $1@mailbox.example\n`,
  );
  await writeFile(join(folder, 'master.cf'), `${servicesOf(port).join('\n')}\n`);
  // `postfix check` would wait for the logging of a Postfix that does not run yet
  execFileSync('/usr/sbin/postfix', ['-c', folder, 'post-install', 'create-missing']);
}

/** service, type, private, unprivileged, chroot, wakeup, processes, command */
const servicesOf = (port: number) => [
  `127.0.0.1:${port} inet n - n - 50 smtpd`,
  'postlog unix-dgram n - n - 1 postlogd',
  'cleanup unix n - n - 0 cleanup',
  'qmgr unix n - n 5 1 qmgr',
  'rewrite unix - - n - - trivial-rewrite',
  'proxymap unix - - n - - proxymap',
  'bounce unix - - n - 0 bounce',
  'defer unix - - n - 0 bounce',
  'trace unix - - n - 0 bounce',
  'flush unix n - n - 0 flush',
  'showq unix n - n - - showq',
  'anvil unix - - n - 1 anvil',
  'error unix - - n - - error',
  'retry unix - - n - - error',
  'virtual unix - n n - - virtual',
];
