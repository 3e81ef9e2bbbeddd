import { Readable } from "node:stream";
import {
  CarrelError,
  exportEventChain,
  exportEvents,
  listExportedEvents,
  type EventFilter,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { writeCsvLine } from "../http/csv.ts";
import { Route, type Call } from "../http/route.ts";

type ChainPage = Out<typeof exportEventChain>;
type EventPage = Out<typeof listExportedEvents>;

const contentTypes: Record<In<typeof exportEvents>["format"], string> = {
  jsonl: "application/jsonl; charset=utf-8",
  csv: "text/csv; charset=utf-8",
};

/** Downloads of the event log, page by page, so that memory doesn't grow with its length. */
@Injectable()
export class EventLogRoutes {
  constructor(private readonly requests: RequestClient) {}

  @Route(exportEvents)
  async export({ input, scope, reply }: Call<typeof exportEvents>): Promise<unknown> {
    const { format, ...filter } = input;
    const { timeZone: _timeZone, ...narrowing } = filter;
    if (format === "jsonl" && Object.values(narrowing).some((value) => value !== undefined))
      throw new CarrelError("event-log.export-filtered");
    // The first page comes before the headers, so that a failure gets a regular error response.
    const body =
      format === "jsonl"
        ? this.writeChain(scope, await this.readChain(scope, null))
        : this.writeSheet(scope, filter, await this.readEvents(scope, filter, 0));
    return reply
      .code(200)
      .headers({
        "content-type": contentTypes[format],
        "content-disposition": `attachment; filename="event-log-${new Date().toISOString().slice(0, 10)}.${format}"`,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "access-control-expose-headers": "Content-Disposition",
      })
      .send(Readable.from(body, { objectMode: false }));
  }

  private async *writeChain(scope: Scope, first: ChainPage): AsyncGenerator<string> {
    for (let page = first; ; page = await this.readChain(scope, page.cursor)) {
      yield page.lines;
      if (page.cursor === null) return;
    }
  }

  private readChain(scope: Scope, cursor: ChainPage["cursor"]): Promise<ChainPage> {
    return this.requests.request(exportEventChain, { cursor }, { scope });
  }

  private async *writeSheet(
    scope: Scope,
    filter: EventFilter,
    first: EventPage,
  ): AsyncGenerator<string> {
    yield writeCsvLine(["Entry", "Time (UTC)", "Event", "User", "User ID", "Details", "Hash"]);
    for (let page = first; ; page = await this.readEvents(scope, filter, page.next)) {
      const lines = page.events.map((one) =>
        writeCsvLine([
          one.sequence,
          one.occurredAt,
          one.event,
          one.username,
          one.userId ?? "",
          one.metadata === "{}" ? "" : one.metadata,
          one.hash,
        ]),
      );
      if (lines.length > 0) yield lines.join("");
      if (page.next === null) return;
    }
  }

  private readEvents(scope: Scope, filter: EventFilter, after: number): Promise<EventPage> {
    return this.requests.request(listExportedEvents, { ...filter, after }, { scope });
  }
}
