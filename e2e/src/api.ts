import type { StreamFrame } from "@carrel/contracts";

/**
 * A client of the wire like existing ones: JSON as text without a content type, streams parsed as
 * they arrive.
 */
export class Api {
  token: string | null = null;
  constructor(readonly url: string) {}

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{
    status: number;
    type: string;
    headers: Headers;
    text: string;
    json<T = Record<string, unknown>>(): T;
  }> {
    const reply = await fetch(`${this.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...headers },
      ...(body === undefined
        ? {}
        : {
            body:
              typeof body === "string" || body instanceof FormData ? body : JSON.stringify(body),
          }),
    });
    const text = await reply.text();
    return {
      status: reply.status,
      type: reply.headers.get("content-type") ?? "",
      headers: reply.headers,
      text,
      json: <T>() => JSON.parse(text) as T,
    };
  }

  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await this.call(method, path, body);
    if (reply.status !== 200)
      throw new Error(`${method} ${path}: ${reply.status} ${reply.text.slice(0, 500)}`);
    return reply.json<T>();
  }

  async makeWorkspace(name: string): Promise<{ id: number; slug: string }> {
    return (
      await this.json<{ workspace: { id: number; slug: string } }>("POST", "/workspace/new", {
        name,
      })
    ).workspace;
  }

  upload(
    route: "upload" | "upload-and-embed" | "parse",
    slug: string,
    name: string,
    content: string | Uint8Array<ArrayBuffer>,
    type = "text/plain",
    fields: Record<string, string> = {},
  ) {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set("file", new Blob([content], { type }), name);
    return this.call("POST", `/workspace/${slug}/${route}`, form);
  }

  /** The whole stream of an answer, as frames and as raw text. */
  async ask(
    slug: string,
    message: unknown,
    thread?: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; raw: string; frames: StreamFrame[]; text: string }> {
    const reply = await this.call(
      "POST",
      `/workspace/${slug}${thread ? `/thread/${thread}` : ""}/stream-chat`,
      { message },
      headers,
    );
    const frames = reply.status === 200 ? parseFrames(reply.text) : [];
    return {
      status: reply.status,
      raw: reply.text,
      frames,
      text: frames
        .map((f) => ("textResponse" in f && f.type !== "abort" ? f.textResponse : ""))
        .join(""),
    };
  }
}

/** Status and body, parsed if it is JSON. */
export async function ask(
  who: Api,
  method: string,
  path: string,
  body?: unknown,
): Promise<[number, unknown]> {
  const reply = await who.call(method, path, body);
  return [reply.status, reply.type.startsWith("application/json") ? reply.json() : reply.text];
}

export const parseFrames = (text: string): StreamFrame[] =>
  text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => {
      const data = block.split("\n").find((line) => line.startsWith("data: "));
      if (!data) throw new Error(`not a frame: ${block}`);
      return JSON.parse(data.slice(6)) as StreamFrame;
    });
