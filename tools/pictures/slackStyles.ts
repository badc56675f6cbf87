/** Slack's looks, in its light theme. */
export const slackStyles = `
  body { width: 940px; background: #f1eff3; color: #1d1c1d; font: 15px/22px Lato, sans-serif; }
  .panel { border: 1px solid #dedbe1; background: #fff; }
  .bar { display: flex; align-items: center; gap: 8px; border-bottom: 1px solid #eceaee; padding: 10px 18px; font-weight: 900; }
  .bar small { color: #616061; font-size: 13px; font-weight: 400; }
  .app-icon { width: 36px; height: 36px; border-radius: 8px; }
  .bar .app-icon { width: 24px; height: 24px; border-radius: 6px; }
  .message { display: grid; grid-template-columns: 36px minmax(0, 1fr); gap: 2px 10px; padding: 12px 18px 14px; }
  .only-you { grid-column: 1 / -1; padding-left: 22px; color: #616061; font-size: 12px; line-height: 18px; }
  .only-you svg { width: 16px; height: 16px; margin-right: 4px; vertical-align: -4px; }
  .author { line-height: 20px; } .author b { font-weight: 900; }
  .badge { display: inline-block; border-radius: 3px; padding: 0 4px; background: #e8e8e8; color: #616061; font-size: 10px; font-weight: 700; line-height: 14px; vertical-align: 1px; }
  time { margin-left: 3px; color: #616061; font-size: 12px; }
  .replies { display: flex; align-items: center; gap: 10px; padding: 8px 18px 0; color: #616061; font-size: 13px; }
  .replies::after { content: ""; flex: 1; border-top: 1px solid #eceaee; }
  .section + .section, .actions, .context { margin-top: 8px; }
  .context { color: #616061; font-size: 12px; line-height: 18px; }
  .button { display: inline-block; height: 28px; margin: 0 8px 6px 0; border: 1px solid #bbb9bd; border-radius: 8px; padding: 0 11px; font-size: 13px; font-weight: 700; line-height: 26px; white-space: nowrap; }
  .actions { margin-bottom: -6px; } .actions + .section { margin-top: 16px; }
  .button.primary { border-color: #007a5a; background: #007a5a; color: #fff; }
  .button.danger { border-color: #e01e5a; background: #e01e5a; color: #fff; }
  .link { color: #1264a3; overflow-wrap: anywhere; }
  .mention { border-radius: 3px; padding: 0 2px 1px; background: #e8f5fa; color: #1264a3; }
  code { border: 1px solid #e0dfe1; border-radius: 3px; padding: 2px 3px 1px; background: #f7f7f7; color: #c01343; font: 12px 'DejaVu Sans Mono', monospace; white-space: nowrap; }
  .body { padding: 14px 18px 18px; }
  .body > h2 { margin: 18px 0 6px; } .body > .actions + .section, .body > .section + .actions { margin-top: 8px; }
  h2 { font-size: 18px; font-weight: 900; line-height: 24px; }
  hr { margin: 14px 0; border: 0; border-top: 1px solid #dedbe1; }
  .home-tabs { display: flex; gap: 20px; border-bottom: 1px solid #eceaee; padding: 0 18px; color: #616061; font-size: 13px; font-weight: 700; line-height: 34px; }
  .home-tabs .current { border-bottom: 2px solid #611f69; color: #1d1c1d; }
  .modal .bar { padding: 16px 18px; border: 0; } .modal .bar .app-icon { width: 32px; height: 32px; border-radius: 8px; }
  .modal-title { flex: 1; font-size: 20px; } .modal .cross { color: #616061; font-size: 18px; }
  .modal .body { padding: 2px 18px 16px; }
  .input + *, .actions + .input { margin-top: 16px; } .input p { margin-bottom: 6px; } .input b { font-weight: 700; }
  .optional { color: #616061; }
  .field { min-height: 40px; border: 1px solid #a3a1a5; border-radius: 8px; padding: 8px 12px; overflow-wrap: anywhere; } .field.tall { min-height: 84px; }
  .hint { color: #757377; }
  .field.menu { position: relative; padding-right: 32px; }
  .field.menu::after { content: ""; position: absolute; right: 14px; top: 14px; width: 7px; height: 7px; border: solid #616061; border-width: 0 1.6px 1.6px 0; transform: rotate(45deg); }
  .token { display: inline-block; margin-right: 6px; border-radius: 4px; padding: 0 8px; background: #e8f5fa; color: #1264a3; }
  .checkbox { position: relative; padding: 2px 0 2px 28px; }
  .checkbox::before { content: ""; position: absolute; left: 2px; top: 5px; width: 16px; height: 16px; border: 1px solid #868588; border-radius: 4px; }
  .checkbox.checked::before { border-color: #1264a3; background: #1264a3; }
  .checkbox.checked::after { content: ""; position: absolute; left: 8px; top: 7px; width: 4px; height: 8px; border: solid #fff; border-width: 0 2px 2px 0; transform: rotate(40deg); }
  .footer { display: flex; justify-content: flex-end; gap: 12px; border-top: 1px solid #eceaee; padding: 14px 18px; }
  .footer .button { height: 36px; margin: 0; padding: 0 16px; font-size: 15px; line-height: 34px; }`;
