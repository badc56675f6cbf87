import type { ProxiedPair } from '../../../test/harness/proxy.ts';

const headerBytes = 4; // 3 of length, 1 of sequence
const commandQuery = 0x03;

/**
 * Loses replies to COMMIT on connections to a MySQL server: the server commits, and the client never hears of it.
 * Sequelize sends COMMIT as a plain query, in a packet of its own.
 */
export function createCommitFault() {
  let armed = 0;
  let lost = 0;

  /** Watches a connection. For `onPair` of a proxy. */
  function watch({ client, target }: ProxiedPair): void {
    client.on('data', (chunk: Buffer) => {
      if (armed === 0 || !isCommit(chunk)) return;
      armed -= 1;
      target.unpipe(client);
      target.once('data', () => {
        lost += 1;
        client.resetAndDestroy();
      });
      target.resume();
    });
  }

  return {
    watch,
    /** Loses the replies to the next COMMITs. */
    arm(count: number) {
      armed = count;
    },
    disarm() {
      armed = 0;
    },
    lost: () => lost,
  };
}

/** MySQL, unlike MariaDB, gets two more bytes before the text: a query without attributes has one set of them. */
function isCommit(packet: Buffer): boolean {
  const attributes = packet[headerBytes + 1] === 0 ? 2 : 0;
  const text = packet.toString('latin1', headerBytes + 1 + attributes);
  return packet[headerBytes] === commandQuery && /^COMMIT\b/i.test(text);
}
