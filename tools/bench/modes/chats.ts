import {
  startDiscordProcess,
  startMattermostProcess,
  startSlackProcess,
} from '../../../test/bots/processes.ts';
import { newSharedSettings } from '../../../test/harness/process.ts';
import { createCleanups } from '../cleanups.ts';
import { summary } from '../latencies.ts';
import type { BenchOptions } from '../options.ts';
import { markdownTable } from '../report.ts';
import { startDatabases } from '../servers/databases.ts';
import { cpuMicros } from '../servers/processes.ts';

type CleanUp = (stop: () => unknown) => void;
type Settings = Record<string, string>;
/** Sends `/push`, and returns the milliseconds until it was acknowledged. */
type Act = () => Promise<number>;

const warmUps = 20;

/** Measures how soon hushpush acknowledges a command, one after the other, over each connection that a chat offers. */
export async function chats({ database, settings, pushes }: BenchOptions): Promise<void> {
  const cleanups = createCleanups();
  const rows: Record<string, string | number>[] = [];
  try {
    const databases = await startDatabases(database);
    cleanups.add(databases.stop);
    for (const [chat, start] of Object.entries(starts)) {
      const { url } = await databases.create();
      const running = createCleanups();
      const { act, pid } = await start({ ...newSharedSettings(url), ...settings }, running.add);
      for (let sent = 0; sent < warmUps; sent++) await act();
      const latencies: number[] = [];
      const cpuBefore = cpuMicros([pid]);
      while (latencies.length < pushes) latencies.push(await act());
      const micros = Math.round((cpuMicros([pid]) - cpuBefore) / pushes);
      rows.push({ chat, ...summary(latencies), 'CPU µs': micros });
      await running.run();
    }
    console.log(markdownTable(rows));
  } finally {
    await cleanups.run();
  }
}

const starts = {
  'Slack over HTTP': startSlackBot('http'),
  'Slack over Socket Mode': startSlackBot('socket'),
  'Discord over HTTP': startDiscordBot('http'),
  'Discord over the gateway': startDiscordBot('gateway'),
  Mattermost: startMattermostBot,
};

function startSlackBot(mode: 'http' | 'socket') {
  return async (settings: Settings, cleanUp: CleanUp): Promise<{ act: Act; pid: number }> => {
    const { slack, service, stop } = await startSlackProcess(mode, settings);
    cleanUp(stop);
    const user = slack.user('alice');
    return { act: async () => (await user.runs('/push')).ms, pid: service.pid };
  };
}

function startDiscordBot(mode: 'http' | 'gateway') {
  return async (settings: Settings, cleanUp: CleanUp): Promise<{ act: Act; pid: number }> => {
    const { discord, service, stop } = await startDiscordProcess(mode, settings);
    cleanUp(stop);
    const user = discord.user('alice');
    return { act: async () => (await user.runs('/push')).ms, pid: service.pid };
  };
}

/** Mattermost is acknowledged with the outcome, once the form is open. */
async function startMattermostBot(settings: Settings, cleanUp: CleanUp): Promise<{ act: Act; pid: number }> {
  const { mattermost, service, stop } = await startMattermostProcess(settings);
  cleanUp(stop);
  const user = mattermost.user('alice');
  return { act: async () => (await user.runs('/push')).ms, pid: service.pid };
}
