/**
 * Collects bytes into parts of equal size, except the last. Two buffers alternate, so a part stays valid until the
 * next but one: it can be written or sent while the next is collected.
 */
export async function* inParts(bytes: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  let part: Buffer = Buffer.allocUnsafe(partBytes);
  let next: Buffer | undefined;
  let filled = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(part, filled, at);
      filled += copied;
      at += copied;
      if (filled < partBytes) continue;
      yield part;
      [part, next] = [next ?? Buffer.allocUnsafe(partBytes), part];
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
