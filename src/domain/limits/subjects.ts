import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { LimitSettings } from '../base/index.ts';
import type { ClientInfo } from '../people/index.ts';
import { type RuleName, rules, type Subject } from './rules.ts';

const { isValid, parse } = ipaddr;

type Values = {
  client: ClientInfo;
  account: Buffer;
  token: Buffer;
  chatUser: string;
  push: Buffer;
  link: Buffer;
  email: string;
  browser: string;
};

type Address = Pick<ClientInfo, 'ip' | 'isCrossSite'>;

/** What a rule must know of a use. */
export type Use<Rule extends RuleName> = Pick<Values, ValueOf<SubjectsOf<Rule>>>;

type SubjectsOf<Rule extends RuleName> = Extract<Lists<(typeof rules)[Rule]>, readonly Subject[]>[number];
type Lists<Settings> = Settings[keyof Settings];
type ValueOf<Name extends Subject> = Name extends 'network' ? 'client' : Name;

/** The settings of a rule, each with the subject that this use counts against. */
export function subjectsOf<Rule extends RuleName>(rule: Rule, use: Use<Rule>) {
  const settings = Object.entries(rules[rule]) as [keyof LimitSettings, readonly Subject[]][];
  return settings.map(([setting, subjects]) => ({
    setting,
    subject: subjects.map((name) => keyOf(name, use)).join(' '),
  }));
}

function keyOf(name: Subject, use: Partial<Values>): string {
  const value = use[name === 'network' ? 'client' : name];
  if (value === undefined) throw new Error(`a limit counts per ${name}, and there is none`);
  if (typeof value === 'string') return value;
  if (Buffer.isBuffer(value)) return value.toString('hex');
  return name === 'network' ? networkKey(value) : clientKey(value);
}

/** The network within which an attacker can change addresses for free: /24 for IPv4, /64 for IPv6. */
function networkKey(client: Address): string {
  return `${prefixOf(client.ip, 3)}${siteOf(client)}`;
}

/** One client: an IPv4 address, or an IPv6 /64, which is what one subscriber gets. */
export function clientKey(client: Address): string {
  return `${prefixOf(client.ip, 4)}${siteOf(client)}`;
}

/** What the pages of other sites have a browser load counts apart, so that no site can use up its visitors' limits. */
function siteOf({ isCrossSite = false }: Address): string {
  return isCrossSite ? ' cross-site' : '';
}

function prefixOf(ip: string, ipv4Bytes: 3 | 4): string {
  if (ipv4Bytes === 4 && isIPv4(ip)) return ip; // as below, without parsing most addresses
  if (!isValid(ip)) return ip;
  const address = parse(ip);
  return address
    .toByteArray()
    .slice(0, address.kind() === 'ipv4' ? ipv4Bytes : 8)
    .join('.');
}
