import type { OpenApi } from '../../../http/openApi.ts';
import { renderPage } from '../../components/layout.tsx';
import type { PageContext } from '../../pageContext.ts';
import { Endpoint } from './endpoint.tsx';
import { Errors, Events, SignIn } from './guide.tsx';
import { ApiObject } from './schema.tsx';

/** The API described for people: how to sign in, every endpoint with examples, what they return, errors and webhooks. */
export function docsPage(page: PageContext, openApi: OpenApi): string {
  const { apiReference: texts } = page.messages;
  const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = { errors: texts.errors, webhooks: texts.events, objects: texts.objects };
  const current = operations.filter(({ operation }) => !operation.deprecated);
  return renderPage(page, {
    title: texts.title,
    children: (
      <div lang="en">
        <h1>{texts.title}</h1>
        <p>
          {texts.lead} <a href={page.path('/api/v1/openapi.json')}>openapi.json</a>.
        </p>
        <nav aria-labelledby="contents">
          <h2 id="contents">{texts.contents}</h2>
          <ul class="contents small">
            {current.map(({ path, method, operation: { operationId, summary } }) => (
              <li>
                <a href={`#${operationId}`} title={`${method.toUpperCase()} ${path}`}>
                  {summary}
                </a>
              </li>
            ))}
            {Object.entries(sections).map(([id, text]) => (
              <li>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ul>
        </nav>
        <SignIn page={page} base={openApi.servers[0]?.url ?? ''} />
        {current.map((endpoint) => (
          <Endpoint texts={texts} {...endpoint} openApi={openApi} />
        ))}
        <Errors page={page} openApi={openApi} />
        <Events page={page} openApi={openApi} />
        <h2 id="objects">{texts.objects}</h2>
        {Object.entries(openApi.components.schemas).map(([name, schema]) => (
          <ApiObject texts={texts} name={name} schema={schema} />
        ))}
      </div>
    ),
  });
}
