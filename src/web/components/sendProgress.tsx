import type { PageContext } from '../pageContext.ts';

/** The progress of a form that is sent, with a button that cancels it. Hidden until submit.js sends one. */
export function SendProgress({ page: { messages } }: { page: PageContext }) {
  const { files, encryption, offline } = messages.newPush;
  return (
    <div
      id="upload"
      class="upload"
      hidden
      data-sending={files.sending('{percent}')}
      data-finishing={files.finishing}
      data-cancelled={files.cancelled}
      data-broken={files.broken}
      data-offline={offline}
      data-encrypting={encryption.encrypting}
      data-unreadable={encryption.unreadable}
      data-address={encryption.address}
    >
      <p id="upload-status" />
      <progress max={1} value={0} aria-labelledby="upload-status" />
      <button type="button" class="secondary" aria-describedby="upload-status">
        {files.cancel}
      </button>
    </div>
  );
}
