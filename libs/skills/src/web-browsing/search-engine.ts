import type { SearchProviderDeclaration } from "@carrel/contracts";
import { z } from "zod";
import { toolFault } from "../tool-fault.ts";
import type { ToolError } from "../tool.ts";

/** One result, as the engine sent it. */
export interface SearchHit {
  title: string;
  url: string;
  snippet: string;
  /** In the engine's words: a date, or how long ago. */
  published?: string | undefined;
}

/** How to search with an engine whose replies are JSON. */
export interface JsonEngine {
  /** Scheme, host and port, and the path below which its API is. */
  base(setup: EngineSetup): string;
  request(query: string, setup: EngineSetup): EngineRequest;
  /** Throws ZodError for another format. */
  read(reply: unknown): SearchHit[];
  /** What a refusal means, if its status doesn't say; also called for a reply with status 200. */
  faultOf?(status: number, reply: unknown): EngineFault | null;
}

export interface EngineRequest {
  path: string;
  params?: Record<string, string>;
  headers?: Record<string, string>;
  /** Sent as JSON, by POST. */
  body?: unknown;
}

/** Any but `search.refused`, which also says with which status. */
export type EngineFault =
  | "search.address-invalid"
  | "search.blocked"
  | "search.format-disabled"
  | "search.key-refused"
  | "search.not-set-up"
  | "search.quota-exceeded"
  | "search.timed-out"
  | "search.unexpected-response"
  | "search.unreachable";

/** At most this many results are asked for. */
export const maxHits = 10;

/** The chosen engine's declaration and settings. */
export class EngineSetup {
  constructor(
    readonly provider: SearchProviderDeclaration,
    private readonly values: Readonly<Record<string, string>>,
  ) {}

  /** A setting, or its default; '' if it is empty. */
  get(key: string): string {
    const value = this.values[key]?.trim() ?? "";
    if (value !== "") return value;
    const field = this.provider.fields.find((one) => one.key === key);
    return String(field?.default ?? "");
  }

  /** A setting without which the engine can't be used; throws ToolError. */
  need(key: string): string {
    const value = this.get(key);
    if (value === "") throw this.fault("search.not-set-up");
    return value;
  }

  /** An address that an admin has entered, without a slash at its end; throws ToolError. */
  needAddress(key: string): URL {
    const value = this.need(key);
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || !/^https?:$/.test(url.protocol)) throw this.fault("search.address-invalid");
    url.pathname = url.pathname.replace(/\/+$/, "");
    url.search = "";
    url.hash = "";
    return url;
  }

  fault(code: EngineFault): ToolError {
    return toolFault(
      { code, params: { provider: this.provider.name } },
      "Don't search again; answer without the web, and say so.",
    );
  }
}

/** The elements that have the schema's form; others are left out. */
export const itemsOf = <T>(schema: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .nullish()
    .transform((items) =>
      (items ?? []).flatMap((item) => {
        const read = schema.safeParse(item);
        return read.success ? [read.data] : [];
      }),
    );

/** Text that may be missing. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
