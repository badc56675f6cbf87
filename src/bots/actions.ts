/** The ids of buttons. They stay in messages for months, so an id keeps its meaning. */
export const actions = {
  burn: 'push.burn',
  extend: 'push.extend',
  audit: 'push.audit',
  send: 'push.send',
  show: 'push.show',
  open: 'push.open',
  compose: 'push.compose',
  provide: 'request.provide',
  decline: 'request.decline',
  cancel: 'request.cancel',
  showRequest: 'request.show',
  refill: 'push.refill',
  newPush: 'push.new',
  newRequest: 'request.new',
  settings: 'settings.open',
  rules: 'settings.rules',
} as const;
