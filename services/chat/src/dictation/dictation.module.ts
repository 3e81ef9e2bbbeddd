import {
  CarrelError,
  longestDictation,
  providerChoiceKeys,
  transcribeRecording,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, PipeBrokenError, Pipes, type RequestContext } from "@carrel/messaging";
import {
  ProviderError,
  createDictationModel,
  dictationProviders,
  measureRecording,
  noTokens,
  type TranscriptionModel,
} from "@carrel/providers";
import { Controller, Module } from "@nestjs/common";
import { BudgetModule } from "../budget/budget.module.ts";
import { MediaCalls } from "../budget/media-calls.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SettingsCache } from "../setting/settings-cache.ts";

/** Time limit, because someone waits for the text. */
const longestMs = 120_000;

@Controller()
class DictationHandler {
  constructor(
    private readonly settings: SettingsCache,
    private readonly pipes: Pipes,
    private readonly calls: MediaCalls,
  ) {}

  /** The recording is only ever in memory. */
  @Handle(transcribeRecording)
  async transcribe(
    { pipe, filename, mime }: In<typeof transcribeRecording>,
    { scope }: RequestContext,
  ): Promise<Out<typeof transcribeRecording>> {
    try {
      const model = await this.findModel();
      const call = await this.calls.begin(scope, "dictation", model);
      let isDone = false;
      try {
        const bytes = await this.receive(pipe);
        const transcript = await model.transcribe(
          { bytes, filename, mime },
          AbortSignal.timeout(longestMs),
        );
        const { seconds, isEstimated } = measureRecording(transcript, bytes.length);
        call.used.audioMs = seconds * 1000;
        call.tokens = {
          ...noTokens,
          input: transcript.tokens?.inputTokens ?? 0,
          output: transcript.tokens?.outputTokens ?? 0,
          isEstimated,
        };
        isDone = true;
        return { text: transcript.text };
      } finally {
        await call.end(isDone ? "done" : "failed");
      }
    } catch (error) {
      throw error instanceof ProviderError ? CarrelError.fromFault(error.fault) : error;
    }
  }

  private async findModel(): Promise<TranscriptionModel> {
    const instance = await this.settings.getInstance();
    const id = instance.values[providerChoiceKeys.dictation] ?? dictationProviders[0]!.id;
    const provider = dictationProviders.find((each) => each.id === id);
    if (provider === undefined || provider.inBrowser === true)
      throw new CarrelError("dictation.in-browser");
    const keys = new Set(provider.fields.map(({ key }) => key));
    return createDictationModel(id, this.settings.openSettings(instance, keys));
  }

  private async receive(pipe: string): Promise<Buffer> {
    const parts: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const text of this.pipes.read(pipe)) {
        const part = Buffer.from(text, "base64");
        bytes += part.length;
        if (bytes > longestDictation) throw tooLarge();
        parts.push(part);
      }
    } catch (cause) {
      if (!(cause instanceof PipeBrokenError)) throw cause;
      throw new CarrelError("dictation.broken", {}, { cause });
    }
    if (bytes === 0) throw new CarrelError("dictation.audio-missing");
    return Buffer.concat(parts);
  }
}

const tooLarge = (): CarrelError =>
  new CarrelError("dictation.too-large", { megabytes: longestDictation / 1024 ** 2 });

@Module({ imports: [BudgetModule, SettingModule], controllers: [DictationHandler] })
export class DictationModule {}
