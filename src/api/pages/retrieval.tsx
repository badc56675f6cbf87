import type { PushKind } from '../../domain/index.ts';
import { renderPage } from './layout.tsx';

type Step = { asksPassphrase: boolean; problem?: string };

/** The step before the payload. Its bytes tell nothing of the push but whether a passphrase is asked for. */
export function retrievalPage({ asksPassphrase, problem }: Step): string {
  return renderPage({
    title: 'Someone shared a secret with you',
    children: (
      <form method="post">
        <h1>Someone shared a secret with you</h1>
        <p>Opening it uses up a view. It may only work once.</p>
        {problem === undefined ? null : (
          <p id="problem" class="problem" role="alert">
            {problem}
          </p>
        )}
        {asksPassphrase ? (
          <label>
            Passphrase
            <input
              name="passphrase"
              type="password"
              autocomplete="off"
              required
              autofocus
              {...(problem === undefined ? {} : { 'aria-describedby': 'problem' })}
            />
          </label>
        ) : null}
        <button type="submit">Show the secret</button>
      </form>
    ),
  });
}

type Shown = { kind: PushKind; payload: string; viewsRemaining: number };

/** The payload. A browser drops one line break after <pre>, so one is given for it to drop. */
export function payloadPage({ kind, payload, viewsRemaining }: Shown): string {
  return renderPage({
    title: 'A secret for you',
    children: (
      <>
        <h1>A secret for you</h1>
        {kind === 'url' ? <UrlPayload url={payload} /> : <pre>{`\n${payload}`}</pre>}
        <p>{viewsLeft(viewsRemaining)}</p>
      </>
    ),
  });
}

/** Never followed by itself, and with the host in plain sight. */
function UrlPayload({ url }: { url: string }) {
  return (
    <>
      <p>
        A link to <strong>{new URL(url).host}</strong>:
      </p>
      <p>
        <a href={url} rel="noopener noreferrer nofollow">
          {url}
        </a>
      </p>
    </>
  );
}

function viewsLeft(count: number): string {
  if (count === 0)
    return 'This was the last view: the secret is now erased. Keep it safe before you leave this page.';
  return count === 1 ? 'It can be opened once more.' : `It can be opened ${count} more times.`;
}

/** One answer for every link that does not open: never made, mistyped, expired, deleted. */
export function gonePage(): string {
  return renderPage({
    title: 'This secret is not available',
    children: (
      <>
        <h1>This secret is not available</h1>
        <p>The link is wrong, or the secret has expired or was deleted. Ask whoever sent it for a new one.</p>
      </>
    ),
  });
}

/** Any other refusal, in its own words. */
export function refusalPage(problem: string): string {
  return renderPage({
    title: 'That did not work',
    children: (
      <>
        <h1>That did not work</h1>
        <p role="alert">{problem}</p>
      </>
    ),
  });
}
