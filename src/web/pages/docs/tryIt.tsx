import type { Operation } from '../../../http/openApi.ts';
import { TextArea, TextField } from '../../components/fields.tsx';
import type { PageContext } from '../../pageContext.ts';

type TryItProps = { page: PageContext; path: string; method: string; operation: Operation };

/** A form that a script sends to this server. Its fields are named OPERATION.PLACE.NAME. Works with JSON bodies alone. */
export function TryIt({ page, path, method, operation }: TryItProps) {
  const { apiReference: texts } = page.messages;
  const { operationId, parameters = [], requestBody } = operation;
  const json = requestBody?.content['application/json'];
  return (
    <details class="js-only">
      <summary>{texts.tryIt}</summary>
      <form data-try={page.path(path)} data-method={method.toUpperCase()} data-failed={texts.noResponse}>
        {parameters.map(({ name, in: place, required = false }) => (
          <TextField
            name={`${operationId}.${place}.${name}`}
            label={<code>{name}</code>}
            required={required}
          />
        ))}
        {json === undefined ? null : (
          <TextArea
            name={`${operationId}.body.json`}
            label={texts.body}
            rows={7}
            value={JSON.stringify(json.example ?? {}, null, 2)}
          />
        )}
        <button type="submit">
          {texts.send} {method.toUpperCase()}
        </button>
        <pre role="status" hidden />
      </form>
    </details>
  );
}
