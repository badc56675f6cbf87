import type { OpenApi, Operation } from '../openapi.ts';
import { renderPage } from './layout.tsx';

/** The description of the API as a page: an example first, then every endpoint. */
export function docsPage({ servers, paths }: OpenApi): string {
  const base = servers[0]?.url ?? '';
  return renderPage({
    title: 'hushpush API',
    children: (
      <>
        <h1>hushpush API</h1>
        <p>
          A push is a secret behind a link that dies after so many views or days. Clients of Password Pusher’s
          version 1 API work unchanged. The description for programs is{' '}
          <a href="/api/v1/openapi.json">openapi.json</a>.
        </p>
        <pre>{`curl -d 'password[payload]=a secret' ${base}/p.json`}</pre>
        {Object.entries(paths).flatMap(([path, operations]) =>
          Object.entries(operations).map(([method, operation]) => (
            <Endpoint path={path} method={method} operation={operation} />
          )),
        )}
      </>
    ),
  });
}

type Endpoint = { path: string; method: string; operation: Operation };

function Endpoint({
  path,
  method,
  operation: { summary, description, parameters = [], requestBody, responses },
}: Endpoint) {
  return (
    <section>
      <h2>
        <code>
          {method.toUpperCase()} {path}
        </code>
      </h2>
      <p>{summary}.</p>
      {description === undefined ? null : <p>{description}</p>}
      {parameters.length === 0 ? null : (
        <table>
          <thead>
            <tr>
              <th>Parameter</th>
              <th>In</th>
              <th>Meaning</th>
            </tr>
          </thead>
          <tbody>
            {parameters.map((parameter) => (
              <tr>
                <td>
                  <code>{parameter.name}</code>
                </td>
                <td>{parameter.in}</td>
                <td>{parameter.description}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {requestBody === undefined ? null : <pre>{JSON.stringify(jsonSchemaOf(requestBody), null, 2)}</pre>}
      <table>
        <thead>
          <tr>
            <th>Status</th>
            <th>Meaning</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(responses).map(([status, answer]) => (
            <tr>
              <td>{status}</td>
              <td>{answer.description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function jsonSchemaOf(requestBody: object): unknown {
  const { content } = requestBody as { content: Record<string, { schema: unknown }> };
  return content['application/json']?.schema;
}
