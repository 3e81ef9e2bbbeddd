import {
  CarrelError,
  getImport,
  importOnce,
  runEndedChannel,
  type Args,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Broadcast, RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentWait } from "../document/document-wait.ts";
import { requestKey } from "../http/request-key.ts";
import type { Call } from "../http/route.ts";
import { EventStreams } from "../stream/event-stream.ts";

type Import = Out<typeof getImport>;

/** How often a waiting request asks, in case the broadcast was lost. */
const pollMs = 2_000;
/** As long as existing clients wait. */
const longestMs = 15 * 60_000;

/** An import into the library by a request that waits until all its documents can be read. */
@Injectable()
export class OnceImport {
  constructor(
    private readonly requests: RequestClient,
    private readonly broadcast: Broadcast,
    private readonly eventStreams: EventStreams,
    private readonly wait: DocumentWait,
  ) {}

  /** Returns the documents that can be read; throws if there are none. */
  async import(
    call: Call,
    source: Args<typeof importOnce>,
  ): Promise<{ documentIds: string[]; run: Import["run"] }> {
    const { scope, signal, request } = call;
    const { runId } = await this.requests.request(importOnce, source, {
      scope,
      idempotencyKey: requestKey(request, source),
    });
    const { run, documentIds, firstFault } = await this.untilEnd(runId, scope, signal);
    const outcomes = await this.wait.forEnd(documentIds, scope, signal);
    const readable = outcomes.filter(({ state }) => state !== "failed");
    if (readable.length > 0)
      return { documentIds: readable.map(({ documentId }) => documentId), run };
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
