import { Agent, request } from "node:http";
import { sleep } from "../tools/process.ts";

const agent = new Agent({ keepAlive: true, maxSockets: 2000 });

export interface Reply {
  status: number;
  body: string;
}

/** One JSON call over a kept-alive connection. */
export function call(url: string, method: string, path: string, body?: unknown): Promise<Reply> {
  return new Promise((done, fail) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const outgoing = request(
      url + path,
      {
        method,
        agent,
        headers:
          text === undefined
            ? {}
            : { "content-type": "application/json", "content-length": Buffer.byteLength(text) },
      },
      (incoming) => {
        const parts: Buffer[] = [];
        incoming.on("data", (part: Buffer) => parts.push(part));
        incoming.on("end", () =>
          done({ status: incoming.statusCode ?? 0, body: Buffer.concat(parts).toString() }),
        );
        incoming.on("error", fail);
      },
    );
    outgoing.on("error", fail);
    outgoing.end(text);
  });
}

export async function json<T>(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const reply = await call(url, method, path, body);
  if (reply.status !== 200)
    throw new Error(`${method} ${path}: ${reply.status} ${reply.body.slice(0, 300)}`);
  return JSON.parse(reply.body) as T;
}

/** Uploads a text as a file and returns the reply's body. */
export const uploadText = (url: string, slug: string, name: string, text: string) =>
  uploadFile(url, slug, name, "text/plain", text);

/** Uploads a file into a workspace and returns the reply's body. */
export async function uploadFile(
  url: string,
  slug: string,
  name: string,
  type: string,
  content: string | Buffer,
): Promise<{ success: boolean; error: string | null }> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(Buffer.from(content))], { type }), name);
  const reply = await fetch(`${url}/api/workspace/${slug}/upload-and-embed`, {
    method: "POST",
    body: form,
  });
  return (await reply.json()) as { success: boolean; error: string | null };
}

export interface StreamTimes {
  first: number;
  total: number;
  tokens: number;
  complete: boolean;
  error: string | null;
}

/** Asks and reads the stream to its end; times in ms since the request was sent. */
export function timeStream(
  url: string,
  path: string,
  body: unknown,
  isFirst: (data: string) => boolean,
  isLast: (data: string) => boolean,
  headers: Record<string, string> = {},
): Promise<StreamTimes> {
  return new Promise((done, fail) => {
    const start = performance.now();
    const times: StreamTimes = {
      first: Number.NaN,
      total: Number.NaN,
      tokens: 0,
      complete: false,
      error: null,
    };
    const text = JSON.stringify(body);
    const outgoing = request(
      url + path,
      {
        method: "POST",
        agent,
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(text),
          ...headers,
        },
      },
      (incoming) => {
        incoming.setEncoding("utf8");
        let rest = "";
        incoming.on("data", (part: string) => {
          rest += part;
          const frames = rest.split("\n\n");
          rest = frames.pop() ?? "";
          for (const frame of frames) {
            if (isFirst(frame)) {
              if (times.tokens++ === 0) times.first = performance.now() - start;
            }
            if (frame.includes('"type":"abort"')) times.error = frame;
            if (isLast(frame)) times.complete = true;
          }
        });
        incoming.on("end", () => {
          times.total = performance.now() - start;
          if (incoming.statusCode !== 200) times.error = `status ${incoming.statusCode}`;
          done(times);
        });
        incoming.on("error", fail);
      },
    );
    outgoing.on("error", fail);
    outgoing.end(text);
  });
}

export const quantile = (values: number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
};

/** Runs `count` tasks with at most `width` in flight. */
export async function inFlight<T>(
  count: number,
  width: number,
  task: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) {
        const index = next++;
        results[index] = await task(index);
      }
    }),
  );
  return results;
}

const functionWords = "the of and to in is that for with not".split(" ");

/**
 * Reproducible prose: words with Zipf-like frequencies in sentences of 8 to 20 words. A third are
 * function words of English, by which the language of real texts is recognised.
 */
export function prose(seed: number, characters: number): string {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const syllables = "ba co de fi gu ha ki lo mu ne pa ri so tu va we xi yo za ther".split(" ");
  const word = () => {
    if (random() < 1 / 3) return functionWords[Math.floor(random() * functionWords.length)]!;
    let n = Math.floor(20_000 * random() ** 4);
    let text = "";
    do {
      text += syllables[n % 20];
      n = Math.floor(n / 20);
    } while (n > 0);
    return text;
  };
  let text = "";
  while (text.length < characters) {
    const words = Array.from({ length: 8 + Math.floor(random() * 12) }, word);
    const sentence = words.join(" ");
    text += `${sentence[0]?.toUpperCase()}${sentence.slice(1)}. `;
    if (random() < 0.15) text += "\n\n";
  }
  return text.slice(0, characters);
}

/** Waits until all of the documents are embedded, and returns the last progress. */
export async function waitForEmbedded<Progress extends { embedded: number; failed: number }>(
  read: () => Promise<Progress>,
  total: number,
  { limitMs, intervalMs }: { limitMs: number; intervalMs: number },
): Promise<Progress> {
  const end = Date.now() + limitMs;
  for (;;) {
    const progress = await read();
    if (progress.embedded === total) return progress;
    if (progress.failed > 0 || Date.now() > end)
      throw new Error(`not all of ${total} files were embedded: ${JSON.stringify(progress)}`);
    await sleep(intervalMs);
  }
}
