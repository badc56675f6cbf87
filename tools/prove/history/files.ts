import { setTimeout as sleep } from 'node:timers/promises';
import { downloadPath, filesOf } from '../../../test/harness/files.ts';
import type { Random } from './random.ts';
import type { Operation, RecordedPush } from './record.ts';
import type { Requests } from './requests.ts';

/** How long the files of a view can be downloaded. */
const grantMs = 600_000;
/** Longer than any fault lasts. */
const unknownMaxMs = 60_000;
const retryMs = 100;

/** The right to the files of a push, which a view gave. */
type Grant = { push: RecordedPush; paths: string[]; endsAt: number };

/** The content of a file, by which it can be told from every other. */
export const contentOf = (push: number, index: number) =>
  Buffer.from(`file ${index} of push ${push} `.repeat(50));

/** Downloads the files that views give a right to. */
export function createDownloads({ request }: Requests) {
  const grants: Grant[] = [];

  /** Records what a view gave, and downloads it. */
  async function receive(push: RecordedPush, view: Operation, body: object, random: Random): Promise<void> {
    const paths = filesOf({ ...body }).map(downloadPath);
    view.files = paths.length;
    const grant = { push, paths, endsAt: view.startedAt + grantMs };
    if (paths.length > 0) grants.push(grant);
    await downloadAll(grant, random);
  }

  async function downloadAll({ push, paths, endsAt }: Grant, random: Random): Promise<void> {
    for (const [index, path] of paths.entries()) {
      const operation = await download(push, path, index, random);
      operation.grantEndsAt = endsAt;
    }
  }

  /** Downloads a file, again while the result is unknown. Returns the last try. */
  async function download({ number }: RecordedPush, path: string, index: number, random: Random) {
    for (const deadline = Date.now() + unknownMaxMs; ; await sleep(retryMs)) {
      const { operation, response } = await request('download', number, random, path);
      if (response?.status === 200 && !response.bytes.equals(contentOf(number, index)))
        operation.defect = 'another content';
      if (operation.outcome !== 'unknown') return operation;
      if (Date.now() < deadline) continue;
      operation.defect = `no file within ${unknownMaxMs / 1000} s`;
      return operation;
    }
  }

  /** Downloads everything once more that there is still a right to. */
  async function repeat(random: Random): Promise<void> {
    for (const grant of grants.filter(({ endsAt }) => Date.now() < endsAt)) await downloadAll(grant, random);
  }

  return { receive, repeat };
}
