import { ConnectionError } from './errors.ts';
import { newIdempotencyKey, sendRepeatedly } from './repetition.ts';
import { type CallOptions, isPushBody, type Transport } from './transport.ts';
import { encodeForm } from './upload.ts';
import type { PushObject, PushParams, ServerFeature } from './wire.ts';

type CreateOptions = CallOptions & {
  /** Tells how much of the files was sent. Needs a runtime that can send streams, as Node can. */
  onProgress?: (sentBytes: number) => void;
  /**
   * On hushpush, all creations with the same key within a day are one; 16 to 255 visible characters. Without it, each
   * call has a random one.
   */
  idempotencyKey?: string | undefined;
  /** Tells that an earlier attempt is still in progress on the server, and for how long the call now waits. */
  onWait?: ((seconds: number) => void) | undefined;
};

type Dependencies = {
  has: (feature: ServerFeature) => Promise<boolean>;
  retryDelaysMs: number[] | undefined;
};

/** The call that creates pushes, and what it needs a server to have. */
export function createCreationCall({ base, call, links }: Transport, { has, retryDelaysMs }: Dependencies) {
  /**
   * Creates a push. If the response is lost, it is sent again on hushpush, which creates it once; not if a file is a
   * stream, which can be sent only once.
   */
  async function create(
    push: PushParams,
    { onProgress, onWait, idempotencyKey = newIdempotencyKey(), ...options }: CreateOptions = {},
  ): Promise<PushObject> {
    const { files = [], ...fields } = push;
    const send = () => {
      const { headers, ...body } =
        files.length === 0
          ? { json: { password: fields } }
          : { ...encodeForm({ kind: 'file', ...fields }, files, onProgress), isUnlimited: true };
      return call<PushObject>('p.json', isPushBody, {
        ...options,
        ...body,
        method: 'POST',
        headers: { ...headers, 'idempotency-key': idempotencyKey },
      });
    };
    const created = await sendRepeatedly(send, {
      honorsKeys: () => has('idempotency-key'),
      delaysMs: files.every(({ content }) => content instanceof Blob) ? retryDelaysMs : [],
      signal: options.signal,
      onWait,
    });
    return links.requireOwnLinks(created);
  }

  /**
   * Makes sure that the server mails links to these e-mail addresses, when they are the `recipients` of a push. If it sends no
   * mails, the error has the code `unsupported`; it is a TypeError for what is no address.
   */
  async function requireMail(addresses: string[]): Promise<void> {
    const other = addresses.find((text) => !/^[^\s@]+@[^\s@]+$/.test(text.trim()));
    if (other !== undefined) throw new TypeError(`${other} is not an e-mail address.`);
    if (addresses.length > 0 && !(await has('recipient-mail')))
      throw new ConnectionError('unsupported', `${base.host} sends no links by mail.`);
  }

  return { create, requireMail };
}
