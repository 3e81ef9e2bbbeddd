import { createHash, randomUUID } from "node:crypto";
import {
  CarrelError,
  openSpeech,
  providerChoiceKeys,
  withoutReasoning,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { toSpokenText } from "@carrel/contracts/spoken-text";
import { Handle, Pipes, type RequestContext } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import {
  ProviderError,
  createSpeechModel,
  speechProviders,
  type SpeechModel,
} from "@carrel/providers";
import { LOGGER } from "@carrel/runtime";
import { Controller, Inject, Injectable, Module, type OnApplicationShutdown } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { BudgetModule } from "../budget/budget.module.ts";
import { MediaCalls } from "../budget/media-calls.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { TurnRepository } from "../turn/turn.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";

/** The first piece is short, so that its audio arrives soon. */
const firstCharacters = 160;
/** Later pieces are generated while earlier ones are heard. */
const laterCharacters = 1_200;

/** Pieces of at most `longest` characters that end with a sentence, where sentences are shorter. */
export function splitSpeech(text: string, longest: number): string[] {
  const pieces: string[] = [];
  for (const sentence of listSentences(text, longest)) {
    const last = pieces.at(-1);
    const limit = Math.min(longest, pieces.length === 1 ? firstCharacters : laterCharacters);
    if (last !== undefined && last.length + 1 + sentence.length <= limit)
      pieces[pieces.length - 1] = `${last} ${sentence}`;
    else pieces.push(sentence);
  }
  return pieces;
}

/** Sentences; longer ones are cut at spaces. */
function* listSentences(text: string, longest: number): Iterable<string> {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });
  for (const { segment } of segmenter.segment(text)) {
    let rest = segment.replace(/\s+/g, " ").trim();
    while (rest.length > longest) {
      const space = rest.lastIndexOf(" ", longest);
      const end = space > 0 ? space : longest;
      yield rest.slice(0, end);
      rest = rest.slice(end).trim();
    }
    if (rest !== "") yield rest;
  }
}

/** The model that reads aloud. */
@Injectable()
class SpeechModels {
  constructor(private readonly settings: SettingsCache) {}

  /**
   * The model and the version of its settings; null if people's browsers read aloud. Throws
   * ProviderError if a setting is missing.
   */
  async find(): Promise<{ model: SpeechModel; version: number } | null> {
    const instance = await this.settings.getInstance();
    const id = instance.values[providerChoiceKeys.speech] ?? speechProviders[0]!.id;
    const provider = speechProviders.find((each) => each.id === id);
    if (provider === undefined || provider.inBrowser === true) return null;
    const keys = new Set(provider.fields.map(({ key }) => key));
    return {
      model: createSpeechModel(id, this.settings.openSettings(instance, keys)),
      version: instance.version,
    };
  }
}

/** Audio in memory, and how long; it is never stored. */
const cacheBytes = 32 * 1024 * 1024;
const cacheMs = 60 * 60_000;
/** Longer audio, about 25 minutes of it, isn't kept. */
const longestKept = 24 * 1024 * 1024;
/** Maximum time for one answer, however slowly it is played. */
const longestMs = 30 * 60_000;

