/**
 * A vector from a list of numbers, or from base64 of 32-bit floats: some servers reply with one,
 * some with the other, whatever was requested. null if it is neither.
 */
export function readVector(value: unknown): Float32Array | null {
  const vector = typeof value === "string" ? readBase64(value) : readList(value);
  return vector === null || vector.length === 0 ? null : vector;
}

function readBase64(text: string): Float32Array | null {
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  if (bytes.length % 4 !== 0) return null;
  const vector = new Float32Array(bytes.buffer);
  return vector.every(Number.isFinite) ? vector : null;
}

function readList(list: unknown): Float32Array | null {
  if (!Array.isArray(list)) return null;
  const vector = new Float32Array(list.length);
  for (let place = 0; place < list.length; place++) {
    const number: unknown = list[place];
    if (typeof number !== "number") return null;
    vector[place] = number;
  }
  return vector;
}
