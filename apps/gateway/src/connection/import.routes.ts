import { Readable } from "node:stream";
import {
  CarrelError,
  getImport,
  importOnce,
  importWebsite,
  runEndedChannel,
  type Args,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Broadcast, RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentJson } from "../document/document-json.ts";
import { DocumentWait } from "../document/document-wait.ts";
import { requestKey } from "../http/request-key.ts";
import { Route, type Call } from "../http/route.ts";
import { EventStreams } from "../stream/event-stream.ts";

type Import = Out<typeof getImport>;

/** How often a waiting request asks, in case the broadcast was lost. */
const pollMs = 2_000;
/** As long as existing clients wait. */
const longestMs = 15 * 60_000;

/** Imports of existing clients, which wait until everything is imported (wire-contract 6.7). */
@Injectable()
export class ImportRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly broadcast: Broadcast,
    private readonly eventStreams: EventStreams,
    private readonly wait: DocumentWait,
    private readonly json: DocumentJson,
  ) {}

  @Route(importWebsite)
  async website(call: Call<typeof importWebsite>): Promise<unknown> {
    const { url, depth, maxLinks } = call.input;
    const settings = { url, depth, maxPages: maxLinks, sitemap: false, plainTitles: true };
    const ids = await this.import(call, { connector: "website", settings, embed: false });
    const documents = [];
    for (const id of ids) documents.push(...(await this.json.listUploaded(call.scope, id)));
    return call.reply
      .type("application/json; charset=utf-8")
      .send(Readable.from(this.writeData(call.scope, documents), { objectMode: false }));
  }

  private async *writeData(
    scope: Scope,
    documents: Parameters<DocumentJson["write"]>[1],
  ): AsyncGenerator<string> {
    yield '{"success":true,"data":';
    yield* this.json.write(scope, documents);
    yield "}";
  }

  /** Returns the ids of the documents that can be read; throws if there are none. */
  private async import(call: Call, source: Args<typeof importOnce>): Promise<string[]> {
    const { scope, signal, request } = call;
    const { runId } = await this.requests.request(importOnce, source, {
      scope,
      idempotencyKey: requestKey(request, source),
    });
    const { run, documentIds, firstFault } = await this.untilEnd(runId, scope, signal);
    const outcomes = await this.wait.forEnd(documentIds, scope, signal);
    const readable = outcomes.filter(({ state }) => state !== "failed");
    if (readable.length > 0) return readable.map(({ documentId }) => documentId);
    const fault = run.fault ?? firstFault;
    throw fault === null
      ? new CarrelError("source.nothing-found")
      : CarrelError.fromFault(fault as Parameters<typeof CarrelError.fromFault>[0]);
  }

  private async untilEnd(runId: string, scope: Scope, signal: AbortSignal): Promise<Import> {
    let wake: () => void = () => undefined;
    const listener = (): void => wake();
    const { stopping } = this.eventStreams;
    const stops = [signal, stopping].map((each) => {
      each.addEventListener("abort", listener, { once: true });
      return () => each.removeEventListener("abort", listener);
    });
    stops.push(
      this.broadcast.on(runEndedChannel, (payload) => {
        if ((payload as { runId: string }).runId === runId) wake();
      }),
    );
    const giveUpAt = Date.now() + longestMs;
    try {
      for (;;) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const current = await this.requests.request(getImport, { runId }, { scope });
        if (current.run.endedAt !== null) return current;
        if (signal.aborted) throw new CarrelError("request.client-left");
        if (stopping.aborted) throw new CarrelError("request.stopping");
        if (Date.now() > giveUpAt) throw new CarrelError("request.timed-out");
        const timer = setTimeout(() => wake(), pollMs);
        await woken;
        clearTimeout(timer);
      }
    } finally {
      for (const stop of stops) stop();
    }
  }
}
