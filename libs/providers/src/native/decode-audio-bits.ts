/** Reads bits, most significant first. Throws RangeError at the end. */
export interface BitReader {
  /** Up to 36 bits. */
  read(bits: number): number;
  readSigned(bits: number): number;
  /** The number of zeros before the next one. */
  readUnary(): number;
  /** Skips to the next whole byte and returns its position. */
  align(): number;
}

export function createBitReader(bytes: Uint8Array, start: number): BitReader {
  let position = start;
  let left = 8; // bits of the current byte
  const current = (): number => {
    if (position >= bytes.length) throw new RangeError("the file ends early");
    return bytes[position]! & ((1 << left) - 1);
  };
  const use = (bits: number): void => {
    left -= bits;
    if (left > 0) return;
    position++;
    left = 8;
  };
  const read = (bits: number): number => {
    let value = 0;
    for (let missing = bits; missing > 0;) {
      const taken = Math.min(left, missing);
      value = value * 2 ** taken + (current() >> (left - taken));
      use(taken);
      missing -= taken;
    }
    return value;
  };
  return {
    read,
    readSigned(bits) {
      const value = read(bits);
      return bits > 0 && value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
    },
    readUnary() {
      let zeros = 0;
      for (;;) {
        const value = current();
        if (value === 0) {
          zeros += left;
          use(left);
          continue;
        }
        const before = Math.clz32(value) - (32 - left);
        use(before + 1);
        return zeros + before;
      }
    },
    align() {
      if (left < 8) use(left);
      return position;
    },
  };
}
