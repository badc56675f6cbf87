import { existsSync } from 'node:fs';
import { createConnection } from 'mysql2/promise';
import { findProgram, installPackages, mayInstall } from './debian.ts';
import { freePort, hasMariadb, startMariadb } from './mariadb.ts';
import { untilLater } from './until.ts';

const providers = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];
const packages = ['galera-4', 'mariadb-server', 'mariadb-backup', 'socat'];

type GaleraNode = Awaited<ReturnType<typeof startNode>>;

/** The ports of a node besides that of MySQL: group communication, incremental and full state transfer. */
type Ports = { group: number; incremental: number; full: number };

/** Installs what a Galera cluster needs when it is missing and may be installed. Throws an error that says what to install. */
export async function ensureGalera(): Promise<void> {
  if (!isInstalled() && mayInstall) await installPackages(packages);
  if (!isInstalled()) throw new Error(`A Galera cluster needs: apt-get install ${packages.join(' ')}`);
}

/** Starts a Galera cluster on free loopback ports, in temp folders that are removed with it. */
export async function startGalera(size = 3) {
  const ports = await Promise.all(Array.from({ length: size }, newPorts));
  const nodes: GaleraNode[] = [];
  try {
    for (const own of ports) nodes.push(await startNode(own, ports)); // each copies the data of those before it
  } catch (error) {
    await Promise.all(nodes.map((node) => node.stop()));
    throw error;
  }
  return {
    nodes,
    async stop() {
      for (const node of nodes.toReversed()) await node.stop();
    },
  };
}

async function startNode(own: Ports, all: Ports[]) {
  const isFirst = own === all[0];
  const server = await startMariadb({
    options: settings(own, all),
    firstOptions: isFirst ? ['--wsrep-new-cluster'] : [],
  });
  const synced = () => untilLater(() => isSynced(server.url));
  await synced();
  return {
    url: server.url,
    get pid() {
      return server.pid;
    },
    kill9: server.kill9,
    stop: server.stop,
    /** Starts it again with the same ports. It rejoins the others, and has their data when this returns. */
    restart: () => server.restart().then(synced),
  };
}

function settings({ group, incremental, full }: Ports, all: Ports[]): string[] {
  const provider = {
    'gmcast.listen_addr': `tcp://127.0.0.1:${group}`,
    'ist.recv_addr': `127.0.0.1:${incremental}`,
    'gcache.size': '32M',
  };
  return [
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-provider=${providers.find(existsSync)}`,
    '--wsrep-cluster-name=hushpush',
    `--wsrep-cluster-address=gcomm://${all.map(({ group }) => `127.0.0.1:${group}`).join(',')}`,
    '--wsrep-node-address=127.0.0.1',
    `--wsrep-node-incoming-address=127.0.0.1:${group}`,
    '--wsrep-sst-method=mariabackup', // rsync drops the rights of root
    '--wsrep-sst-auth=root:',
    `--wsrep-sst-receive-address=127.0.0.1:${full}`,
    `--wsrep-provider-options="${Object.entries(provider)
      .map(([name, value]) => `${name}=${value}`)
      .join(';')}"`,
  ];
}

async function newPorts(): Promise<Ports> {
  return { group: await freePort(), incremental: await freePort(), full: await freePort() };
}

async function isSynced(url: string): Promise<boolean> {
  const connection = await createConnection(url).catch(() => undefined);
  if (connection === undefined) return false;
  try {
    const [rows] = await connection.query("SHOW STATUS LIKE 'wsrep_local_state_comment'");
    return JSON.stringify(rows).includes('"Synced"');
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}

const isInstalled = () =>
  hasMariadb() &&
  ['mariadb-backup', 'socat'].every((name) => findProgram(name)) &&
  providers.some(existsSync);
