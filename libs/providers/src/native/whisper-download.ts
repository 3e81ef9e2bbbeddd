import type { KnownFault } from "@carrel/contracts";
import { EgressError } from "@carrel/egress";
import { ProviderError } from "../spec/provider-error.ts";
import { downloadModel } from "./download-model.ts";
import { findWhisperFolder, whisperFiles } from "./whisper-models.ts";

const retryMs = 5 * 60_000;
const downloadMs = 2 * 60 * 60_000;

/** The download of one model in this process; all its WhisperModels share it. */
export class WhisperDownload {
  /** Share downloaded, 0 to 1; null if no download is running. */
  progress: number | null = null;
  private running: Promise<void> | null = null;
  private failed: { at: number; reason: KnownFault } | null = null;
  constructor(
    private readonly modelsDir: string,
    private readonly model: string,
    private readonly hub: string | null,
  ) {}

  /** The model's folder; waits for the download if it is missing. Throws ProviderError. */
  async ensure(signal: AbortSignal): Promise<string> {
    const { model } = this;
    const present = await findWhisperFolder(this.modelsDir, model);
    if (present !== null) return present;
    if (this.hub === null)
      throw new ProviderError(
        { code: "whisper.downloads-disabled", params: { model } },
        { kind: "unreachable", isRetryable: false },
      );
    const since = this.failed === null ? retryMs : Date.now() - this.failed.at;
    if (this.running === null && since < retryMs) throw this.downloadFailed(retryMs - since);
    this.running ??= this.start(this.hub).finally(() => {
      this.running = null;
      this.progress = null;
    });
    await this.untilAborted(this.running, signal);
    return (await findWhisperFolder(this.modelsDir, model)) ?? this.ensure(signal);
  }

  private async start(hub: string): Promise<void> {
    this.progress = 0;
    try {
      await downloadModel(
        this.modelsDir,
        { id: this.model },
        {
          hub,
          // Continues if the recording is cancelled, because everyone needs the model.
          signal: AbortSignal.timeout(downloadMs),
          onProgress: (share) => {
            this.progress = share;
          },
          parts: {
            files: whisperFiles,
            isComplete: async () => (await findWhisperFolder(this.modelsDir, this.model)) !== null,
          },
        },
      );
      this.failed = null;
    } catch (fault) {
      const reason: KnownFault =
        fault instanceof EgressError
          ? fault.fault
          : { code: "egress.unexpected-response", params: { host: new URL(hub).host } };
      this.failed = { at: Date.now(), reason };
      throw this.downloadFailed(retryMs, fault);
    }
  }

  private downloadFailed(retryAfterMs: number, cause?: unknown): ProviderError {
    const { model } = this;
    return new ProviderError(
      { code: "whisper.download-failed", params: { model, reason: this.failed!.reason } },
      { kind: "unreachable", retryAfterMs, cause },
    );
  }

  /** Callers that stop waiting learn what they were waiting for. */
  private async untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
    let stop = (): void => undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      stop = () =>
        reject(
          new ProviderError(
            { code: "whisper.downloading", params: { model: this.model } },
            { kind: "aborted" },
          ),
        );
    });
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      await Promise.race([work, aborted]);
    } finally {
      signal.removeEventListener("abort", stop);
      work.catch(() => undefined); // reported by the next call if nobody waits
    }
  }
}
