import {
  CarrelError,
  deliverFlowHook,
  flowRunWaitMs,
  getFlowRun,
  receiveFlowHook,
  runFlowByKey,
  startFlowRunByKey,
  watchFlowRun,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { FastifyReply, FastifyRequest } from "fastify";
import { requestKey } from "../http/request-key.ts";
import { Route, type Call } from "../http/route.ts";
import { EventStreams } from "../stream/event-stream.ts";
import { FlowRunProgress } from "./flow-run-progress.ts";

/** Runs of flows: their progress, the developer API, and the webhooks that start them. */
@Injectable()
export class FlowRunRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly progress: FlowRunProgress,
    private readonly eventStreams: EventStreams,
  ) {}

  @Route(watchFlowRun)
  async watch({ input: { id }, scope, request, reply }: Call<typeof watchFlowRun>): Promise<void> {
    // Read first, because a missing run is answered with 404, not with a stream.
    await this.requests.request(getFlowRun, { id }, { scope });
    await this.stream(scope, id, request, reply);
  }

  @Route(runFlowByKey)
  async run({
    input: { id: flowId, inputs, stream },
    scope,
    request,
    reply,
    signal,
  }: Call<typeof runFlowByKey>): Promise<Out<typeof runFlowByKey> | undefined> {
    const { id } = await this.requests.request(
      startFlowRunByKey,
      { id: flowId, inputs },
      { scope, idempotencyKey: requestKey(request) },
    );
    if (stream) {
      await this.stream(scope, id, request, reply);
      return undefined;
    }
    const until = AbortSignal.any([
      signal,
      this.eventStreams.stopping,
      AbortSignal.timeout(flowRunWaitMs),
    ]);
    const { state, output, fault, error } = await this.progress.wait(scope, id, until);
    return { id, state, output, fault, error };
  }

  /** The body isn't parsed before its signature has been checked. */
  @Route(receiveFlowHook)
  async receive({
    input: { id },
    scope,
    request,
  }: Call<typeof receiveFlowHook>): Promise<Out<typeof receiveFlowHook>> {
    const { headers, raw, routeOptions } = request;
    // It may break off, or be cut off, before it is read.
    raw.on("error", () => undefined);
    const [messageId, timestamp, signature] = [
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
    ].map((name) => headers[name]);
    if (!isShort(messageId, 500) || !isShort(timestamp, 20) || !isShort(signature, 2_000))
      throw new CarrelError("flow.hook-not-found");
    const body = await readText(raw, routeOptions.bodyLimit!);
    return this.requests.request(
      deliverFlowHook,
      { id, body, messageId, timestamp, signature },
      { scope },
    );
  }

  private async stream(
    scope: Scope,
    id: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const stream = this.eventStreams.start(request, reply);
    try {
      for await (const frame of this.progress.follow(scope, id, stream.signal))
        await stream.send(JSON.stringify(frame));
    } finally {
      stream.end();
    }
  }
}

const isShort = (value: unknown, longest: number): value is string =>
  typeof value === "string" && value !== "" && value.length <= longest;

/** Not destroyed on an error, so that the sender sees the response. */
async function readText(body: FastifyRequest["raw"], limit: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > limit) throw new CarrelError("request.too-large");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
