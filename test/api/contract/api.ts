import { expect } from 'chai';
import {
  type ApiResponse,
  bearer,
  type Client,
  type CreatedPush,
  createClient,
  type Fields,
} from '../../harness/api.ts';
import { isoTime } from '../../harness/openApi.ts';
import { createAccount, startService, type TestService } from '../../harness/service.ts';

/** The fields of Password Pusher, in its order. */
export const passwordPusherFields = [
  'url_token',
  'html_url',
  'json_url',
  'created_at',
  'expires_at',
  'views_remaining',
  'views_total',
  'files',
  'passphrase',
  'name',
  'note',
  'expire_after_days',
];
/** Further fields of hushpush. */
export const documentedFields = [
  'expire_after_views',
  'days_remaining',
  'expired',
  'expired_on',
  'deleted',
  'deletable_by_viewer',
  'retrieval_step',
  'kind',
  'updated_at',
  'url_token_sha256',
];
export const unknownToken = '0'.repeat(26);
export const prefixes = ['p', 'f', 'r'];

export let service: TestService;
export let api: Client;
export let ann: { authorization: string };
export let bob: { authorization: string };
/** Creates an account, and returns its credentials. */
export async function newAccount(options: { subscribed?: boolean } = {}): Promise<{ authorization: string }> {
  const { token } = await createAccount(service.domain, undefined, options);
  return bearer(token);
}

export function listOf(value: unknown): Fields[] {
  expect(value).to.be.an('array');
  return value as Fields[];
}

export async function auditOf({ token }: CreatedPush, who = ann, page = 1): Promise<Fields[]> {
  const { status, body } = await api.get(`/p/${token}/audit.json?page=${page}`, who);
  expect(status).to.equal(200);
  return listOf(body.views);
}

export async function kindsOf(created: CreatedPush, who = ann): Promise<unknown[]> {
  return (await auditOf(created, who)).map(({ kind }) => kind);
}

export function ms(time: unknown): number {
  expect(time).to.match(isoTime);
  return Date.parse(String(time));
}

export function expectError(answer: ApiResponse, status: number, error: string): void {
  expect(answer).to.nested.include({ status, 'body.error': error });
}

/** Starts a service, with two accounts, for the tests of a `describe`. */
export function useApi(): void {
  before(async () => {
    service = await startService();
    api = createClient(service.port);
    ann = await newAccount();
    bob = await newAccount();
  });

  after(async () => {
    api.close();
    await service.stop();
  });
}
