import { OpusDecoder } from "opus-decoder";
import type { AudioPiece } from "./decoded-audio.ts";

const rate = 16_000;
/** RFC 7845, section 6: larger packets may be rejected. */
const maxPacketBytes = 61_440;
const maxChannels = 8;

/**
 * Packets of the file's first stream (RFC 3533). A page cut off at the end is left out. Our own,
 * because the maintained readers are under the LGPL.
 */
function* readPackets(bytes: Buffer): Generator<Uint8Array> {
  let serial: number | null = null;
  let parts: Uint8Array[] = [];
  for (let at = bytes.indexOf("OggS"); at >= 0 && at + 27 <= bytes.length;) {
    const table = bytes.subarray(at + 27, at + 27 + bytes[at + 26]!);
    let start = at + 27 + table.length;
    const end = table.reduce((sum, size) => sum + size, start);
    if (end > bytes.length) return;
    serial ??= bytes.readUInt32LE(at + 14);
    if (bytes.readUInt32LE(at + 14) === serial) {
      const continues = (bytes[at + 5]! & 1) === 1;
      let isKnown = !continues || parts.length > 0; // else its first part is lost
      if (!continues) parts = [];
      for (const size of table) {
        parts.push(bytes.subarray(start, start + size));
        start += size;
        if (size === 255) continue;
        const packet = Buffer.concat(parts);
        parts = [];
        if (isKnown && packet.length <= maxPacketBytes) yield packet;
        isKnown = true;
      }
    }
    at = bytes.indexOf("OggS", end);
  }
}

/** Options for the decoder from the identification header (RFC 7845, section 5.1). */
function readHeader(packet: Uint8Array) {
  const channels = packet[9]!;
  const isMapped = packet[18] !== 0;
  const table = packet.subarray(21, 21 + channels);
  if (channels === 0 || channels > maxChannels || (isMapped && table.length < channels))
    throw new Error("the Opus header is damaged");
  return {
    channels,
    streamCount: isMapped ? packet[19]! : 1,
    coupledStreamCount: isMapped ? packet[20]! : channels - 1,
    channelMappingTable: isMapped ? [...table] : [0, 1].slice(0, channels),
    preSkip: Math.round((packet[10]! + packet[11]! * 256) / (48_000 / rate)),
  };
}

export async function* decodeOpus(bytes: Uint8Array): AsyncGenerator<AudioPiece> {
  const packets = readPackets(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const first = packets.next();
  if (first.done) return;
  const decoder = new OpusDecoder({ sampleRate: rate, ...readHeader(first.value) });
  await decoder.ready;
  packets.next(); // the tags
  try {
    for (const packet of packets) {
      const { channelData } = decoder.decodeFrame(packet);
      yield { channels: channelData, rate };
    }
  } finally {
    decoder.free();
  }
}
