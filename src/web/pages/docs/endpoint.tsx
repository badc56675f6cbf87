import type {
  ApiResponse,
  JsonSchema,
  OpenApi,
  Operation,
  Reference,
  RequestBody,
} from '../../../http/openApi.ts';
import type { Messages } from '../../../locales/locales.ts';
import { anchorOf, FieldTable, nameOf, ReferenceTable } from './schema.tsx';

type Texts = Messages['apiReference'];

type EndpointProps = { texts: Texts; path: string; method: string; operation: Operation; openApi: OpenApi };

/** An endpoint: what it takes, a request to copy in each language, and what it returns. */
export function Endpoint({ texts, path, method, operation, openApi }: EndpointProps) {
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
        rows={parameters.map(({ name, in: place, description }) => [<code>{name}</code>, place, description])}
      />
      {requestBody && <Body texts={texts} openApi={openApi} requestBody={requestBody} />}
      {operation['x-codeSamples']?.map(({ label, source }, index) => (
        <details open={index === 0 /* so that there is something to copy at once */}>
          <summary>{label}</summary>
          <pre>{source}</pre>
        </details>
      ))}
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
  return Object.entries(content?.schema.properties ?? {}).map(([root, { $ref = '' }]) => {
    const schema = openApi.components.schemas[nameOf($ref)];
    return schema && <FieldTable texts={texts} schema={schema} root={root} />;
  });
}

function ResponseText({ response: { description, content = {} } }: { response: ApiResponse }) {
  const { $ref, items }: JsonSchema = Object.values(content)[0]?.schema ?? {};
  const ref = $ref ?? items?.$ref;
  if (ref === undefined) return description;
  return (
    <>
      {description}: <a href={`#${anchorOf(nameOf(ref))}`}>{nameOf(ref)}</a>
      {items && '[]'}
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
