export type OutputSlot = { write(text: string | Buffer): void; end(): void };

/** Lets one slot at a time print as it goes. The output of the others is buffered until their turn comes. */
export function createOrderedOutput(): () => OutputSlot {
  const slots: { buffered: (string | Buffer)[]; hasEnded: boolean }[] = [];
  function flush(): void {
    const [first] = slots;
    if (first === undefined) return;
    for (const text of first.buffered.splice(0)) process.stdout.write(text);
    if (!first.hasEnded) return;
    slots.shift();
    flush();
  }
  return () => {
    const slot = { buffered: [] as (string | Buffer)[], hasEnded: false };
    slots.push(slot);
    return {
      write(text) {
        slot.buffered.push(text);
        flush();
      },
      end() {
        slot.hasEnded = true;
        flush();
      },
    };
  };
}
