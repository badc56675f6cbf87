/** Discord's looks, in its dark theme. */
export const discordStyles = `
  body { width: 940px; background: #121214; color: #dbdee1; font: 16px/22px 'Open Sans', sans-serif; }
  .panel { border: 1px solid #2b2d33; background: #1d1e22; }
  .bar { display: flex; align-items: center; gap: 10px; border-bottom: 1px solid #2b2d33; padding: 9px 16px; color: #f2f3f5; font-size: 15px; font-weight: 600; }
  .app-icon { width: 40px; height: 40px; border-radius: 50%; }
  .message { display: grid; grid-template-columns: 40px minmax(0, 1fr); gap: 4px 16px; padding: 12px 16px 14px; }
  .message.private { background: #23253a; box-shadow: inset 2px 0 #5865f2; }
  .command { grid-column: 2; position: relative; color: #949ba4; font-size: 14px; line-height: 18px; }
  .command::before { content: ""; position: absolute; left: -36px; top: 9px; width: 30px; height: 12px; border: solid #4e5058; border-width: 2px 0 0 2px; border-top-left-radius: 6px; }
  .command b { color: #f2f3f5; font-weight: 500; }
  .author b { color: #f2f3f5; font-weight: 600; }
  .badge { display: inline-block; border-radius: 4px; padding: 0 5px; background: #5865f2; color: #fff; font-size: 10px; font-weight: 600; line-height: 15px; vertical-align: 1px; }
  time { margin-left: 3px; color: #949ba4; font-size: 12px; }
  strong { color: #f2f3f5; font-weight: 700; }
  .row { margin-top: 8px; }
  .button { display: inline-block; height: 32px; margin: 0 8px 4px 0; border-radius: 8px; padding: 0 15px; background: #3b3d44; color: #fff; font-size: 14px; font-weight: 600; line-height: 32px; white-space: nowrap; }
  .button.primary { background: #5865f2; } .button.danger { background: #d22d39; } .button.success { background: #00863a; }
  .link { color: #7aa7ff; overflow-wrap: anywhere; }
  .mention { border-radius: 3px; padding: 0 2px; background: #383f68; color: #ccd2fb; font-weight: 500; }
  .moment { border-radius: 3px; padding: 0 2px; background: #303238; }
  code { border-radius: 4px; padding: 2px 4px; background: #2b2d33; font: 13px 'DejaVu Sans Mono', monospace; }
  .only-you, .subtext { margin-top: 6px; color: #949ba4; font-size: 12.5px; line-height: 18px; }
  .modal { background: #242529; } .modal .bar { border: 0; padding: 16px 16px 8px; }
  .modal .app-icon { width: 32px; height: 32px; } .modal-title { flex: 1; font-size: 20px; } .modal .cross { color: #b5bac1; font-size: 20px; }
  .body { padding: 6px 16px 16px; }
  .warning { margin-bottom: 14px; border: 1px solid #8a6d1c; border-radius: 8px; padding: 8px 12px; background: #3a3320; font-size: 13.5px; line-height: 19px; }
  .input + .input { margin-top: 14px; } .input b { color: #f2f3f5; font-weight: 600; } .input .needed { color: #f0585a; }
  .description { color: #949ba4; font-size: 14px; line-height: 20px; }
  .field { min-height: 42px; margin-top: 6px; border: 1px solid #3a3c43; border-radius: 8px; padding: 9px 12px; background: #1b1c20; } .field.tall { min-height: 78px; }
  .field.menu { position: relative; padding-right: 34px; }
  .field.menu::after { content: ""; position: absolute; right: 15px; top: 15px; width: 7px; height: 7px; border: solid #b5bac1; border-width: 0 1.6px 1.6px 0; transform: rotate(45deg); }
  .row .field { display: block; margin: 0; }
  .hint { color: #8b8f98; }
  .footer { display: flex; justify-content: flex-end; gap: 10px; border-top: 1px solid #2f3137; padding: 14px 16px; }
  .footer .button { height: 38px; margin: 0; padding: 0 22px; line-height: 38px; }`;