/** Speaks texts, and remembers what it said. */
@Injectable()
class Speaker implements OnApplicationShutdown {
  private readonly spoken = new LRUCache<string, Buffer>({
    maxSize: cacheBytes,
    sizeCalculation: ({ length }) => length,
    ttl: cacheMs,
  });
  private readonly stopping = new AbortController();
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly models: SpeechModels,
    private readonly calls: MediaCalls,
    private readonly pipes: Pipes,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.writing);
  }

  /**
   * Starts to speak, and returns the pipe that the audio comes through once there is some; null if
   * people's browsers read aloud. Throws CarrelError above a limit, and with what the provider says
   * is wrong; if it fails later, the pipe breaks.
   */
  async open(text: string, scope: WorkspaceScope): Promise<{ pipe: string; mime: string } | null> {
    const leaving = new AbortController();
    const signal = AbortSignal.any([
      leaving.signal,
      this.stopping.signal,
      AbortSignal.timeout(longestMs),
    ]);
    let audio: AsyncGenerator<Uint8Array> | undefined;
    try {
      const found = await this.models.find();
      if (found === null) return null;
      const { model, version } = found;
      // The version, because the same voice may have moved to another address.
      const key = createHash("sha256")
        .update(JSON.stringify([version, model.provider, model.model, model.voice, text]))
        .digest("base64");
      const known = this.spoken.get(key);
      const spoken =
        known === undefined ? this.speak(model, key, text, { scope, signal }) : replay(known);
      audio = spoken;
      const first = await spoken.next();
      const pipe = `speech:${randomUUID()}`;
      await this.pipes.open(pipe);
      const writing = this.pipes
        .write(pipe, encode(first, spoken), signal)
        .catch((error: unknown) => this.logger.warn({ err: error }, "couldn't finish speaking"))
        .finally(async () => {
          leaving.abort();
          // What was used is recorded even if nobody read it to the end.
          await spoken.return(undefined);
          this.writing.delete(writing);
        });
      this.writing.add(writing);
      return { pipe, mime: model.mime };
    } catch (error) {
      leaving.abort();
      await audio?.return(undefined);
      throw error instanceof ProviderError ? CarrelError.fromFault(error.fault) : error;
    }
  }

  private async *speak(
    model: SpeechModel,
    key: string,
    text: string,
    { scope, signal }: { scope: WorkspaceScope; signal: AbortSignal },
  ): AsyncGenerator<Uint8Array> {
    const { provider, model: name } = model;
    const pieces = splitSpeech(text, model.maxCharacters);
    const characters = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const call = await this.calls.begin(scope, "speech", {
      provider,
      model: name,
      expected: { characters },
    });
    const parts: Uint8Array[] = [];
    let bytes = 0;
    // Stays "cancelled" if the listener leaves, which ends the generator.
    let state: "done" | "failed" | "cancelled" = "cancelled";
    try {
      for (const piece of pieces) {
        let isAccepted = false;
        for await (const part of model.stream({ text: piece, signal })) {
          // All of it is charged, even if nobody hears the end.
          if (!isAccepted) call.used.characters += piece.length;
          isAccepted = true;
          bytes += part.length;
          if (bytes <= longestKept) parts.push(part);
          else parts.length = 0;
          yield part;
        }
      }
      if (bytes === 0)
        throw new ProviderError({ code: "provider.audio-missing" }, { kind: "server" });
      state = "done";
    } catch (error) {
      if (!signal.aborted) state = "failed";
      throw error;
    } finally {
      await call.end(state);
    }
    if (bytes <= longestKept) this.spoken.set(key, Buffer.concat(parts));
  }
}

const partBytes = 64 * 1024;

async function* replay(audio: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < audio.length; start += partBytes)
    yield audio.subarray(start, start + partBytes);
}

async function* encode(
  first: IteratorResult<Uint8Array, void>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<string> {
  if (first.done !== true) yield Buffer.from(first.value).toString("base64");
  for await (const part of rest) yield Buffer.from(part).toString("base64");
}

@Controller()
class SpeechHandler {
  constructor(
    private readonly turns: TurnRepository,
    private readonly speaker: Speaker,
  ) {}

  @Handle(openSpeech)
  async open(
    { chatId }: In<typeof openSpeech>,
    ctx: RequestContext,
  ): Promise<Out<typeof openSpeech>> {
    const scope = inWorkspace(ctx.scope);
    const turn = await this.turns.findOwn(scope, chatId);
    if (turn === null) throw new CarrelError("turn.not-found");
    const text = toSpokenText(withoutReasoning(turn.answer, turn.reasoning));
    return { speech: text === "" ? null : await this.speaker.open(text, scope) };
  }
}

@Module({
  imports: [BudgetModule, SettingModule, TurnModule],
  controllers: [SpeechHandler],
  providers: [Speaker, SpeechModels],
})
export class SpeechModule {}
