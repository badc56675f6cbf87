import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';

/** Bytes are a field that is encoded already. */
type Value = string | Buffer | Value[] | { [key: string]: Value };

type Contents = {
  /** Network → record, such as `203.0.113.0/24`. No network lies in another. */
  networks: Record<string, Value>;
  type?: string;
  /** Without IPv6, the tree is 32 bits deep. */
  ipVersion?: 4 | 6;
  builtAt?: number;
};

/** Where a branch of the tree leads: another node, a record, or nowhere. */
type Branch = Node | number | undefined;
type Node = { branches: [Branch, Branch]; number: number };

const marker = Buffer.concat([Buffer.from('abcdef', 'hex'), Buffer.from('MaxMind.com')]);
const recordBits = 32;
const separator = Buffer.alloc(16);

/** A record as GeoLite2 and DB-IP have it, with names by language. */
export function cityRecord(code: string, country: Record<string, string>, city?: Record<string, string>) {
  return {
    ...(city && { city: { geoname_id: uint(32, 1), names: city } }),
    country: { iso_code: code, ...(Object.keys(country).length > 0 && { names: country }) },
    location: { accuracy_radius: uint(16, 50), time_zone: 'Europe/Berlin' },
  };
}

/** Replaces a file as geoipupdate does: a new one gets its name. */
export async function replaceFile(path: string, bytes: Buffer): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, bytes);
  await rename(draft, path);
}

/** A database in MaxMind's format, by its specification, version 2.0. */
export function geoDatabase({
  networks,
  type = 'GeoLite2-City',
  ipVersion = 6,
  builtAt = Date.now(),
}: Contents): Buffer {
  const nodes: Node[] = [];
  const newNode = (): Node => {
    const node: Node = { branches: [undefined, undefined], number: nodes.length };
    nodes.push(node);
    return node;
  };
  const root = newNode();
  const records: Buffer[] = [];
  let recordsSize = 0;
  for (const [network, record] of Object.entries(networks)) {
    insert(root, bitsOf(network, ipVersion), recordsSize, newNode);
    const bytes = encode(record);
    records.push(bytes);
    recordsSize += bytes.length;
  }

  const tree = Buffer.alloc(nodes.length * ((2 * recordBits) / 8));
  for (const { branches, number } of nodes)
    for (const [side, branch] of branches.entries())
      tree.writeUInt32BE(pointerTo(branch, nodes.length), number * 8 + side * 4);
  const metadata = encode({
    binary_format_major_version: uint(16, 2),
    binary_format_minor_version: uint(16, 0),
    build_epoch: uint(64, Math.floor(builtAt / 1_000)),
    database_type: type,
    description: { en: 'For tests' },
    ip_version: uint(16, ipVersion),
    languages: ['de', 'en'],
    node_count: uint(32, nodes.length),
    record_size: uint(16, recordBits),
  });
  return Buffer.concat([tree, separator, ...records, marker, metadata]);
}

function insert(root: Node, bits: (0 | 1)[], record: number, newNode: () => Node): void {
  let node = root;
  for (const bit of bits.slice(0, -1)) {
    const next = node.branches[bit];
    if (typeof next === 'number') throw new Error('a network lies in another');
    node.branches[bit] = next ?? newNode();
    node = node.branches[bit] as Node;
  }
  node.branches[bits.at(-1) ?? 0] = record;
}

/** The bits of a network's prefix. In a tree for IPv6, those of IPv4 follow 96 zeros. */
function bitsOf(network: string, ipVersion: 4 | 6): (0 | 1)[] {
  const [address, prefix] = ipaddr.parseCIDR(network);
  const bytes = address.toByteArray();
  const bits = bytes.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((at) => ((byte >> at) & 1) as 0 | 1));
  const zeros = ipVersion === 6 && bytes.length === 4 ? 96 : 0;
  return [...new Array<0>(zeros).fill(0), ...bits.slice(0, prefix)];
}

function pointerTo(branch: Branch, nodeCount: number): number {
  if (branch === undefined) return nodeCount;
  return typeof branch === 'number' ? nodeCount + separator.length + branch : branch.number;
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') return field(2, Buffer.byteLength(value), [Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return field(11, value.length, value.map(encode));
  const entries = Object.entries(value);
  return field(
    7,
    entries.length,
    entries.flatMap(([key, each]) => [encode(key), encode(each)]),
  );
}

const uintTypes = { 16: 5, 32: 6, 64: 9 };

function uint(bits: keyof typeof uintTypes, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return field(uintTypes[bits], bits / 8, [bytes.subarray(-bits / 8)]);
}

/** A control byte, which has the type and the size, and what follows it. Types above 7 have a byte of their own. */
function field(type: number, size: number, contents: Buffer[]): Buffer {
  if (size > 28 + 255) throw new Error('too long for a test');
  const [sizeBits, sizeBytes] = size < 29 ? [size, []] : [29, [size - 29]];
  const control = type > 7 ? [sizeBits, type - 7] : [(type << 5) | sizeBits];
  return Buffer.concat([Buffer.from([...control, ...sizeBytes]), ...contents]);
}
