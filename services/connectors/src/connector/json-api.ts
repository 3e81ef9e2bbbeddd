import { CarrelError } from "@carrel/contracts";
import type { ContentRequest, ContentStream } from "@carrel/egress";
import { z } from "zod";
import type { SourceContext } from "./connector.ts";
import { readJson } from "./read-json.ts";
import { throwStatus } from "./source-fault.ts";

const maxAnswerBytes = 30_000_000;

export interface JsonApiOptions {
  /** Relative addresses are resolved against it; it has no slash at its end. */
  base: string;
  /** Sent to the origin of `base` only. */
  headers: Record<string, string>;
  trustsAnyCertificate?: boolean;
}

/** An interface that answers in JSON. */
export class JsonApi {
  readonly host: string;

  constructor(
    private readonly context: SourceContext,
    private readonly options: JsonApiOptions,
  ) {
    this.host = new URL(options.base).host;
  }

  get base(): string {
    return this.options.base;
  }

  /** The same server without credential. */
  get anonymous(): JsonApi {
    return new JsonApi(this.context, { ...this.options, headers: {} });
  }

  async get<Schema extends z.ZodType>(address: string, schema: Schema): Promise<z.output<Schema>> {
    return readJson(await this.request(address, {}), schema);
  }

  async post<Schema extends z.ZodType>(
    address: string,
    body: unknown,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const reply = await this.request(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return readJson(reply, schema);
  }

  /** null if it doesn't exist, or the credential may not see it. */
  find<Schema extends z.ZodType>(
    address: string,
    schema: Schema,
  ): Promise<z.output<Schema> | null> {
    return this.get(address, schema).catch(nullIfOutOfReach);
  }

  /** A file; throws unless the answer is one. */
  async open(address: string, init: ContentRequest = {}): Promise<ContentStream> {
    const { signal, content } = this.context;
    const url = this.resolve(address);
    const reply = await content.open(url, { signal, ...this.common({}), ...init });
    if (reply.status >= 200 && reply.status <= 299) return reply;
    reply.body.destroy();
    return throwStatus(reply);
  }

  /** Whether there is an answer in the expected form. */
  async answers(address: string, schema: z.ZodType): Promise<boolean> {
    try {
      await this.get(address, schema);
      return true;
    } catch (error) {
      if (isOutOfReach(error) || isUnexpected(error)) return false;
      throw error;
    }
  }

  /** Links in answers lead to the same origin only, because the credential is sent there. */
  private resolve(address: string): string {
    const { base } = this.options;
    const { pathname, origin } = new URL(base);
    const isBelow = pathname !== "/" && address.startsWith(`${pathname}/`);
    const text = /^https?:/i.test(address) ? address : `${isBelow ? origin : base}${address}`;
    if (!URL.canParse(text) || new URL(text).origin !== origin) throw this.unexpected();
    return text;
  }

  private common(headers: Record<string, string>): ContentRequest {
    const { options } = this;
    return {
      headers: { ...options.headers, ...headers },
      ...(options.trustsAnyCertificate && { trustsAnyCertificate: true }),
    };
  }

  private async request(address: string, init: ContentRequest) {
    const { content, signal } = this.context;
    const reply = await content.fetch(this.resolve(address), {
      maxBytes: maxAnswerBytes,
      ...init,
      ...this.common({ accept: "application/json", ...init.headers }),
      signal,
    });
    if (reply.status < 200 || reply.status > 299) throwStatus(reply);
    return reply;
  }

  private unexpected(): CarrelError {
    return new CarrelError("egress.unexpected-response", { host: this.host });
  }
}

/** The server says that it doesn't exist, or that the credential may not see it. */
const isOutOfReach = (error: unknown): boolean =>
  error instanceof CarrelError &&
  (error.code === "source.missing" || error.code === "source.denied");

/** The answer isn't what this kind of server sends, such as a sign-in page. */
export const isUnexpected = (error: unknown): boolean =>
  error instanceof CarrelError && error.code === "egress.unexpected-response";

/** For those who ask whether this kind of server is there. */
export function nullIfNotThere(error: unknown): null {
  if (isUnexpected(error) || (error instanceof CarrelError && error.code === "source.missing"))
    return null;
  throw error;
}

export function nullIfOutOfReach(error: unknown): null {
  if (isOutOfReach(error)) return null;
  throw error;
}

/** Of an answer that comes in pages; the whole address of the next one, or absent on the last. */
export const nextLink = z.object({ next: z.string().nullish() }).nullish();
