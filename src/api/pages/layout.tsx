import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';

type Layout = { title: string; children: ComponentChildren };

/** Renders a whole page. Preact escapes whatever text it is given, so a page cannot forget to. */
export function renderPage({ title, children }: Layout): string {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="stylesheet" href="/assets/hushpush.css" />
      </head>
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
  return `<!doctype html>${render(page)}`;
}
