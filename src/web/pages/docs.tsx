import type { ComponentChild } from 'preact';
import type { JsonSchema, OpenApi, Operation, RequestBody } from '../../http/openApi.ts';
import type { Messages } from '../../locales/locales.ts';
import { renderPage } from '../components/layout.tsx';
import type { PageContext } from '../pageContext.ts';

/** The API reference: an example, then every endpoint. */
export function docsPage(page: PageContext, { servers, paths }: OpenApi): string {
  const { apiReference: texts } = page.messages;
  const base = servers[0]?.url ?? '';
  return renderPage(page, {
    title: texts.title,
    children: (
      <>
        <h1>{texts.title}</h1>
        <p>
          {texts.lead} <a href={page.path('/api/v1/openapi.json')}>openapi.json</a>.
        </p>
        <pre>{`curl -d 'password[payload]=${texts.examplePayload}' ${base}/p.json`}</pre>
        {Object.entries(paths).flatMap(([path, operations]) =>
          Object.entries(operations)
            .filter(([, { deprecated }]) => !deprecated)
            .map(([method, operation]) => (
              <Endpoint texts={texts} path={path} method={method} operation={operation} />
            )),
        )}
      </>
    ),
  });
}

type Texts = Messages['apiReference'];

type EndpointProps = { texts: Texts; path: string; method: string; operation: Operation };

function Endpoint({
  texts,
  path,
  method,
  operation: { summary, description, parameters = [], requestBody, responses },
}: EndpointProps) {
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
        <Table
          head={[texts.parameter, texts.in, texts.meaning]}
          rows={parameters.map((parameter) => [
            <code>{parameter.name}</code>,
            parameter.in,
            parameter.description,
          ])}
        />
      )}
      {requestBody === undefined ? null : (
        <Table
          head={[texts.field, texts.values, texts.meaning]}
          rows={fieldsOf(requestBody).map(([name, rules]) => [
            <code>{name}</code>,
            valuesOf(texts, rules),
            rules.description,
          ])}
        />
      )}
      <Table
        head={[texts.status, texts.meaning]}
        rows={Object.entries(responses).map(([status, answer]) => [status, answer.description])}
      />
    </section>
  );
}

function Table({ head, rows }: { head: string[]; rows: ComponentChild[][] }) {
  return (
    <table>
      <thead>
        <tr>
          {head.map((title) => (
            <th>{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The fields of a request body, by their full names. A multipart body has the most fields, so it comes first. */
function fieldsOf({ content }: RequestBody): [string, JsonSchema][] {
  const { schema } = content['multipart/form-data'] ?? content['application/json'];
  const roots = Object.entries(schema.properties ?? {});
  return roots.flatMap(([root, { properties = {} }]) =>
    Object.entries(properties).map(([name, rules]): [string, JsonSchema] => [
      `${root}[${name}]${rules.type === 'array' ? '[]' : ''}`,
      rules,
    ]),
  );
}

function valuesOf(texts: Texts, { type, enum: options, minimum, maximum }: JsonSchema): string {
  if (options !== undefined) return options.filter((word) => word !== null).join(', ');
  if (minimum !== undefined) return texts.range(minimum, maximum);
  const [kind] = [type].flat();
  return kind === 'boolean' ? 'true, false' : kind === 'array' ? texts.files : texts.text;
}
