/** Mattermost's looks, in its light theme. */
export const mattermostStyles = `
  body { width: 940px; background: #eceef1; color: #3f4350; font: 14px/20px 'Open Sans', sans-serif; }
  .panel { border: 1px solid #dcdee3; border-radius: 8px; background: #fff; }
  .bar { display: flex; align-items: center; gap: 8px; border-bottom: 1px solid #e8e9ed; padding: 10px 18px; font-weight: 600; }
  .bar small { color: #6c707d; font-size: 12px; font-weight: 400; }
  .app-icon { width: 32px; height: 32px; border-radius: 50%; }
  .message { display: grid; grid-template-columns: 32px minmax(0, 1fr); gap: 2px 10px; padding: 12px 18px 14px; }
  .author b { font-weight: 600; }
  .badge { display: inline-block; border-radius: 4px; padding: 0 4px; background: #ebecef; color: #3f4350; font-size: 10px; font-weight: 600; line-height: 16px; vertical-align: 1px; }
  time, .only-you { margin-left: 3px; color: #6c707d; font-size: 12px; }
  strong { font-weight: 700; }
  .attachment { margin-top: 6px; border: 1px solid #dcdee3; border-left: 4px solid #b9bcc5; border-radius: 4px; padding: 10px 12px; }
  .actions { margin-top: 8px; }
  .attachment .actions:first-child { margin-top: 0; }
  .button { display: inline-block; height: 32px; margin: 0 8px 6px 0; border-radius: 4px; padding: 0 12px; background: #e8effc; color: #1c58d9; font-size: 12px; font-weight: 600; line-height: 32px; white-space: nowrap; }
  .actions { margin-bottom: -6px; }
  .button.primary { background: #1c58d9; color: #fff; } .button.danger { background: #fbe9ea; color: #d24b4e; }
  .link, .mention { color: #386fe5; overflow-wrap: anywhere; }
  code { border-radius: 4px; padding: 1px 4px; background: #f0f1f3; font: 12px 'DejaVu Sans Mono', monospace; }
  .modal .bar { padding: 16px 24px; } .modal-title { flex: 1; font-size: 20px; line-height: 26px; } .modal .cross { color: #6c707d; font-size: 20px; }
  .modal .app-icon { width: 28px; height: 28px; }
  .body { padding: 14px 24px 18px; } .body > p:first-child { margin-bottom: 14px; }
  .input + .input { margin-top: 14px; } .input b { font-weight: 600; } .input .needed { color: #d24b4e; } .optional, .hint { color: #8d909b; }
  .field { min-height: 34px; margin-top: 6px; border: 1px solid #cfd1d8; border-radius: 4px; padding: 6px 12px; } .field.tall { min-height: 74px; }
  .field.menu { position: relative; padding-right: 34px; }
  .field.menu::after { content: ""; position: absolute; right: 15px; top: 11px; width: 7px; height: 7px; border: solid #8d909b; border-width: 0 1.6px 1.6px 0; transform: rotate(45deg); }
  .token { display: inline-block; margin-right: 4px; border-radius: 10px; padding: 0 8px; background: #ebecef; font-size: 12px; }
  .help { margin-top: 4px; color: #6c707d; font-size: 12px; line-height: 16px; }
  .footer { display: flex; justify-content: flex-end; gap: 8px; border-top: 1px solid #e8e9ed; padding: 14px 24px; }
  .footer .button { height: 40px; margin: 0; padding: 0 20px; font-size: 14px; line-height: 40px; }`;
