import { asForm, asJson, asMultipart, multipart } from '../../harness/api.ts';
import { blank, canary, describeRows, fields, json, made, missing, type Row } from './rows.ts';

describeRows('POST /p.json', [...roots()]);

function roots(): Row[] {
  const good = { payload: canary };
  const without: [string, unknown][] = [
    ['nothing', {}],
    ['null', { password: null }],
    ['text', { password: canary }],
    ['empty text', { password: '' }],
    ['a number', { password: 5 }],
    ['true', { password: true }],
    ['a list', { password: [good] }],
    ['an empty list', { password: [] }],
    ['another name', { push: good }],
    ['capitals', { Password: good }],
    ['a name of a form', { 'password[payload]': canary }],
    ['its fields bare', good],
    ['the roots of other endpoints', { url: good, file: good, file_push: good }],
    ['a thing that every object has', { constructor: good, toString: good, valueOf: good }],
  ];
  const forms: [string, string][] = [
    ['nothing', ''],
    ['text', `password=${canary}`],
    ['a list', `password[]=${canary}`],
    ['another name', `push[payload]=${canary}`],
    ['a prototype', `__proto__[password][payload]=${canary}`],
    ['a constructor', `constructor[prototype][payload]=${canary}`],
    ['half a bracket', `password[payload=${canary}`],
    ['a bracket too many', `password[[payload]]=${canary}`],
    ['separators only', '&&&===&;;'],
  ];
  return [
    ...without.map(([name, value]) => ({
      name: `root: ${name}`,
      ...json(value),
      status: 400,
      error: missing,
    })),
    {
      name: 'root: a prototype',
      headers: asJson,
      body: `{"__proto__":{"password":{"payload":"${canary}"}}}`,
      status: 400,
      error: missing,
    },
    ...forms.map(([name, body]) => ({
      name: `root of a form: ${name}`,
      headers: asForm,
      body,
      status: 400,
      error: missing,
    })),
    { name: 'root of a form without Content-Type: nothing', status: 400, error: missing },
    {
      name: 'root of a multipart form: no part',
      headers: asMultipart,
      body: '--B--\r\n',
      status: 400,
      error: missing,
    },
    {
      name: 'root of a multipart form: another name',
      headers: asMultipart,
      body: multipart({ payload: canary }),
      status: 400,
      error: missing,
    },
    { name: 'root: an empty object', ...json({ password: {} }), status: 422, error: blank },
    {
      name: 'root: a prototype with a payload inside',
      headers: asJson,
      body: `{"password":{"__proto__":{"payload":"${canary}"}}}`,
      status: 422,
      error: blank,
    },
    {
      name: 'root: a prototype beside the payload',
      headers: asJson,
      body: `{"password":{"payload":"${canary}","__proto__":{"kind":"x","expire_after_days":99},"constructor":1}}`,
      ...made,
      answer: { kind: 'text', expire_after_days: 7 },
    },
    {
      name: 'root of a form: a prototype inside',
      headers: asForm,
      body: `password[__proto__][payload]=${canary}&password[constructor][prototype][payload]=x`,
      status: 422,
      error: blank,
    },
    {
      name: 'root of a form: a value and a parent at once',
      headers: asForm,
      body: `password[payload]=${canary}&password=${canary}`,
      status: 400,
    },
    {
      name: 'several mistakes: every field is named',
      ...fields({ expire_after_views: 0, retrieval_step: 'x', name: 5 }),
      status: 422,
      answer: {
        fields: {
          expire_after_views: ['must be between 1 and 100'],
          retrieval_step: ['must be true or false'],
          name: ['must be text'],
        },
      },
    },
  ];
}
