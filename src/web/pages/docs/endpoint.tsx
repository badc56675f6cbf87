import type {
  ApiResponse,
  JsonSchema,
  OpenApi,
  Operation,
  Reference,
  RequestBody,
} from '../../../http/openApi.ts';
import type { Messages } from '../../../locales/locales.ts';
import type { PageContext } from '../../pageContext.ts';
import { anchorOf, FieldTable, nameOf } from './schema.tsx';
import { ReferenceTable } from './table.tsx';

type Texts = Messages['apiReference'];

type EndpointProps = {
  page: PageContext;
  path: string;
  method: string;
  operation: Operation;
  openApi: OpenApi;
};

/** An endpoint: what it takes, a request to copy in each language, and what it returns. */
export function Endpoint({ page, path, method, operation, openApi }: EndpointProps) {
  const { apiReference: texts } = page.messages;
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const { security = openApi.security } = operation;
  const scope = operation['x-token-scope'];
  const needsToken = !security.some((scheme) => Object.keys(scheme).length === 0);
  return (
    <section id={operationId}>
      <h2>
        <code>
          {method.toUpperCase()} {path}
        </code>
      </h2>
      <p>
        {summary}. {description} {needsToken ? texts.needsToken : null}{' '}
        {scope === undefined || scope === 'full' ? null : texts.scopeSuffices(scope)}
      </p>
      <ReferenceTable
        head={[texts.parameter, texts.in, texts.meaning]}
        rows={parameters.map((parameter) => [
          <code>{parameter.name}</code>,
          parameter.in,
          parameter.description,
        ])}
      />
      {requestBody === undefined ? null : <Body texts={texts} openApi={openApi} requestBody={requestBody} />}
      <Samples operation={operation} />
      <ReferenceTable
        head={[texts.status, texts.meaning]}
        rows={Object.entries(responses).map(([status, response]) => [
          status,
          <ResponseText response={resolve(openApi, response)} />,
        ])}
      />
      <Example texts={texts} responses={responses} />
    </section>
  );
}

/** The response of a reference to one. */
function resolve(openApi: OpenApi, response: ApiResponse | Reference): ApiResponse {
  if (!('$ref' in response)) return response;
  return openApi.components.responses[nameOf(response.$ref)] ?? { description: '' };
}

/** The fields of a body, by their full names. A multipart body has the most fields. */
function Body({ texts, openApi, requestBody }: { texts: Texts; openApi: OpenApi; requestBody: RequestBody }) {
  const content = requestBody.content['multipart/form-data'] ?? requestBody.content['application/json'];
  return (
    <>
      {Object.entries(content?.schema.properties ?? {}).map(([root, { $ref = '' }]) => {
        const schema = openApi.components.schemas[nameOf($ref)];
        return schema === undefined ? null : <FieldTable texts={texts} schema={schema} root={root} />;
      })}
    </>
  );
}

/** The first sample is open, so that there is something to copy at once. */
function Samples({ operation: { 'x-codeSamples': samples = [] } }: { operation: Operation }) {
  return (
    <>
      {samples.map(({ label, source }, index) => (
        <details open={index === 0}>
          <summary>{label}</summary>
          <pre>{source}</pre>
        </details>
      ))}
    </>
  );
}

function ResponseText({ response: { description, content = {} } }: { response: ApiResponse }) {
  const { $ref, items }: JsonSchema = Object.values(content)[0]?.schema ?? {};
  const ref = $ref ?? items?.$ref;
  return (
    <>
      {description}
      {ref === undefined ? null : (
        <>
          {': '}
          <a href={`#${anchorOf(nameOf(ref))}`}>{nameOf(ref)}</a>
          {items === undefined ? null : '[]'}
        </>
      )}
    </>
  );
}

function Example({ texts, responses }: { texts: Texts } & Pick<Operation, 'responses'>) {
  const example = Object.values(responses)
    .flatMap((response) => ('content' in response ? Object.values(response.content ?? {}) : []))
    .find((content) => content.example !== undefined)?.example;
  if (example === undefined) return null;
  return (
    <details>
      <summary>{texts.exampleResponse}</summary>
      <pre>{JSON.stringify(example, null, 2)}</pre>
    </details>
  );
}
