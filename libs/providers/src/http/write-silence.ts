const samplesPerSecond = 16_000;
const bytesPerSample = 2;
const headerBytes = 44;

/** A WAV file of silence: mono, 16 bits, 16 kHz. */
export function writeSilence(seconds: number): Uint8Array {
  const audioBytes = seconds * samplesPerSecond * bytesPerSample;
  const file = Buffer.alloc(headerBytes + audioBytes);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(headerBytes - 8 + audioBytes, 4);
  file.write("WAVEfmt ", 8, "latin1");
  // The size of this section, PCM, one channel.
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(samplesPerSecond, 24);
  file.writeUInt32LE(samplesPerSecond * bytesPerSample, 28);
  file.writeUInt16LE(bytesPerSample, 32);
  file.writeUInt16LE(bytesPerSample * 8, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(audioBytes, 40);
  return file;
}
