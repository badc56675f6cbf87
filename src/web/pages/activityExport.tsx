import type { Platform } from '../../domain/index.ts';
import { platforms } from '../../platforms.ts';
import { cardPage } from '../components/cardPage.tsx';
import { Form, SubmitButton } from '../components/form.tsx';
import type { PageContext } from '../pageContext.ts';

type ActivityExportPage = { token: string; platform: Platform; workspace: string };

/** Downloads what happened to the pushes of a workspace. */
export function activityExportPage(
  page: PageContext,
  { token, platform, workspace }: ActivityExportPage,
): string {
  const { title, of, contents, once, download } = page.messages.activityExport;
  return cardPage(page, {
    title,
    children: (
      <>
        <p>{of(workspace, platforms[platform].name)}</p>
        <p>{contents}</p>
        <p class="muted">{once}</p>
        <Form page={page} action={`/export/${token}`}>
          <SubmitButton text={download} />
        </Form>
      </>
    ),
  });
}
