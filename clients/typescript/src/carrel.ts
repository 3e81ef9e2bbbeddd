import { CarrelError, toCarrelError } from "./carrel-error.ts";
import { readEventData } from "./event-data.ts";
import { type Client, createClient, createConfig } from "./generated/client/index.ts";
import { CarrelApi } from "./generated/sdk.gen.ts";
import type { StreamFrame } from "./generated/types.gen.ts";

export interface CarrelOptions {
  /** Where the instance is, for example `https://carrel.example.com`. */
  baseUrl: string;
  /** A developer API key, from Settings > API keys. */
  apiKey: string;
  /** Replaces the global `fetch`, for example to use a proxy. */
  fetch?: typeof fetch;
}

type Question = Parameters<CarrelApi["chat"]>[0];
type ThreadQuestion = Parameters<CarrelApi["chatInThread"]>[0];

/** The developer API of one Carrel instance. Failures are thrown as `CarrelError`. */
export class Carrel extends CarrelApi {
  constructor({ baseUrl, apiKey, fetch }: CarrelOptions) {
    const client = createClient(
      createConfig({
        baseUrl: baseUrl.replace(/\/+$/, ""),
        headers: { Authorization: `Bearer ${apiKey}` },
        throwOnError: true,
        ...(fetch === undefined ? {} : { fetch }),
      }),
    );
    // Without a response, the request itself failed, and its error says why.
    client.interceptors.error.use((error, response: Response | undefined) =>
      response === undefined ? error : toCarrelError(error, response.status),
    );
    super({ client });
  }

  /**
   * Asks a question and yields the answer's frames as they arrive; the last one,
   * `finalizeResponseStream`, has the sources. Leaving the loop or aborting the signal cancels it.
   */
  streamChat(question: Question, signal?: AbortSignal): AsyncGenerator<StreamFrame, void> {
    const { slug, ...body } = question;
    const path = `/api/v1/workspace/${encodeURIComponent(slug)}/stream-chat`;
    return streamFrames(this.client, path, body, signal);
  }

  /** Like `streamChat`, in a thread. */
  streamChatInThread(
    question: ThreadQuestion,
    signal?: AbortSignal,
  ): AsyncGenerator<StreamFrame, void> {
    const { slug, threadSlug, ...body } = question;
    const path = `/api/v1/workspace/${encodeURIComponent(slug)}/thread/${encodeURIComponent(threadSlug)}/stream-chat`;
    return streamFrames(this.client, path, body, signal);
  }
}

/**
 * Hand-written because the generator's event streams reconnect by themselves, which would ask the
 * question again.
 */
async function* streamFrames(
  client: Client,
  url: string,
  body: object,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamFrame, void> {
  const stream = (await client.post<unknown, unknown, true, "data">({
    url,
    body,
    headers: { "Content-Type": "application/json" },
    parseAs: "stream",
    responseStyle: "data",
    ...(signal === undefined ? {} : { signal }),
  })) as ReadableStream<Uint8Array>;
  for await (const data of readEventData(stream)) {
    const frame = JSON.parse(data) as StreamFrame;
    if (frame.type === "abort") throw new CarrelError(frame.error, null, frame);
    yield frame;
  }
}
