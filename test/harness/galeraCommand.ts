import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'mysql2/promise';
import { interruption } from '../runner/interruption.ts';
import { ensureGalera, startGalera } from './galera.ts';
import { cutLifelines } from './lifeline.ts';

// scripts/galera [COMMAND…]
// Starts three nodes in temp folders on loopback, and runs a command with their addresses, or waits for Ctrl+C. Then
// stops the nodes and removes the folders.

const name = 'hushpush';

async function main(command: string[]): Promise<number> {
  await ensureGalera();
  console.log('Starting three nodes. Each copies the data of those before it, which takes half a minute.');
  const { nodes, stop } = await startGalera();
  try {
    const urls = nodes.map(({ url }) => url);
    if (command.length > 0) return await run(command, urls);
    await createDatabase(urls[0] ?? '');
    for (const url of urls) console.log(`DATABASE_URL=${url}/${name}`);
    console.log('Press Ctrl+C to stop the nodes and to remove their data.');
    return await new Promise<never>(() => {});
  } finally {
    await stop();
  }
}

/** Runs a command, such as a test file, on all nodes. Returns its exit code. */
async function run([program = '', ...args]: string[], urls: string[]): Promise<number> {
  const env = { ...process.env, TEST_DATABASE_URL: urls.join(',') };
  const [code] = await once(spawn(program, args, { stdio: 'inherit', env }), 'exit');
  return code ?? 1;
}

async function createDatabase(url: string): Promise<void> {
  const connection = await createConnection(url);
  await connection.query(`CREATE DATABASE ${name}`);
  await connection.end();
}

const failed = (error: Error) => {
  console.error(`galera: ${error.message}`);
  return 1;
};
const exitCode = await Promise.race([interruption(), main(process.argv.slice(2)).catch(failed)]);
await cutLifelines();
process.exit(exitCode);
