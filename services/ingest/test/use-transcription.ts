import { TranscriptionModule } from "../src/transcription/transcription.module.ts";
import {
  TRANSCRIPTION_MODELS,
  type TranscriptionModels,
} from "../src/transcription/transcriber.ts";

interface Provider {
  provide?: unknown;
}

/** Makes services that start from now on transcribe with these models. */
export function useTranscription(models: TranscriptionModels): void {
  const providers = Reflect.getMetadata("providers", TranscriptionModule) as Provider[];
  Reflect.defineMetadata(
    "providers",
    [
      ...providers.filter(({ provide }) => provide !== TRANSCRIPTION_MODELS),
      { provide: TRANSCRIPTION_MODELS, useValue: models },
    ],
    TranscriptionModule,
  );
}
