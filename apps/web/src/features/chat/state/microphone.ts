const everyMs = 60;
/** Anything quieter is silence: the root mean square of samples from -1 to 1. */
const threshold = 0.015;
/** Volume that counts as the full level. */
const loudest = 0.2;

export interface Silence {
  /** Whether anybody has spoken. */
  spoken: boolean;
  /** How long it has been silent since, in ms. */
  forMs: number;
}

/**
 * Reports the level of a microphone, and how long it has been silent. Returns a function that stops
 * it.
 */
export function watchLevel(
  stream: MediaStream,
  on: { level: (level: number) => void; silence: (silence: Silence) => void },
): () => void {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let spoken = false;
  let heardAt = performance.now();
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    const loudness = Math.sqrt(
      samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length,
    );
    on.level(Math.min(1, loudness / loudest));
    const now = performance.now();
    if (loudness >= threshold) {
      spoken = true;
      heardAt = now;
    }
    on.silence({ spoken, forMs: now - heardAt });
  }, everyMs);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}

/** Throws a DOMException: NotAllowedError, NotFoundError. */
export const openMicrophone = (): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  });

export function closeMicrophone(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
