import type { Platform } from '../../domain/index.ts';
import { platforms } from '../../platforms.ts';
import { Form } from '../components/form.tsx';
import { renderPage } from '../components/layout.tsx';
import type { PageContext } from '../pageContext.ts';

type ActivityExportPage = { token: string; platform: Platform; workspace: string };

/** Downloads what happened to the pushes of a workspace. */
export function activityExportPage(
  page: PageContext,
  { token, platform, workspace }: ActivityExportPage,
): string {
  const { title, of, contents, once, download } = page.messages.activityExport;
  return renderPage(page, {
    title,
    children: (
      <div class="card">
        <h1>{title}</h1>
        <p>{of(workspace, platforms[platform].name)}</p>
        <p>{contents}</p>
        <p class="muted">{once}</p>
        <Form page={page} action={`/export/${token}`}>
          <button type="submit">{download}</button>
        </Form>
      </div>
    ),
  });
}
