import { asForm } from '../../harness/api.ts';
import { canary, describeRows, fields, made, type Row } from './rows.ts';

describeRows('POST /p.json', [...truths('deletable_by_viewer'), ...truths('retrieval_step')]);

function truths(field: string): Row[] {
  const row = (value: unknown) => ({
    name: `${field}: ${JSON.stringify(value)}`,
    ...fields({ [field]: value }),
  });
  const yes = [true, 'true', 'True', 'on', 'yes', 'checked', '1', 1];
  const no = [false, 'false', 'False', 'off', 'no', '0', 0, ''];
  const neither = [2, -1, 0.5, 'TRUE', 'FALSE', 'On', 't', 'y', '2', ' true', 'null', canary, [], [true], {}];
  return [
    ...yes.map((value) => ({ ...row(value), ...made, answer: { [field]: true } })),
    ...no.map((value) => ({ ...row(value), ...made, answer: { [field]: false } })),
    { ...row(null), ...made, answer: { [field]: true } },
    {
      name: `${field}: empty in a form`,
      headers: asForm,
      body: `password[payload]=${canary}&password[${field}]=`,
      ...made,
      answer: { [field]: false },
    },
    ...neither.map((value) => ({ ...row(value), status: 422, error: `${field} must be true or false` })),
  ];
}
