import { asForm } from '../../harness/api.ts';
import { canary, describeRows, fields, made, type Row } from './rows.ts';

describeRows('POST /p.json', notices());

function notices(): Row[] {
  const notify = 'notify must be an object';
  const viewed = 'notify.viewed must be one of first, every, none';
  const wrong: [string, unknown, string][] = [
    ['text', 'none', notify],
    ['a list', ['viewed'], notify],
    ['a truth', true, notify],
    ['a number', 1, notify],
    ['views: another word', { viewed: 'second' }, viewed],
    ['views: a number', { viewed: 1 }, viewed],
    ['views: a truth', { viewed: true }, viewed],
    ['its end: no truth', { expired: 'maybe' }, 'notify.expired must be true or false'],
    ['its end: an object', { expired: {} }, 'notify.expired must be true or false'],
    [
      'wrong passphrases: no truth',
      { failed_passphrase: 2 },
      'notify.failed_passphrase must be true or false',
    ],
    ['a reminder: no truth', { reminder: [] }, 'notify.reminder must be true or false'],
    ['a new one: no truth', { asked_again: 'perhaps' }, 'notify.asked_again must be true or false'],
  ];
  const right: [string, unknown][] = [
    ['nothing', null],
    ['no wish', {}],
    [
      'every wish',
      { viewed: 'first', expired: 'no', failed_passphrase: 1, reminder: false, asked_again: 'on' },
    ],
    ['blanks and nulls', { viewed: '', expired: null, failed_passphrase: '', reminder: null }],
    ['a wish that is not known', { tulip: 'yes' }],
  ];
  return [
    ...wrong.map(([name, value, error]) => ({
      name: `notify: ${name}`,
      ...fields({ notify: value }),
      status: 422,
      error,
    })),
    ...right.map(([name, value]) => ({ name: `notify: ${name}`, ...fields({ notify: value }), ...made })),
    {
      name: 'notify: as a form',
      headers: asForm,
      body: `password[payload]=${canary}&password[notify][viewed]=first&password[notify][failed_passphrase]=off`,
      ...made,
    },
    {
      name: 'notify: as a form, text',
      headers: asForm,
      body: `password[payload]=${canary}&password[notify]=first`,
      status: 422,
      error: notify,
    },
  ];
}
