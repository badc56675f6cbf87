/** How long users wait for what they expect, if nothing else is said. Shorter where much of it never comes. */
export const defaultPatienceMs = Number(process.env.STANDIN_PATIENCE_MS ?? 300_000);
