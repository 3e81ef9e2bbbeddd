import {
  TRANSCRIPTION_MODELS,
  type TranscriptionModels,
} from "../src/transcription/transcriber.ts";
import { TranscriptionModule } from "../src/transcription/transcription.module.ts";

interface Provider {
  provide?: unknown;
}

/**
 * Makes services that start from now on transcribe with these models. Returns a function that undoes
 * it, because the test files of a worker share its modules.
 */
export function useTranscription(models: TranscriptionModels): () => void {
  const providers = Reflect.getMetadata("providers", TranscriptionModule) as Provider[];
  const set = (value: Provider[]): void =>
    Reflect.defineMetadata("providers", value, TranscriptionModule);
  set([
    ...providers.filter(({ provide }) => provide !== TRANSCRIPTION_MODELS),
    { provide: TRANSCRIPTION_MODELS, useValue: models } as Provider,
  ]);
  return () => set(providers);
}
