import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { displays, isInstalled } from './environment.ts';

/** Whether there is a command that copies. */
export const canCopy = () => commands().length > 0;

/** Copies a text with the system's command. Returns false if that failed. */
export async function copy(text: string): Promise<boolean> {
  for (const command of commands()) if (await succeeds(command, text)) return true;
  return false;
}

/** Asks the terminal to copy a text, which also works over SSH (OSC 52). Nothing tells whether it did. */
export function requestCopy(text: string): boolean {
  if (process.stderr.isTTY) process.stderr.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  return process.stderr.isTTY;
}

function commands(): string[][] {
  if (process.platform === 'darwin') return [['pbcopy']];
  if (process.platform === 'win32') return [['clip']];
  const forWayland = [['wl-copy']];
  const forX11 = [
    ['xclip', '-selection', 'clipboard'],
    ['xsel', '--clipboard', '--input'],
  ];
  const known = [...(displays.wayland ? forWayland : []), ...(displays.x11 ? forX11 : [])];
  return known.filter(([program = '']) => isInstalled(program));
}

async function succeeds([program = '', ...args]: string[], input: string): Promise<boolean> {
  // Programs that own the clipboard go on in the background, and would keep our pipes open.
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'exit').catch(() => [1]);
  return code === 0;
}
