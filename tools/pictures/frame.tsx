import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { ClosedEye } from '../../src/web/components/logo.tsx';
import type { PictureReader } from './reader.ts';

/** What people see of a chat, one after the other, from top to bottom. */
export type Column<Scene> = { person: string; scenes: Scene[] }[];

type FrameProps<Scene> = {
  reader: PictureReader;
  styles: string;
  columns: Column<Scene>[];
  draw: (scene: Scene) => ComponentChildren;
};

/** A page with columns. */
export function renderFrame<Scene>({ reader, styles, columns, draw }: FrameProps<Scene>): string {
  const page = (
    <html lang={reader.locale}>
      <head>
        <meta charset="utf-8" />
        <style dangerouslySetInnerHTML={{ __html: sharedStyles + styles }} />
      </head>
      <body>
        {columns.map((parts) => (
          <main>
            {parts.map(({ person, scenes }) => (
              <>
                <PersonName name={person} />
                {scenes.map(draw)}
              </>
            ))}
          </main>
        ))}
      </body>
    </html>
  );
  return `<!doctype html>${render(page)}`;
}

/** Who sees what follows. */
function PersonName({ name }: { name: string }) {
  return (
    <h1 class={`person-${name}`}>
      <span>{name.slice(0, 1).toUpperCase()}</span> {name}
    </h1>
  );
}

/** The icon of the app. */
export function AppIcon() {
  return (
    <span class="app-icon">
      <svg viewBox="3 5 18 14" aria-hidden="true">
        <ClosedEye />
      </svg>
    </span>
  );
}

/** Says that only its reader sees a message. */
export function EyeIcon() {
  return (
    <svg class="eye" viewBox="0 0 20 20" aria-hidden="true">
      <g fill="none" stroke="currentColor" stroke-width="1.6">
        <path d="M1.5 10c3.2-6.3 13.8-6.3 17 0-3.2 6.3-13.8 6.3-17 0z" />
        <circle cx="10" cy="10" r="2.8" />
      </g>
    </svg>
  );
}

export function CrossIcon() {
  return (
    <svg class="cross" viewBox="0 0 20 20" aria-hidden="true">
      <path d="m5 5 10 10M15 5 5 15" fill="none" stroke="currentColor" stroke-width="1.6" />
    </svg>
  );
}

const sharedStyles = `
  * { box-sizing: border-box; }
  body { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 24px; align-items: start; margin: 0; padding: 24px; --on-accent: #fff; }
  h1 { display: flex; align-items: center; gap: 8px; margin: 0 0 12px; font-size: 15px; text-transform: capitalize; }
  h1 span { display: grid; place-items: center; width: 24px; height: 24px; border-radius: 6px; background: #6b4a9e; color: #fff; font-size: 13px; }
  h1.person-bob span { background: #b4552d; }
  .panel { margin-bottom: 20px; border-radius: 12px; overflow: hidden; }
  .panel:last-child { margin-bottom: 0; }
  .panel + h1 { margin-top: 28px; }
  .app-icon { display: grid; place-items: center; flex: none; background: #14584f; }
  .app-icon svg { width: 68%; }
  .eye, .cross { width: 1.2em; height: 1.2em; vertical-align: -0.22em; }
  p, h2 { margin: 0; overflow-wrap: anywhere; }`;
